import { writeFileSync } from 'node:fs'
import { nodeSha256 } from '../src/compose/node-world.ts'
import { hashText } from '../src/recall/embed/integers.ts'
import { type WordRow, writeWordTable } from '../src/recall/embed/word-table.ts'
import {
  addScaled,
  dot,
  leading,
  type Matrix,
  matrix,
  meanRow,
  rowAt,
  secondMoments,
} from './word-table/matrix.ts'
import {
  encoderVectors,
  GLOVE_DIMENSION,
  gloveWords,
  type SourceWord,
  USE_DIMENSION,
} from './word-table/sources.ts'

/** Makes `assets/words.bin`; docs/embedder.md says from what, and why so. */

const WHOLE_WORDS = 12_000
const STEMS = 14_000
const DIMENSION = 160
const SIF_A = 1e-3 // a word of this probability counts half
const COMMON_DIRECTIONS = 2 // taken out: what every sentence has in common
const ENCODER_SHARE = 1.5 // size of the encoder's vectors beside GloVe's
const EVENING = 0.5 // 0 leaves directions as strong as they are, 1 makes all equally strong
const UNKNOWN_SHARE = 0.7 // length of an unknown word's vector, in lengths of a usual one
const WEIGHT_MAX = 4_095
const COMPONENT_MAX = 127
const RARITY_STEPS = 8 // to one bit

function tableOf(words: readonly SourceWord[], encoded: Float32Array) {
  const probabilities = Float64Array.from(words, ({ probability }) => probability)
  const sif = probabilities.map((p) => SIF_A / (SIF_A + p))
  const vectors = projected(joined(words, encoded), probabilities, sif)
  const usual = Math.sqrt(meanSquare(vectors, probabilities.map(Math.sqrt)))
  const weighted = words.map(({ word, probability }, row) => {
    const vector = rowAt(vectors, row)
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    return { word, probability, vector, largest, factor: (sif[row] ?? 0) * (largest / usual) }
  })
  // The weight holds both how much a word counts and what one step of its int8 stands for.
  const factorMax = weighted.reduce((most, { factor }) => Math.max(most, factor), 0)
  const rows = weighted.map(
    ({ word, probability, vector, largest, factor }): WordRow => ({
      hash: hashText(word),
      weight: Math.max(1, Math.round((WEIGHT_MAX * factor) / factorMax)),
      rarity: Math.min(255, Math.round(-RARITY_STEPS * Math.log2(probability))),
      vector: vector.map((value) => Math.round((COMPONENT_MAX * value) / largest)),
    }),
  )
  const unknownWeight = Math.round(
    (UNKNOWN_SHARE * COMPONENT_MAX * WEIGHT_MAX) / factorMax / Math.sqrt(DIMENSION),
  )
  return { dimension: DIMENSION, unknownWeight, rows: distinct(rows) }
}

/** The more used of two words with one hash. */
const distinct = (rows: readonly WordRow[]): readonly WordRow[] => [
  ...new Map([...rows].reverse().map((row) => [row.hash, row])).values(),
]

/** Both sources side by side, each centred and of one mean size, the encoder's then enlarged. */
function joined(words: readonly SourceWord[], encoded: Float32Array): Matrix {
  const both = matrix(words.length, GLOVE_DIMENSION + USE_DIMENSION)
  const glove = evenSized(words.length, GLOVE_DIMENSION, (row, at) => words[row]?.glove[at] ?? 0)
  const encoder = evenSized(
    words.length,
    USE_DIMENSION,
    (row, at) => encoded[row * USE_DIMENSION + at] ?? 0,
  )
  for (let row = 0; row < words.length; row += 1) {
    rowAt(both, row).set(rowAt(glove, row))
    rowAt(both, row).set(
      rowAt(encoder, row).map((value) => ENCODER_SHARE * value),
      GLOVE_DIMENSION,
    )
  }
  return both
}

function evenSized(rows: number, columns: number, value: (row: number, at: number) => number) {
  const even = matrix(rows, columns)
  for (let row = 0; row < rows; row += 1)
    for (let at = 0; at < columns; at += 1) even.values[row * columns + at] = value(row, at)
  const alike = new Float64Array(rows).fill(1)
  const mean = meanRow(even, alike)
  for (let row = 0; row < rows; row += 1) addScaled(rowAt(even, row), -1, mean)
  const size = Math.sqrt(meanSquare(even, alike))
  even.values.forEach((each, at) => {
    even.values[at] = each / size
  })
  return even
}

function meanSquare(of: Matrix, weights: Float64Array): number {
  let sum = 0
  for (let row = 0; row < of.rows; row += 1)
    sum += (weights[row] ?? 0) * dot(rowAt(of, row), rowAt(of, row))
  return sum / weights.reduce((total, weight) => total + weight, 0)
}

/**
 * If words came one by one with their probabilities, the mean of a sentence would lean towards
 * Σ p·sif·v and vary most along the first direction of Σ p·sif²·v·vᵀ. Both tell sentences apart
 * from nothing and are taken out; then the strongest directions are kept, and evened.
 */
function projected(vectors: Matrix, probabilities: Float64Array, sif: Float64Array): Matrix {
  const mean = meanRow(vectors, product(probabilities, sif))
  for (let row = 0; row < vectors.rows; row += 1) addScaled(rowAt(vectors, row), -1, mean)
  const spread = secondMoments(vectors, product(probabilities, sif, sif))
  const common = leading(spread, COMMON_DIRECTIONS).directions
  for (let row = 0; row < vectors.rows; row += 1)
    for (let at = 0; at < COMMON_DIRECTIONS; at += 1) {
      const values = rowAt(vectors, row)
      addScaled(values, -dot(values, rowAt(common, at)), rowAt(common, at))
    }
  const kept = secondMoments(vectors, product(probabilities.map(Math.sqrt), sif, sif))
  const { directions, strengths } = leading(kept, DIMENSION)
  const short = matrix(vectors.rows, DIMENSION)
  for (let row = 0; row < vectors.rows; row += 1)
    for (let at = 0; at < DIMENSION; at += 1)
      short.values[row * DIMENSION + at] =
        dot(rowAt(vectors, row), rowAt(directions, at)) / (strengths[at] ?? 1) ** (EVENING / 2)
  return short
}

const product = (first: Float64Array, ...rest: readonly Float64Array[]): Float64Array =>
  first.map((value, at) => rest.reduce((all, each) => all * (each[at] ?? 0), value))

const [folder, output = 'assets/words.bin'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node scripts/build-word-table.ts <folder with node_modules> [output]')
  process.exit(2)
}

const words = gloveWords(folder, { whole: WHOLE_WORDS, stems: STEMS })
const encoded = await encoderVectors(
  folder,
  words.map(({ spelt }) => spelt),
)
const bytes = writeWordTable(tableOf(words, encoded))
writeFileSync(output, bytes)
console.log(`${output}: ${words.length} words, ${bytes.length} bytes, SHA-256 ${nodeSha256(bytes)}`)
