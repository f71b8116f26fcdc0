/** How memories are kept by their meaning: who made the vectors, and how long they are. */
export interface VectorModel {
  readonly id: string
  readonly dimension: number
}

/** What the words of one revision mean, and when what they tell of happened. */
export interface VectorRow {
  readonly seq: number
  readonly revisionSeq: number
  readonly atMs: number
  readonly vector: Int8Array
}

/** All vectors of a model, one behind the other, and the last entry that they have heard of. */
export interface KeptVectors {
  readonly upto: number
  readonly seqs: readonly number[]
  readonly revisionSeqs: readonly number[]
  readonly atMs: readonly number[]
  readonly values: Int8Array
}

/** Vectors that go on from where those that are kept were complete. */
export interface VectorBatch {
  readonly model: VectorModel
  /** The last entry that the vectors kept so far have heard of, … */
  readonly from: number
  /** … and the last one that they have heard of with these. */
  readonly upto: number
  readonly rows: readonly VectorRow[]
}

/** A memory that entries are about; without words search does not find it any more. */
export interface TouchedRow {
  readonly seq: number
  readonly revisionSeq: number
  readonly hasWords: boolean
}
