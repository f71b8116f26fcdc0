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
export function powerOfTwo(exponent: number): number {
  let power = 1
  for (let left = exponent; left > 0; left -= 1) power *= 2
  return power
}

/** The quotient to the nearest integer, halves away from zero; `divisor` is positive. */
export function divideRounded(value: number, divisor: number): number {
  const size = Math.floor((2 * Math.abs(value) + divisor) / (2 * divisor))
  return value < 0 ? -size : size
}
