/**
 * Arithmetic with equal bits on every machine. Every value is an integer below 2^53, which a double
 * holds exactly; nothing here rounds in a way that the language leaves open.
 */

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Every bit of the input moves every bit of the output: the finaliser of 32-bit MurmurHash3. */
export function mix32(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A text's UTF-16 units from `start` to `end` as 32 bits: FNV-1a over both bytes, then mixed. */
export function hashUnits(text: string, start: number, end: number): number {
  let hash = FNV_OFFSET
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), FNV_PRIME)
    hash = Math.imul(hash ^ (unit >>> 8), FNV_PRIME)
  }
  return mix32(hash)
}

export const hashText = (text: string): number => hashUnits(text, 0, text.length)

/** The largest integer whose square is at most `value`, an integer below 2^52. */
export function integerSqrt(value: number): number {
  if (value < 2) return value
  let root = powerOfTwo(Math.ceil(bitLength(value) / 2)) // starts above the root, so the iteration only falls
  for (;;) {
    const next = Math.floor((root + Math.floor(value / root)) / 2)
    if (next >= root) return root
    root = next
  }
}

const TWO_TO_32 = 4_294_967_296

/** Binary digits of a non-negative integer. */
export function bitLength(value: number): number {
  const high = Math.floor(value / TWO_TO_32)
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(value >>> 0)
}

/** By doubling: the language lets `**` be approximate. */
function powerOfTwo(exponent: number): number {
  let power = 1
  for (let left = exponent; left > 0; left -= 1) power *= 2
  return power
}

/** The quotient to the nearest integer, halves away from zero; `divisor` is positive. */
export function divideRounded(value: number, divisor: number): number {
  const size = Math.floor((2 * Math.abs(value) + divisor) / (2 * divisor))
  return value < 0 ? -size : size
}

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
