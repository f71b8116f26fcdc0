import { MunimentError } from '../../../domain/errors.ts'
import type { Embedder } from '../../../ports/models.ts'
import { badAnswer, batches, packVectors } from './pack-vectors.ts'

/** The used part of transformers.js. */
export interface TransformersModule {
  pipeline(task: 'feature-extraction', model: string, options?: object): Promise<FeatureExtraction>
}

type FeatureExtraction = (
  texts: string[],
  options: { pooling: 'mean' | 'cls'; normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: ArrayLike<number> }>

export interface TransformersEmbedderOptions {
  /** `() => import('@huggingface/transformers')`: called with the first text, never before. */
  readonly load: () => Promise<TransformersModule>
  readonly model: string
  readonly dimension: number
  readonly pooling?: 'mean' | 'cls'
  /** Passed on to `pipeline`: dtype, device and so on. */
  readonly pipelineOptions?: object
}

const BATCH_TEXTS = 32

export function transformersEmbedder(options: TransformersEmbedderOptions): Embedder {
  const { model, dimension, pooling = 'mean' } = options
  const id = `transformers:${model}:${pooling}`
  let extraction: Promise<FeatureExtraction> | undefined
  const extract = async (texts: readonly string[]): Promise<readonly ArrayLike<number>[]> => {
    extraction ??= open(options)
    // A failed load may work later: for example, a download may have failed.
    const run = await extraction.catch((cause: unknown) => {
      extraction = undefined
      throw cause
    })
    const { dims, data } = await run([...texts], { pooling, normalize: true })
    if (dims.length !== 2 || dims[0] !== texts.length || dims[1] !== dimension)
      throw badAnswer(id, `an array of ${dims.join(' × ')}, not ${texts.length} × ${dimension}`)
    const all = Float32Array.from(data)
    return texts.map((_, row) => all.subarray(row * dimension, (row + 1) * dimension))
  }
  return {
    id,
    dimension,
    embed: async (texts, { signal } = {}) => {
      const answer: ArrayLike<number>[] = []
      for (const batch of batches(texts, BATCH_TEXTS)) {
        signal?.throwIfAborted()
        answer.push(...(await extract(batch).catch((cause) => Promise.reject(failure(id, cause)))))
      }
      return packVectors(answer, { embedder: id, dimension, count: texts.length })
    },
  }
}

async function open(options: TransformersEmbedderOptions): Promise<FeatureExtraction> {
  const { pipeline } = await options.load()
  return pipeline('feature-extraction', options.model, options.pipelineOptions)
}

const failure = (id: string, cause: unknown): MunimentError =>
  cause instanceof MunimentError
    ? cause
    : new MunimentError('embedder_unavailable', `The embedder ${id} failed.`, {
        cause,
        hint: 'npm install @huggingface/transformers, and check the name of the model.',
        facts: { embedder: id },
      })
