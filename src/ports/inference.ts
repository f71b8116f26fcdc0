import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { Embedder } from './embedder.ts'

export interface InferOptions {
  readonly system?: string
  readonly temperature?: number
  readonly outputTokensMax?: number
  readonly signal?: AbortSignal
  /** A JSON Schema that the answer shall fit. What comes back is held against it all the same. */
  readonly schema?: JsonObject
}

/** What a model said, and what it cost where it can tell. */
export interface Inferred {
  readonly text: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** A model, as far as the engine needs one. */
export interface InferencePort {
  /** As provenance shall name it. */
  readonly modelId: string
  /**
   * What it throws counts as a call at its highest price, since nobody knows what it cost; unless it
   * is a MunimentError whose facts say `isBilled: false`. With `isRetryable: false` it is final.
   */
  infer(prompt: string, options?: InferOptions): Promise<string | Inferred>
  /** Vectors of its own, which search uses while its core is attached. */
  readonly embedder?: Embedder
}
