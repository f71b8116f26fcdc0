import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Matrix, meanSquare } from './matrix.ts'

/** A word of the table with everything that `pack` has to know of it. */
export interface StartWord {
  readonly word: string
  /** Share of all words of a text that are this word. */
  readonly probability: number
  /** How much the word counts in the mean of a text. */
  readonly weight: number
}

export const DIMENSION = 160
const SIF_A = 1e-3 // a word of this probability counts half
const NAME_WEIGHT = 0.3 // a name says of whom a text is, not of what; search has names by their letters

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

/** The vectors have a usual length of 1. */
export function readStart(folder: string): {
  readonly words: readonly StartWord[]
  readonly vectors: Matrix
} {
  const words = JSON.parse(readFileSync(path.join(folder, LIST), 'utf8')) as readonly StartWord[]
  const bytes = readFileSync(path.join(folder, ROWS))
  const rows = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const vectors = { rows: words.length, columns: DIMENSION, values: Float64Array.from(rows) }
  const roots = Float64Array.from(words, ({ probability }) => Math.sqrt(probability))
  const usual = Math.sqrt(meanSquare(vectors, roots))
  return { words, vectors: { ...vectors, values: vectors.values.map((value) => value / usual) } }
}
