import type { ClaimState } from '../domain/claim-state.ts'
import type { EchoMark } from '../domain/echo.ts'
import type { Entry, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { MemoryState } from '../domain/state.ts'

// The gate writes the facts read here, and the audit checks them before they are folded.

const NONE: EchoMark = { of: null, folded: [], leftAt: 0 }

/** A rewording that was kept as a memory of its own says of what. */
export const phrasedAtBirth = ({ decision: { facts } }: Entry): EchoMark | null =>
  typeof facts.phrasingOf === 'string' ? { ...NONE, of: facts.phrasingOf as Ref } : null

/** Whether an entry folded a rewording away and keeps it; what repeats to the letter is not kept. */
export const keepsWords = ({ commitment, decision: { reasons } }: Entry): boolean =>
  commitment !== null && reasons[0] === 'echo_reworded'

export function foldedInto(before: MemoryState, { seq }: Entry): MemoryState {
  const echo = before.echo ?? NONE
  return { ...before, echo: { ...echo, folded: [...echo.folded, seq] } }
}

/** What a person or a tool says in its place is nobody's echo. */
export const saidAnew = (echo: EchoMark | null): EchoMark | null =>
  unlessEmpty(echo && { ...echo, of: null })

/** Somebody who may has said that it was none: it has its say, or what was folded away comes in. */
export function overruled(before: MemoryState, { of }: Facts): MemoryState {
  const echo = before.echo ?? NONE
  if (of !== undefined) {
    const folded = echo.folded.filter((seq) => seq !== of)
    return { ...before, echo: unlessEmpty({ ...echo, folded }) }
  }
  const claim = before.claim && heard(before.claim)
  return { ...before, claim, echo: unlessEmpty({ ...echo, of: null }) }
}

const heard = ({ phrasingOf: _, ...claim }: ClaimState): ClaimState => claim

export const leftAsIs = (before: MemoryState, { seq }: Entry): MemoryState => ({
  ...before,
  echo: { ...(before.echo ?? NONE), leftAt: seq },
})

/** Where nothing is recognised any more there is nothing to have looked at. */
const unlessEmpty = (echo: EchoMark | null): EchoMark | null =>
  echo === null || (echo.of === null && echo.folded.length === 0) ? null : echo
