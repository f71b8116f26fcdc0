/** Vectors of one embedder, one after another, each as int8 of the same length. */
export interface Vectors {
  /** Who made them: vectors of different embedders are never compared. */
  readonly embedder: string
  readonly dimension: number
  readonly count: number
  /** `count` × `dimension` components. */
  readonly values: Int8Array
}

export interface EmbedOptions {
  readonly signal?: AbortSignal
}

/** Texts to vectors. */
export interface Embedder {
  /** Names the model and its version, as rows of vectors are stamped. */
  readonly id: string
  readonly dimension: number
  /** One vector a text, in their order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Vectors>
}
