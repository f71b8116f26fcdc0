import { bitLength, divideRounded, integerSqrt, powerOfTwo } from './integers.ts'

const COMPONENT_MAX = 127 // of an int8, the same on both sides of zero
const DEVIATIONS_KEPT = 4 // a component this many times the usual size is the largest that an int8 holds
const SUMMAND_BITS = 18 // of the largest component: squares of 65,536 of them still add up exactly
const ROOT_STEPS = 1_024 // the square root of a dimension is taken in steps of 1/1,024

/**
 * Length of an int8 vector of this dimension. A unit vector's component is usually 1/√dimension;
 * this length uses the range of an int8 and cuts only components above four times the usual size.
 */
export const vectorLength = (dimension: number): number =>
  Math.floor(
    (COMPONENT_MAX * integerSqrt(dimension * ROOT_STEPS * ROOT_STEPS)) /
      (DEVIATIONS_KEPT * ROOT_STEPS),
  )

/** The score of a vector with itself, up to rounding; other scores are shares of this score. */
export const scoreMax = (dimension: number): number =>
  vectorLength(dimension) * vectorLength(dimension)

/**
 * Writes integers of any size as int8, scaled to the length of their dimension; a zero vector stays
 * zero.
 */
export function writeUnitVector(sums: Float64Array, into: Int8Array, offset: number): void {
  let largest = 0
  for (let at = 0; at < sums.length; at += 1) largest = Math.max(largest, Math.abs(sums[at] ?? 0))
  into.fill(0, offset, offset + sums.length)
  if (largest === 0) return
  const bits = bitLength(largest)
  const up = powerOfTwo(Math.max(0, SUMMAND_BITS - bits))
  const down = powerOfTwo(Math.max(0, bits - SUMMAND_BITS))
  let squares = 0
  for (let at = 0; at < sums.length; at += 1) {
    const part = Math.trunc(((sums[at] ?? 0) * up) / down)
    squares += part * part
  }
  const norm = integerSqrt(squares)
  const length = vectorLength(sums.length)
  for (let at = 0; at < sums.length; at += 1) {
    const part = Math.trunc(((sums[at] ?? 0) * up) / down)
    into[offset + at] = clamped(divideRounded(part * length, norm))
  }
}

export const clamped = (component: number): number =>
  Math.max(-COMPONENT_MAX, Math.min(COMPONENT_MAX, component))

/** The lengths are equal by construction: the same embedder made both. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  for (let at = 0; at < a.length; at += 1) dot += (a[at] ?? 0) * (b[at] ?? 0)
  return cosineOf(dot, squareOf(a), squareOf(b))
}

/** The square of a vector's length. */
export function squareOf(vector: Int8Array): number {
  let square = 0
  for (let at = 0; at < vector.length; at += 1) square += (vector[at] ?? 0) ** 2
  return square
}

/** Computed from integers, which are equal for every way of computing them. */
export const cosineOf = (dot: number, squareOfA: number, squareOfB: number): number =>
  dot === 0 ? 0 : dot / Math.sqrt(squareOfA * squareOfB)
