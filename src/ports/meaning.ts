import type { KindMember } from '../domain/words/search.ts'

/** Turns a text into a vector for its meaning; equal texts give equal bytes. */
export interface Meaning {
  /** Vectors of different ids are never compared. */
  readonly id: string
  readonly dimension: number
  embed(text: string): Int8Array
  /**
   * Terms that name a kind of the given term, most used first; absent where no table of kinds
   * exists.
   */
  membersOf?(term: string): readonly KindMember[]
}
