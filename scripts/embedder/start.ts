import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { addUnknownWord } from '../../src/recall/embed/unknown-word.ts'
import { type Matrix, matrix, meanSquare, rowAt } from './matrix.ts'

/** A word of the table with everything that `pack` has to know of it. */
export interface StartWord {
  readonly word: string
  /** Share of all words of a text that are this word. */
  readonly probability: number
  /** How much the word counts in the mean of a text. */
  readonly weight: number
}

export const DIMENSION = 256
const SIF_A = 1e-3 // a word of this probability counts half
const NAME_WEIGHT = 0.2 // a name says of whom a text is, not of what; search has names by their letters
const SPELLING_SHARE = 0.2 // of a vector's square that is the word's own, made of its letters
const SPELLING_UNIT = 1e6 // integers that `addUnknownWord` adds up stand for so many times less

export const sifOf = (probability: number): number => SIF_A / (SIF_A + probability)

const LIST = 'start-words.json'
const ROWS = 'start-rows.f32'

export function writeStart(
  folder: string,
  found: {
    readonly words: readonly { readonly word: string; readonly probability: number }[]
    readonly names: readonly boolean[]
    readonly vectors: Matrix
  },
): void {
  const list = found.words.map(({ word, probability }, row) => ({
    word,
    probability,
    weight: sifOf(probability) * (found.names[row] ? NAME_WEIGHT : 1),
  }))
  writeFileSync(path.join(folder, LIST), JSON.stringify(list))
  writeFileSync(path.join(folder, ROWS), Float32Array.from(found.vectors.values))
}

/** Vectors of a usual length of 1, each partly what the word means and partly how it is spelt. */
export function readStart(folder: string): {
  readonly words: readonly StartWord[]
  readonly vectors: Matrix
} {
  const words = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as readonly StartWord[]
  const bytes = readFileSync(path.join(folder, ROWS))
  const values = Float64Array.from(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4))
  const vectors = { rows: words.length, columns: DIMENSION, values }
  const roots = Float64Array.from(words, ({ probability }) => Math.sqrt(probability))
  const usual = Math.sqrt(meanSquare(vectors, roots))
  const whole = matrix(vectors.rows, DIMENSION)
  words.forEach(({ word }, row) => {
    const spelling = spellingOf(word)
    const meaning = rowAt(vectors, row)
    rowAt(whole, row).forEach((_, at, into) => {
      into[at] =
        (Math.sqrt(1 - SPELLING_SHARE) * (meaning[at] ?? 0)) / usual +
        Math.sqrt(SPELLING_SHARE / DIMENSION) * (spelling[at] ?? 0)
    })
  })
  return { words, vectors: whole }
}

/** As the embedder makes a word that it does not know; components of about 1. */
function spellingOf(word: string): Float64Array {
  const sums = new Float64Array(DIMENSION)
  addUnknownWord(word, { sums, weight: SPELLING_UNIT, scratch: new Int32Array(DIMENSION) })
  return sums.map((sum) => sum / SPELLING_UNIT)
}
