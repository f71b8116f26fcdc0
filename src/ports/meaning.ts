import type { KindMember } from '../domain/kind-member.ts'

/** Text to a vector whose direction is what the text means; the same text gives the same bytes. */
export interface Meaning {
  /** Vectors of another id are never compared with these. */
  readonly id: string
  readonly dimension: number
  embed(text: string): Int8Array
  /** The terms that name a kind of the term, the most used first; left out where nobody knows. */
  membersOf?(term: string): readonly KindMember[]
}
