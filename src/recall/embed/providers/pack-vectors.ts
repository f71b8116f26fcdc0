import { MunimentError } from '../../../domain/errors.ts'
import type { Vectors } from '../../../ports/models.ts'
import { clamped, vectorLength } from '../integers.ts'

interface Expected {
  readonly embedder: string
  readonly dimension: number
  readonly count: number
}

/**
 * A provider's answer as int8 vectors of the common length. A provider is not trusted: a missing
 * vector, a surplus component or a component that is no number rejects the whole answer.
 */
export function packVectors(
  answer: readonly ArrayLike<number>[],
  { embedder, dimension, count }: Expected,
): Vectors {
  if (answer.length !== count)
    throw badAnswer(embedder, `${answer.length} vectors for ${count} texts`)
  const values = new Int8Array(count * dimension)
  for (const [row, vector] of answer.entries()) {
    if (vector.length !== dimension)
      throw badAnswer(embedder, `a vector of ${vector.length} components, not ${dimension}`)
    const scale = vectorLength(dimension) / norm(vector, embedder)
    for (let at = 0; at < dimension; at += 1)
      values[row * dimension + at] = clamped(Math.round((vector[at] ?? 0) * scale))
  }
  return { embedder, dimension, count, values }
}

/** Infinite for a zero vector, so that the vector stays zero. */
function norm(vector: ArrayLike<number>, embedder: string): number {
  let squares = 0
  for (let at = 0; at < vector.length; at += 1) {
    const component: unknown = vector[at]
    if (typeof component !== 'number' || !Number.isFinite(component))
      throw badAnswer(embedder, 'a component that is no number')
    squares += component * component
  }
  return squares === 0 ? Infinity : Math.sqrt(squares)
}

export const badAnswer = (embedder: string, what: string): MunimentError =>
  new MunimentError('embedder_unavailable', `The embedder ${embedder} answered ${what}.`, {
    hint: 'Check the model and the dimension it was set up with.',
    facts: { embedder },
  })

/** Runs of at most `size` items, in their order. */
export function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const runs: (readonly T[])[] = []
  for (let at = 0; at < items.length; at += size) runs.push(items.slice(at, at + size))
  return runs
}
