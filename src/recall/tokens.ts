export const LOAD_TOKENS_DEFAULT = 8_000 // budget of one `load` when none is given
export const LOAD_TOKENS_MAX = 50_000 // largest budget of one `load`

/** Four characters a token and 30 % on top, rounded up: an estimate that does not fall short. */
export const estimateTokens = (text: string): number => Math.ceil((text.length * 13) / 40)

/** The budget that holds for what was asked, and whether the largest one was put in its place. */
export function tokenBudget(asked: number = LOAD_TOKENS_DEFAULT): {
  readonly tokens: number
  readonly capped: boolean
} {
  const tokens = Math.max(0, Math.floor(Math.min(asked, LOAD_TOKENS_MAX)))
  return { tokens, capped: asked > LOAD_TOKENS_MAX }
}
