import type { Ref } from './ids.ts'

/** What was recognised around a memory as our own words coming back. */
export interface EchoMark {
  /** What it says in other words, as the gate saw it: a claim so linked has no say in its line. */
  readonly of: Ref | null
  /** Entries that folded rewordings of it away, whose words are kept and were not let in since. */
  readonly folded: readonly number[]
  /** The entry by which a person last left it so; 0 where nobody has looked. */
  readonly leftAt: number
}

type Recognised = Readonly<{ echo: EchoMark | null; claim: object | null }>

/**
 * Whether a person should look: at words that were folded away, or at a claim that lost its say. Of
 * other kinds a link takes nothing, and asking about each would leave no room for anything else.
 */
export function waitsAsEcho({ echo, claim }: Recognised): boolean {
  if (echo === null) return false
  const isSilenced = claim !== null && echo.of !== null && echo.leftAt === 0
  return isSilenced || echo.folded.some((seq) => seq > echo.leftAt)
}
