import type { Entry } from './entry.ts'
import type { Hash, Ref } from './ids.ts'
import type { Instant } from './time.ts'

/** Reasons for an erasure, as codes: the words of a reason would be content again. */
export const ERASE_BASES = [
  'requested', // by the subject or the author
  'consent_withdrawn',
  'retention', // kept as long as allowed
  'unlawful', // should never have been kept
  'secret', // a password, a key, a token
  'mistake',
  'other',
] as const
export type EraseBasis = (typeof ERASE_BASES)[number]

/** Treatment of memories made from an erased memory. */
export const DERIVED_CHOICES = [
  'list', // they stay, are named, and wait for a person
  'erase', // erased too, with all their descendants
  'keep', // they stay as they are
] as const
export type DerivedChoice = (typeof DERIVED_CHOICES)[number]

/** Bounds of an erasure. Not part of a policy, since no decision about a memory uses them. */
export const ERASURE_LIMITS = {
  eraseMemoriesMax: 10_000, // memories, all or none
} as const

/** The entry of a memory's erasure and, for a claim, the place kept on the timeline. */
export interface ErasedMark {
  readonly seq: number
  /** True if the claim stated a start before its birth; the date went with the words. */
  readonly dated: boolean
  /** The claim no longer counted: retracted, set aside or forgotten. */
  readonly silent?: true
  /** The claim that had taken over. */
  readonly by?: Ref
  /** The memory was distrusted: memories reasoned from this memory alone stay distrusted. */
  readonly distrusted?: true
  /** The stated end, or the erasure time for a claim already over. */
  readonly until?: Instant
}

/**
 * A timeline that loses claims, with other claims to load in any state: the claim that will define
 * the cardinality, claims of equal content, and claims that the erased claims had replaced.
 */
export interface ErasedLine {
  readonly line: Hash
  readonly others: readonly Ref[]
}

export interface ErasureTarget {
  readonly ref: Ref
  /** Revision read by the caller: a newer revision has words without a mark. */
  readonly revision: number
  readonly marks: readonly Hash[]
  /** Identities under which counters of repeats know the words. */
  readonly identities: readonly Hash[]
}

/** Data destroyed by a commit, beside the blanked rows. */
export interface ErasedRows {
  /** Memories that lose every sealed row, with the entries of birth and erasure. */
  readonly memories: readonly {
    readonly ref: Ref
    readonly birth: number
    readonly entry: number
    readonly identities: readonly Hash[]
  }[]
  /**
   * Actors whose key is destroyed, with all counters under the actor's name and the actor's words
   * about memories (`isSaidBy`).
   */
  readonly actors: readonly {
    readonly actor: string
    readonly pseudonym: Hash
    readonly entry: number
  }[]
  readonly lifted: readonly Hash[]
}

export const NOTHING_ERASED: ErasedRows = { memories: [], actors: [], lifted: [] }

export const isNothing = ({ memories, actors, lifted }: ErasedRows): boolean =>
  memories.length + actors.length + lifted.length === 0

/** Members of an entry that show whose words the entry seals. */
type Sealing = Pick<Entry, 'op' | 'actor' | 'revision' | 'commitment' | 'decision'>

/**
 * True if an entry seals this actor's words about a memory of any author: reasons and proposals.
 * Tags and fields do not count, because the memory's row is built from them.
 */
export function isSaidBy(pseudonym: Hash, entry: Sealing): boolean {
  const { op, actor, revision, commitment, decision } = entry
  if (actor !== pseudonym || revision !== null || commitment === null) return false
  const isOfRow = op === 'memory.described' && decision.facts.tags !== undefined
  return op !== 'memory.annotated' && !isOfRow
}

/** Bounds for keeping captures of hooks; not part of a policy, since no decision uses them. */
export const LIMITS_OF_RETENTION = {
  daysMax: 36_500,
  perRunMax: 200, // captures erased in a run of maintenance
} as const
