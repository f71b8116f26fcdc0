import { tellingWords, termOf } from '../../domain/words/terms.ts'
import { hashText, mix32 } from './integers.ts'

/**
 * Numbers of a fingerprint. Changing a number makes stored bands meaningless, so each number is
 * part of the id.
 */
export const SIGNATURE_HASHES = 64
export const BAND_HASHES = 2 // hashes that must agree for equal bands
export const FINGERPRINT_ID = `minhash-terms-${SIGNATURE_HASHES}x${BAND_HASHES}-1`
const GOLDEN = 0x9e3779b9 // steps that spread the seeds over 32 bits
const NOTHING = 0xffffffff // every hash of a text without words

export interface ShingleOptions {
  /** Names to leave out: "Ann plays chess" and "I play chess" then have equal words. */
  readonly names?: readonly string[]
}

/**
 * A text as a set of 32-bit integers, one for each term: case, punctuation, endings, order,
 * repetition, function words and the given names make no difference.
 */
export function shinglesOf(text: string, { names = [] }: ShingleOptions = {}): ReadonlySet<number> {
  const left = new Set(names.flatMap((name) => tellingWords(name).map(termOf)))
  const shingles = new Set<number>()
  for (const word of tellingWords(text)) {
    const term = termOf(word)
    if (!left.has(term)) shingles.add(hashText(term))
  }
  return shingles
}

/**
 * MinHash: for each of 64 orders of all integers, the first integer of the set. Two sets agree in a
 * place with the probability of their Jaccard similarity.
 */
export function signatureOf(shingles: ReadonlySet<number>): Uint32Array {
  const signature = new Uint32Array(SIGNATURE_HASHES).fill(NOTHING)
  for (const shingle of shingles)
    for (let at = 0; at < SIGNATURE_HASHES; at += 1) {
      const hash = mix32(shingle ^ Math.imul(at + 1, GOLDEN))
      if (hash < (signature[at] ?? NOTHING)) signature[at] = hash
    }
  return signature
}

/**
 * The signature cut into bands: 32-bit integers that include the band's place, for lookup by
 * equality. Sets of similarity s share one of 32 bands with probability 1 − (1 − s²)³². Empty for a
 * text without words, which resembles no other.
 */
export function bandsOf(signature: Uint32Array): readonly number[] {
  const bands: number[] = []
  if (signature.every((hash) => hash === NOTHING)) return bands
  for (let start = 0; start < signature.length; start += BAND_HASHES) {
    let band = mix32(start + 1)
    for (let at = start; at < start + BAND_HASHES; at += 1)
      band = mix32(band ^ (signature[at] ?? NOTHING))
    bands.push(band)
  }
  return bands
}

/** Jaccard similarity estimated from two signatures, in thousandths. */
export function estimatedSimilarity(a: Uint32Array, b: Uint32Array): number {
  let equal = 0
  for (let at = 0; at < SIGNATURE_HASHES; at += 1)
    if (a[at] === b[at] && a[at] !== NOTHING) equal += 1
  return Math.floor((equal * 1_000) / SIGNATURE_HASHES)
}

/** Jaccard similarity in thousandths: shared shingles as a share of all shingles. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const shared = countShared(a, b)
  const either = a.size + b.size - shared
  return either === 0 ? 0 : Math.floor((shared * 1_000) / either)
}

function countShared(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0
  for (const shingle of a) if (b.has(shingle)) shared += 1
  return shared
}

/** Information of a shingle, as an integer. */
export type ShingleWeight = (shingle: number) => number

/**
 * Share of `said` that `source` holds too, in thousandths: 1,000 when `said` adds no word. Every
 * word counts alike unless weights are given.
 */
export function containment(
  said: ReadonlySet<number>,
  source: ReadonlySet<number>,
  weightOf: ShingleWeight = () => 1,
): number {
  let shared = 0
  let all = 0
  for (const shingle of said) {
    const weight = weightOf(shingle)
    all += weight
    if (source.has(shingle)) shared += weight
  }
  return all === 0 ? 0 : Math.floor((shared * 1_000) / all)
}

/** Weights by the rarity of a text's words; `rarityOf` is the embedder's. */
export function rarityWeights(text: string, rarityOf: (word: string) => number): ShingleWeight {
  const weights = new Map<number, number>()
  for (const word of new Set(tellingWords(text))) {
    const shingle = hashText(termOf(word))
    weights.set(shingle, Math.max(rarityOf(word), weights.get(shingle) ?? 0))
  }
  return (shingle) => weights.get(shingle) ?? 0
}
