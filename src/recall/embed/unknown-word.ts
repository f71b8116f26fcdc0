import { hashText, hashUnits, integerSqrt, mix32 } from './integers.ts'

const PIECE_UNITS_MIN = 3
const PIECE_UNITS_MAX = 4
const HASH_BITS = 32

/**
 * A word that the table does not have, by its spelling: the word itself and each of its pieces of
 * three and four letters are a hash, and each hash a direction of plus and minus ones. The same
 * name is always the same vector, a misspelt one near it, another one far away. Adds to `sums`,
 * times `weight`.
 */
export function addUnknownWord(
  word: string,
  { sums, weight, scratch }: { sums: Float64Array; weight: number; scratch: Int32Array },
): void {
  const framed = `<${word}>`
  scratch.fill(0)
  let pieces = 0
  for (let units = PIECE_UNITS_MIN; units <= PIECE_UNITS_MAX; units += 1)
    for (let at = 0; at + units <= framed.length; at += 1) {
      addDirection(hashUnits(framed, at, at + units), 1, scratch)
      pieces += 1
    }
  // The word as a whole says as much as all of its pieces.
  const share = integerSqrt(pieces)
  addDirection(hashText(framed), share, scratch)
  const length = integerSqrt(pieces + share * share)
  for (let at = 0; at < sums.length; at += 1)
    sums[at] = (sums[at] ?? 0) + Math.trunc((weight * (scratch[at] ?? 0)) / length)
}

/** Plus or minus `by` to every component, as the bits say; each 32 components have fresh bits. */
function addDirection(hash: number, by: number, into: Int32Array): void {
  let bits = hash
  for (let at = 0; at < into.length; at += 1) {
    if (at % HASH_BITS === 0) bits = mix32(hash + at)
    into[at] = (into[at] ?? 0) + (bits & 1 ? by : -by)
    bits >>>= 1
  }
}
