import { MunimentError } from '../../../domain/errors.ts'
import type { Embedder } from '../../../ports/models.ts'
import { batches, packVectors } from './pack-vectors.ts'

/** The used part of the AI SDK's embedding model; every provider of the SDK makes one. */
export interface AiSdkEmbeddingModel {
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(options: { values: string[]; abortSignal?: AbortSignal }): PromiseLike<{
    readonly embeddings: readonly (readonly number[])[]
  }>
}

export interface AiSdkEmbedderOptions {
  readonly model: AiSdkEmbeddingModel
  readonly dimension: number
}

const BATCH_TEXTS_DEFAULT = 96 // where the model names no limit

export function aiSdkEmbedder({ model, dimension }: AiSdkEmbedderOptions): Embedder {
  const id = `${model.provider}:${model.modelId}`
  return {
    id,
    dimension,
    embed: async (texts, { signal } = {}) => {
      const size = (await model.maxEmbeddingsPerCall) ?? BATCH_TEXTS_DEFAULT
      const answer: (readonly number[])[] = []
      for (const values of batches(texts, Math.max(1, size))) {
        signal?.throwIfAborted()
        answer.push(...(await asked(model, id, [...values], signal)))
      }
      return packVectors(answer, { embedder: id, dimension, count: texts.length })
    },
  }
}

async function asked(
  model: AiSdkEmbeddingModel,
  id: string,
  values: string[],
  signal: AbortSignal | undefined,
): Promise<readonly (readonly number[])[]> {
  try {
    const { embeddings } = await model.doEmbed({ values, ...(signal && { abortSignal: signal }) })
    return embeddings
  } catch (cause) {
    signal?.throwIfAborted()
    throw new MunimentError('embedder_unavailable', `The embedder ${id} failed.`, {
      cause,
      facts: { embedder: id },
    })
  }
}
