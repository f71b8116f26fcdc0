import { MunimentError } from '../../../domain/errors.ts'
import type { Embedder } from '../../../ports/models.ts'
import type { Timer } from '../../../ports/world.ts'
import { badAnswer, batches, packVectors } from './pack-vectors.ts'

/** The used part of `fetch`. */
export type Fetch = (
  url: string,
  request: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly signal: AbortSignal
  },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>

export interface HttpEmbedderOptions {
  /** Up to and without `/embeddings`: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly dimension: number
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `yes` requests the dimension from the server; only some models accept the field. */
  readonly asksDimension?: 'yes' | 'no'
  readonly timeoutMs?: number
  readonly batchTextsMax?: number
}

/** Injected access to the network and to timers. */
export interface HttpWorld {
  readonly fetch: Fetch
  readonly timer: Timer
}

const TIMEOUT_MS_DEFAULT = 30_000 // for a request
const BATCH_TEXTS_DEFAULT = 96

/** Any server that answers `POST /embeddings` as OpenAI's does. */
export function httpEmbedder(options: HttpEmbedderOptions, world: HttpWorld): Embedder {
  const { model, dimension, batchTextsMax = BATCH_TEXTS_DEFAULT } = options
  const id = `http:${model}:${dimension}`
  return {
    id,
    dimension,
    embed: async (texts, { signal } = {}) => {
      const answer: (readonly number[])[] = []
      for (const batch of batches(texts, batchTextsMax)) {
        const text = await posted(options, world, { id, batch, signal })
        answer.push(...vectorsIn(text, id, batch.length))
      }
      return packVectors(answer, { embedder: id, dimension, count: texts.length })
    },
  }
}

interface Post {
  readonly id: string
  readonly batch: readonly string[]
  readonly signal: AbortSignal | undefined
}

async function posted(
  {
    url,
    model,
    dimension,
    key,
    headers,
    asksDimension,
    timeoutMs = TIMEOUT_MS_DEFAULT,
  }: HttpEmbedderOptions,
  world: HttpWorld,
  { id, batch, signal }: Post,
): Promise<string> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const end = (): void => ending.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  const callOff = world.timer(timeoutMs, () =>
    ending.abort(new Error(`no answer in ${timeoutMs} ms`)),
  )
  try {
    const answer = await world.fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify({
        model,
        input: batch,
        encoding_format: 'float',
        ...(asksDimension === 'yes' && { dimensions: dimension }),
      }),
      signal: ending.signal,
    })
    const text = await answer.text()
    if (!answer.ok) throw badAnswer(id, `with status ${answer.status}`)
    return text
  } catch (cause) {
    signal?.throwIfAborted()
    throw cause instanceof MunimentError ? cause : unreached(id, cause)
  } finally {
    callOff()
    signal?.removeEventListener('abort', end)
  }
}

/** Servers may answer in any order; `index` tells the text of a vector. */
function vectorsIn(text: string, id: string, count: number): readonly (readonly number[])[] {
  const found = new Map<number, readonly number[]>()
  for (const [at, item] of itemsIn(text, id).entries()) {
    const { index = at, embedding } = item as { index?: number; embedding?: unknown }
    if (!Array.isArray(embedding)) throw badAnswer(id, 'an item without a vector')
    found.set(index, embedding)
  }
  return Array.from({ length: count }, (_, at) => {
    const vector = found.get(at)
    if (vector === undefined) throw badAnswer(id, `no vector for text ${at + 1} of ${count}`)
    return vector
  })
}

function itemsIn(text: string, id: string): readonly object[] {
  try {
    const { data } = JSON.parse(text) as { data?: unknown }
    if (Array.isArray(data) && data.every((item) => typeof item === 'object' && item !== null))
      return data
  } catch (cause) {
    throw unreached(id, cause)
  }
  throw badAnswer(id, 'without a list of vectors')
}

const unreached = (id: string, cause: unknown): MunimentError =>
  new MunimentError('embedder_unavailable', `The embedder ${id} could not be asked.`, {
    cause,
    hint: 'Check its address, its key and whether it runs.',
    facts: { embedder: id },
  })
