export const LOAD_TOKENS_DEFAULT = 8_000 // budget of a `load` by default
export const LOAD_TOKENS_MAX = 50_000 // largest budget of a `load`

/** Four characters a token plus 30 %, rounded up, so that the estimate is rarely too low. */
export const estimateTokens = (text: string): number => Math.ceil((text.length * 13) / 40)

/** The budget within the limit; `capped` reports a lowered budget. */
export function tokenBudget(asked: number = LOAD_TOKENS_DEFAULT): {
  readonly tokens: number
  readonly capped: boolean
} {
  const tokens = Math.max(0, Math.floor(Math.min(asked, LOAD_TOKENS_MAX)))
  return { tokens, capped: asked > LOAD_TOKENS_MAX }
}
