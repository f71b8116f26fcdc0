import type { Tier } from './doors.ts'
import type { ChangeOp } from './entry.ts'
import type { Ref } from './ids.ts'

/** A tier that a checked quote lifted: from what a model's word has, to what its entry records. */
export interface TierLift {
  readonly from: Tier
  readonly to: Tier
}

/** A lift with the quoted memory, and the flags that say since that the quoted memory is gone. */
export interface QuoteLift {
  readonly of: Ref
  readonly to: Tier
  readonly lostBy: readonly number[]
}

/** Facts about a memory that decide who may change it next; null where its birth says all of it. */
export interface GuardMark {
  /** The tier that its words came with, once evidence or a verdict has lifted the tier. */
  readonly tierAtBirth?: Tier
  /** A checked quote lifted the tier, and lifts it while the quoted memory is there. */
  readonly quoted?: QuoteLift
  /** A model protected it, which binds no person. */
  readonly protectedBy?: 'model'
  /** Captures that counted for a caller without authority: a person may still verify with them. */
  readonly unspent?: readonly Ref[]
}

/** Entries whose caller needed a tier: each tells the tier, also where no words came with it. */
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

/** The tier recorded with its words: evidence lifts what a memory counts for, never who may change it. */
export const tierAtBirth = ({ tier, guard }: Guarded): Tier => guard?.tierAtBirth ?? tier

/** The mark with some members set anew; a member that is undefined is taken out. */
export function guardWith(
  guard: GuardMark | null,
  members: { readonly [Name in keyof GuardMark]: GuardMark[Name] | undefined },
): GuardMark | null {
  const all = Object.entries({ ...guard, ...members }).filter(([, value]) => value !== undefined)
  return all.length === 0 ? null : Object.fromEntries(all)
}
