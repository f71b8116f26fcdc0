import type { Entry } from './entry.ts'
import type { Hash, Ref } from './ids.ts'
import type { Instant } from './time.ts'

/** Why something was erased, as a code: the words of a reason would be content again. */
export const ERASE_BASES = [
  'requested', // the person it is about, or who said it, asked for it
  'consent_withdrawn',
  'retention', // it was kept as long as it may be
  'unlawful', // it should never have been kept
  'secret', // a password, a key, a token
  'mistake',
  'other',
] as const
export type EraseBasis = (typeof ERASE_BASES)[number]

/** What becomes of memories that were made from an erased one. */
export const DERIVED_CHOICES = [
  'list', // they stay, are named, and wait for a person
  'erase', // they go with it, and all that was made from them
  'keep', // they stay as they are
] as const
export type DerivedChoice = (typeof DERIVED_CHOICES)[number]

/** What one erasure may destroy; no part of a policy, since no decision about a memory uses it. */
export const ERASURE_LIMITS = {
  eraseMemoriesMax: 10_000, // memories, all or none
} as const

/** That a memory was erased: by which entry, and, of a claim, which place it keeps on its line. */
export interface ErasedMark {
  readonly seq: number
  /** Whether it spoke from a date before it was said, which went with its words. */
  readonly dated: boolean
  /** It had no say any more: taken back, set aside or forgotten. */
  readonly silent?: true
  /** What had taken its place. */
  readonly by?: Ref
  /** The memory was distrusted: what was reasoned from it alone stays distrusted. */
  readonly distrusted?: true
  /** When somebody said that it was over, or when it was erased and was over by then. */
  readonly until?: Instant
}

/**
 * A line that loses claims, and which others must be known for that, standing or not: the one that
 * will tell what kind of line it is, those that say the same as what goes, and what it spoke over.
 */
export interface ErasedLine {
  readonly line: Hash
  readonly others: readonly Ref[]
}

/** A memory to erase, as the one who asks read it. */
export interface ErasureTarget {
  readonly ref: Ref
  /** What was read: another revision since then has words that nobody marked. */
  readonly revision: number
  /** What keeps the words of each revision out. */
  readonly marks: readonly Hash[]
  /** What counters of repeats know its words by. */
  readonly identities: readonly Hash[]
}

/** What one commit destroys, beside the rows it blanks. */
export interface ErasedRows {
  /** Memories whose every sealed row goes: when they were born, and which entry says so. */
  readonly memories: readonly {
    readonly ref: Ref
    readonly birth: number
    readonly entry: number
    readonly identities: readonly Hash[]
  }[]
  /**
   * Actors whose key goes, with all that is counted under their name and what they said of memories
   * (`isSaidBy`).
   */
  readonly actors: readonly {
    readonly actor: string
    readonly pseudonym: Hash
    readonly entry: number
  }[]
  /** Tombstones that a person lifted. */
  readonly lifted: readonly Hash[]
}

export const NOTHING_ERASED: ErasedRows = { memories: [], actors: [], lifted: [] }

export const isNothing = ({ memories, actors, lifted }: ErasedRows): boolean =>
  memories.length + actors.length + lifted.length === 0

/** What is looked at to tell whose words an entry seals. */
type Sealing = Pick<Entry, 'op' | 'actor' | 'revision' | 'commitment' | 'decision'>

/**
 * Whether an entry seals words that this actor said of a memory, which may be another's: reasons and
 * wishes. Tags and fields are not among them: the memory's row is made of those.
 */
export function isSaidBy(pseudonym: Hash, entry: Sealing): boolean {
  const { op, actor, revision, commitment, decision } = entry
  if (actor !== pseudonym || revision !== null || commitment === null) return false
  const isOfRow = op === 'memory.described' && decision.facts.tags !== undefined
  return op !== 'memory.annotated' && !isOfRow
}
