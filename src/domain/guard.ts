import type { Tier } from './doors.ts'
import type { ChangeOp } from './entry.ts'
import type { Ref } from './ids.ts'

/** The tiers before and after a lift by a checked quote. */
export interface TierLift {
  readonly from: Tier
  readonly to: Tier
}

/** A lift, the quoted memory, and later flags for the loss of the quoted memory. */
export interface QuoteLift {
  readonly of: Ref
  readonly to: Tier
  readonly lostBy: readonly number[]
}

/** Facts that decide the right to change a memory; null where the birth alone decides. */
export interface GuardMark {
  /** The tier of the words, once evidence or a verdict has lifted the memory's tier. */
  readonly tierAtBirth?: Tier
  /** A checked quote lifted the tier; the lift lasts as long as the quoted memory. */
  readonly quoted?: QuoteLift
  /** A model protected the memory, which binds no person. */
  readonly protectedBy?: 'model'
  /** Captures counted for a caller without authority; a person may still verify with them. */
  readonly unspent?: readonly Ref[]
}

/** Operations whose caller needs a tier: the entry records the tier, even without words. */
export const NEEDS_TIER: ReadonlySet<string> = new Set<ChangeOp>([
  'memory.forgotten',
  'memory.recovered',
  'memory.protected',
  'memory.unprotected',
  'memory.weakened',
  'memory.described',
  'memory.processed',
  'memory.verified',
  'memory.reinforced',
  'memory.proposed',
  'belief.revised',
  'belief.deactivated',
  'claim.ended',
  'claim.retracted',
  'claim.reopened',
  'claim.recast',
  'claim.adjudicated',
  'echo.overruled',
])

interface Guarded {
  readonly tier: Tier
  readonly guard: GuardMark | null
}

/** The tier recorded with the words: evidence lifts a memory's weight, never a right to change. */
export const tierAtBirth = ({ tier, guard }: Guarded): Tier => guard?.tierAtBirth ?? tier

/** The mark with some members replaced; an undefined member is removed. */
export function guardWith(
  guard: GuardMark | null,
  members: { readonly [Name in keyof GuardMark]: GuardMark[Name] | undefined },
): GuardMark | null {
  const all = Object.entries({ ...guard, ...members }).filter(([, value]) => value !== undefined)
  return all.length === 0 ? null : Object.fromEntries(all)
}
