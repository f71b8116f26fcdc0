import { isTier } from '../domain/doors.ts'
import {
  type Entry,
  type Facts,
  guardWith,
  type QuoteLift,
  type TierLift,
  tierAtBirth,
} from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Quote } from '../domain/provenance.ts'
import type { FlagCode, MemoryState } from '../domain/state.ts'

/** The lift that a birth or a revision tells; null where there is none. */
export function liftIn({ lift }: Facts): TierLift | null {
  const { from, to } = { ...(lift as Partial<TierLift> | undefined) } // anything in a forged entry
  return isTier(from) && isTier(to) ? { from, to } : null
}

/** Members of a guard after a birth or a revision: a lift where its entry tells one, otherwise none. */
export function quotedGuard({ decision: { facts } }: Entry) {
  const lift = liftIn(facts)
  const { of } = { ...(facts.quote as Partial<Quote> | undefined) } // anything in a forged entry
  return lift === null || of === undefined
    ? { tierAtBirth: undefined, quoted: undefined }
    : { tierAtBirth: lift.from, quoted: { of, to: lift.to, lostBy: [] } }
}

/** A quoted memory that is gone lifts nothing; one that faded is still there. */
const GONE: ReadonlySet<FlagCode> = new Set([
  'source_forgotten',
  'source_erased',
  'source_distrusted',
])

/** The lift goes when the quoted memory is forgotten, erased or distrusted. */
export function liftLost(
  state: MemoryState,
  { code, by, seq }: { readonly code: FlagCode; readonly by: Ref | null; readonly seq: number },
): MemoryState {
  const quoted = state.guard?.quoted
  if (!quoted || quoted.of !== by || !GONE.has(code)) return state
  return withLift(state, { ...quoted, lostBy: [...quoted.lostBy, seq] })
}

/** The lift comes back with the quoted memory. Looking at a flag in review brings nothing back. */
export function liftRegained(state: MemoryState, { decision }: Entry): MemoryState {
  const quoted = state.guard?.quoted
  if (!quoted || decision.rule !== null) return state
  const cleared = decision.facts.of as readonly number[] // the gate's, or checked
  return withLift(state, {
    ...quoted,
    lostBy: quoted.lostBy.filter((seq) => !cleared.includes(seq)),
  })
}

function withLift(state: MemoryState, quoted: QuoteLift): MemoryState {
  const tier = quoted.lostBy.length === 0 ? quoted.to : tierAtBirth(state)
  return { ...state, tier, guard: guardWith(state.guard, { quoted }) }
}
