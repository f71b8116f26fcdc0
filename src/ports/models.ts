import type { Ref, StackId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { KindMember } from '../domain/words/search.ts'

/** Vectors of one embedder, one after another, each as int8 of the same length. */
export interface Vectors {
  /** Vectors of different embedders are never compared. */
  readonly embedder: string
  readonly dimension: number
  readonly count: number
  /** `count` × `dimension` components. */
  readonly values: Int8Array
}

interface EmbedOptions {
  readonly signal?: AbortSignal
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Names the model and the version; stored vectors carry this id. */
  readonly id: string
  readonly dimension: number
  /** One vector for each text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Vectors>
}

/** The limits of a call of a model. */
export interface InferOptions {
  readonly system?: string
  readonly temperature?: number
  readonly outputTokensMax?: number
  readonly signal?: AbortSignal
  /** A JSON Schema for the answer. The engine checks the answer all the same. */
  readonly schema?: JsonObject
}

/** The answer of a model; token counts are null where the model reports none. */
export interface Inferred {
  readonly text: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** A model, as far as the engine needs one. */
export interface InferencePort {
  /** The name of the model in provenance. */
  readonly modelId: string
  /**
   * A failed call counts at the highest price, because the real cost is unknown, unless a
   * MunimentError with `isBilled: false` was thrown. With `isRetryable: false` the failure is
   * final.
   */
  infer(prompt: string, options?: InferOptions): Promise<string | Inferred>
  /** The model's own vectors; search uses them while the model's core is attached. */
  readonly embedder?: Embedder
}

/** Turns a text into a vector for its meaning; equal texts give equal bytes. */
export interface Meaning {
  /** Vectors of different ids are never compared. */
  readonly id: string
  readonly dimension: number
  embed(text: string): Int8Array
  /** False for a question in a language without word vectors here, whose cosines are noise. */
  understands?(text: string): boolean
  /**
   * Terms that name a kind of the given term, most used first; absent where no table of kinds
   * exists.
   */
  membersOf?(term: string): readonly KindMember[]
}

/** A contest that waits for an answer from outside. */
export interface OracleQuestion {
  readonly stackId: StackId
  /** The queued claim; its timeline shows the opposing claims. */
  readonly claim: Ref
}

/**
 * An outside authority for contests. The oracle answers later, with `adjudicate`. An error of the
 * oracle changes nothing, because the claim and its place in the queue are already committed.
 */
export interface Oracle {
  ask(question: OracleQuestion): void | Promise<void>
}

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
