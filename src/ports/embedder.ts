/** Vectors of one embedder, one after another, each as int8 of the same length. */
export interface Vectors {
  /** Vectors of different embedders are never compared. */
  readonly embedder: string
  readonly dimension: number
  readonly count: number
  /** `count` × `dimension` components. */
  readonly values: Int8Array
}

export interface EmbedOptions {
  readonly signal?: AbortSignal
}

export interface Embedder {
  /** Names the model and the version; stored vectors carry this id. */
  readonly id: string
  readonly dimension: number
  /** One vector for each text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Vectors>
}
