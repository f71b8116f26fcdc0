import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { Embedder } from './embedder.ts'

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
