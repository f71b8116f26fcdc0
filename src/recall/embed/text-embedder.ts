import { tellingWords, termOf } from '../../domain/words/terms.ts'
import { writeUnitVector } from './unit-vector.ts'
import { addUnknownWord } from './unknown-word.ts'
import type { WordTable } from './word-table.ts'

/** Text to vector, synchronously and in this process. */
export interface TextEmbedder {
  /** Id of the table; vectors of different tables are never compared. */
  readonly id: string
  readonly dimension: number
  /** int8, of the length that `vectorLength` gives; all zero for a text without words. */
  embed(text: string): Int8Array
  /** Writes the vector into a larger array. */
  embedInto(text: string, into: Int8Array, offset: number): void
  /** Eighths of a bit of information by the rarity of a folded, unstemmed word. */
  rarityOf(word: string): number
}

const WORDS_MAX = 8_192 // distinct words of a text that count; more words hardly change a mean
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
