import type { Door, Tier } from './doors.ts'
import type { Hash, Ref, StackId } from './ids.ts'
import type { Label } from './labels.ts'
import type { Instant } from './time.ts'
import type { Disposition, RuleName } from './vocabulary.ts'

/** Operations on an existing memory, after its birth. */
const CHANGE_OPS = [
  'memory.forgotten',
  'memory.recovered',
  'memory.protected',
  'memory.unprotected',
  'memory.accessed',
  'memory.weakened',
  'memory.strengthened',
  'memory.described',
  'memory.annotated',
  'memory.processed',
  'memory.verified',
  'memory.attested',
  'memory.reinforced',
  'memory.proposed',
  'memory.flagged',
  'memory.cleared',
  'memory.distrusted',
  'memory.trusted',
  'echo.overruled',
  'echo.left',
  'belief.revised',
  'belief.deactivated',
  'suggestion.resolved',
  'claim.ended',
  'claim.retracted',
  'claim.reopened',
  'claim.adjudicated',
  'claim.superseded',
  'claim.lapsed',
  'claim.recast',
] as const

/** Operations of entries. New operations may join; the shape of an entry may not change. */
export const ENTRY_OPS = [
  'genesis',
  'policy',
  'state',
  'replica.started',
  'enforcement.off',
  'enforcement.on',
  'clock.corrected',
  'memory.saved',
  'memory.revised',
  'memory.refused',
  'memory.collapsed',
  'quarantine.rejected',
  'quarantine.released',
  'memory.received',
  'memory.erased',
  'actor.erased',
  'tombstone.kept',
  'tombstone.lifted',
  'origin.distrusted',
  'origin.trusted',
  ...CHANGE_OPS,
  'tally',
] as const

export type EntryOp = (typeof ENTRY_OPS)[number]

export type ChangeOp = (typeof CHANGE_OPS)[number]

const changeOps: ReadonlySet<EntryOp> = new Set(CHANGE_OPS)
export const isChangeOp = (op: EntryOp): op is ChangeOp => changeOps.has(op)

/** Facts a decision used: refs, counts, codes, times. Never content, never a hash of content. */
export type Fact =
  | string
  | number
  | boolean
  | null
  | readonly Fact[]
  | { readonly [key: string]: Fact }
export type Facts = Readonly<Record<string, Fact>>

export interface Decision {
  readonly rule: RuleName | null
  readonly disposition: Disposition | null
  readonly reasons: readonly string[]
  readonly facts: Facts
}

export interface ParentLink {
  readonly ref: Ref
  /** The parent's birth entry, smaller than this entry: lineage is acyclic by position. */
  readonly seq: number
}

/** A record of the ledger. Its RFC 8785 bytes are hashed, chained, kept and proved. */
export interface Entry {
  readonly v: 1
  readonly stack: StackId
  readonly replica: string
  readonly seq: number
  readonly unit: number
  readonly time: Instant
  readonly op: EntryOp
  readonly ref: Ref | null
  readonly revision: number | null
  readonly actor: Hash | null
  readonly door: Door | null
  readonly label: Label | null
  readonly tier: Tier | null
  readonly parents: readonly ParentLink[]
  readonly commitment: Hash | null
  readonly policy: Hash | null
  readonly decision: Decision
  readonly prevHash: Hash
}

export const ENTRY_FIELDS: readonly (keyof Entry)[] = [
  'actor',
  'commitment',
  'decision',
  'door',
  'label',
  'op',
  'parents',
  'policy',
  'prevHash',
  'ref',
  'replica',
  'revision',
  'seq',
  'stack',
  'tier',
  'time',
  'unit',
  'v',
]

/** An entry with its hashed bytes. The bytes are authoritative and never made anew. */
export interface StoredEntry {
  readonly entry: Entry
  readonly bytes: Uint8Array
  readonly hash: Hash
}

/** Sealed content of a change: the requester's words and tags, or a component's fields. */
export interface SealedNote {
  readonly fields: Readonly<Record<string, unknown>> | null
  readonly tags: readonly string[] | null
  readonly text: string | null
}

/** Content committed by an entry, kept beside the log: an erasure leaves the chain intact. */
export interface SealedRow {
  readonly seq: number
  readonly ref: Ref
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

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
