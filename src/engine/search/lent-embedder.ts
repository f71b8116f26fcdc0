import { MunimentError } from '../../domain/errors.ts'
import type { Embedder, VectorModel, Vectors } from '../../ports/models.ts'
import type { Timer } from '../../ports/world.ts'

/** Makes vectors from texts, and limits the slices of new entries that one search waits for. */
export interface Embedding extends VectorModel {
  readonly slicesMax?: number
  embed(texts: readonly string[]): Promise<readonly Int8Array[]>
}

const EMBED_MS_MAX = 20_000 // for external vectors; search by words works without them

/**
 * Wraps an external embedder: a search waits for one slice and a limited time. Errors, malformed
 * answers and timeouts become one `embedder_unavailable` error, and the search continues by words.
 */
export const embeddingBy = (embedder: Embedder, timer: Timer): Embedding => {
  const { id, dimension } = embedder
  return {
    id,
    dimension,
    slicesMax: 1,
    embed: async (texts) => {
      const values = valuesIn(await inTime(embedder, texts, timer), { id, dimension }, texts.length)
      return texts.map((_, at) => values.subarray(at * dimension, (at + 1) * dimension))
    },
  }
}

async function inTime(
  embedder: Embedder,
  texts: readonly string[],
  timer: Timer,
): Promise<Vectors> {
  const { id } = embedder
  const ending = new AbortController()
  let callOff = (): void => {}
  const late = new Promise<never>((_, reject) => {
    callOff = timer(EMBED_MS_MAX, () => {
      ending.abort()
      reject(unavailable(id, `took longer than ${EMBED_MS_MAX} ms`))
    })
  })
  try {
    return await Promise.race([embedder.embed(texts, { signal: ending.signal }), late])
  } catch (cause) {
    throw isOwn(cause) ? cause : unavailable(id, 'failed', cause)
  } finally {
    callOff()
  }
}

const isOwn = (cause: unknown): boolean =>
  cause instanceof MunimentError && cause.code === 'embedder_unavailable'

function valuesIn(made: Vectors, { id, dimension }: VectorModel, count: number): Int8Array {
  const values: unknown = made?.values
  if (values instanceof Int8Array && values.length === count * dimension) return values
  throw unavailable(id, `did not answer with ${count} vectors of ${dimension}`)
}

const unavailable = (id: string, what: string, cause?: unknown): MunimentError =>
  new MunimentError('embedder_unavailable', `The embedder ${id} ${what}.`, {
    cause,
    facts: { embedder: id },
  })
