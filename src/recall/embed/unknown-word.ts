import { hashText, hashUnits, integerSqrt, mix32 } from './integers.ts'

const PIECE_UNITS_MIN = 3
const PIECE_UNITS_MAX = 4
const HASH_BITS = 32

/**
 * Adds a vector for a word outside the table, made from the spelling: the word and each piece of
 * three and four letters give a hash, and each hash gives a direction of plus and minus ones. Equal
 * names give equal vectors, a misspelt name a near vector, another name a distant vector. The
 * result is added to `sums`, times `weight`.
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
  // The whole word counts as much as all of its pieces together.
  const share = integerSqrt(pieces)
  addDirection(hashText(framed), share, scratch)
  const length = integerSqrt(pieces + share * share)
  for (let at = 0; at < sums.length; at += 1)
    sums[at] = (sums[at] ?? 0) + Math.trunc((weight * (scratch[at] ?? 0)) / length)
}

/**
 * Adds plus or minus `by` to every component, as the bits say; each 32 components get fresh bits.
 */
function addDirection(hash: number, by: number, into: Int32Array): void {
  let bits = hash
  for (let at = 0; at < into.length; at += 1) {
    if (at % HASH_BITS === 0) bits = mix32(hash + at)
    into[at] = (into[at] ?? 0) + (bits & 1 ? by : -by)
    bits >>>= 1
  }
}
