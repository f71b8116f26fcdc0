export interface InferOptions {
  readonly system?: string
  readonly temperature?: number
  readonly outputTokensMax?: number
  readonly signal?: AbortSignal
}

/** A model, as far as the engine needs one. */
export interface InferencePort {
  /** As provenance shall name it. */
  readonly modelId: string
  infer(prompt: string, options?: InferOptions): Promise<string>
  /** One vector a text, in order; left out by models that make none. */
  embed?(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}
