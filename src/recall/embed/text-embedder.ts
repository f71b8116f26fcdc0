import { tellingWords, termOf } from '../../domain/words/terms.ts'
import type { Embedder } from '../../ports/models.ts'
import { hashText, hashUnits, integerSqrt, mix32, writeUnitVector } from './integers.ts'
import type { WordTable } from './word-table.ts'

const PIECE_UNITS_MIN = 3
const PIECE_UNITS_MAX = 4
const HASH_BITS = 32

/**
 * Adds a vector for a word outside the table, made from the spelling: the word and each piece of
 * three and four letters give a hash, and each hash gives a direction of plus and minus ones. Equal
 * names give equal vectors, a misspelt name a near vector, another name a distant vector. The
 * result is added to `sums`, times `weight`.
 */
function addUnknownWord(
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

/** Text to vector, synchronously and in this process. */
export interface TextEmbedder {
  /** Id of the table; vectors of different tables are never compared. */
  readonly id: string
  readonly dimension: number
  /** int8, of the length that `vectorLength` gives; all zero for a text without words. */
  embed(text: string): Int8Array
  /** Writes the vector into a larger array. */
  embedInto(text: string, into: Int8Array, offset: number): void
  /**
   * False for a sentence with more unknown than known words: probably of a language that the table
   * does not hold. A few words may be names, whose spelling still finds misspelt ones.
   */
  understands(text: string): boolean
  /** Eighths of a bit of information by the rarity of a folded, unstemmed word. */
  rarityOf(word: string): number
}

const WORDS_MAX = 8_192 // distinct words of a text that count; more words hardly change a mean
const SENTENCE_MIN = 4 // words
const KNOWN_MIN = 0.62 // share of a sentence's words
const UNKNOWN_RARITY = 160 // a word in a million, about the rarity that the table leaves out

/**
 * The weighted mean of the vectors of a text's distinct telling words. Rare words weigh more (SIF:
 * a / (a + p) for a word of probability p). The table was made without the component common to all
 * sentences, so no mean holds the component either. Only integers: equal texts give equal bytes on
 * every machine.
 */
export function textEmbedder(table: WordTable, id: string): TextEmbedder {
  const { dimension } = table
  const sums = new Float64Array(dimension)
  const scratch = new Int32Array(dimension)
  const add = (word: string): void => {
    const row = rowOf(table, word)
    if (row < 0) addUnknownWord(word, { sums, weight: table.unknownWeight, scratch })
    else addRow(table, row, sums)
  }
  const embedInto = (text: string, into: Int8Array, offset: number): void => {
    sums.fill(0)
    for (const word of [...new Set(tellingWords(text))].slice(0, WORDS_MAX)) add(word)
    writeUnitVector(sums, into, offset)
  }
  return {
    id,
    dimension,
    embedInto,
    understands: (text) => {
      const words = [...new Set(tellingWords(text))]
      const known = words.filter((word) => rowOf(table, word) >= 0)
      return words.length < SENTENCE_MIN || known.length >= KNOWN_MIN * words.length
    },
    rarityOf: (word) => table.rarities[rowOf(table, word)] ?? UNKNOWN_RARITY,
    embed: (text) => {
      const vector = new Int8Array(dimension)
      embedInto(text, vector, 0)
      return vector
    },
  }
}

/** The row of the word, else of the stem, else -1. */
function rowOf(table: WordTable, word: string): number {
  const row = table.rowOf(word)
  return row < 0 ? table.rowOf(termOf(word)) : row
}

function addRow({ dimension, vectors, weights }: WordTable, row: number, sums: Float64Array): void {
  const weight = weights[row] ?? 0
  const start = row * dimension
  for (let at = 0; at < dimension; at += 1)
    sums[at] = (sums[at] ?? 0) + weight * (vectors[start + at] ?? 0)
}

/** The built-in text embedder behind the port of all providers. */
export function builtInEmbedder(embedder: TextEmbedder): Embedder {
  const { id, dimension } = embedder
  return {
    id,
    dimension,
    embed: async (texts, { signal } = {}) => {
      const values = new Int8Array(texts.length * dimension)
      for (const [at, text] of texts.entries()) {
        signal?.throwIfAborted()
        embedder.embedInto(text, values, at * dimension)
      }
      return { embedder: id, dimension, count: texts.length, values }
    },
  }
}
