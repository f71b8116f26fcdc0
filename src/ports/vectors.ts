/** The embedder of stored vectors, and their length. */
export interface VectorModel {
  readonly id: string
  readonly dimension: number
}

/** The meaning of one revision, and the time of the events in its text. */
export interface VectorRow {
  readonly seq: number
  readonly revisionSeq: number
  readonly atMs: number
  readonly vector: Int8Array
}

/** All vectors of a model, one behind the other, with the last entry that the vectors cover. */
export interface KeptVectors {
  readonly upto: number
  readonly seqs: readonly number[]
  readonly revisionSeqs: readonly number[]
  readonly atMs: readonly number[]
  readonly values: Int8Array
}

/** Vectors that continue a complete set of kept vectors. */
export interface VectorBatch {
  readonly model: VectorModel
  /** The last entry that the kept vectors cover. */
  readonly from: number
  /** The last entry that the vectors cover with this batch. */
  readonly upto: number
  readonly rows: readonly VectorRow[]
}

/** A memory that entries changed; search no longer finds a memory without words. */
export interface TouchedRow {
  readonly seq: number
  readonly revisionSeq: number
  readonly hasWords: boolean
}
