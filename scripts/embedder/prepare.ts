import { givenNames } from './given-names.ts'
import {
  addScaled,
  dot,
  leading,
  type Matrix,
  matrix,
  meanRow,
  meanSquare,
  rowAt,
  secondMoments,
} from './matrix.ts'
import {
  encoderVectors,
  GLOVE_DIMENSION,
  gloveWords,
  type SourceWord,
  USE_DIMENSION,
} from './sources.ts'
import { DIMENSION, sifOf, writeStart } from './start.ts'

/** Puts the words and the vectors that training starts from into the folder; see docs/embedder.md. */

const WHOLE_WORDS = 12_000
const STEMS = 14_000
const COMMON_DIRECTIONS = 2 // taken out: every sentence has them in common
const ENCODER_SHARE = 1.5 // size of the encoder's vectors beside GloVe's
const EVENING = 0.5 // 0 leaves directions as strong as they are, 1 makes all equally strong

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

/**
 * If words came one by one with their probabilities, the mean of a sentence would lean towards
 * Σ p·sif·v and vary most along the first direction of Σ p·sif²·v·vᵀ. Neither tells sentences
 * apart, so both are taken out; then the strongest directions are kept, and evened.
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

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node scripts/embedder/prepare.ts <folder with node_modules>')
  process.exit(2)
}

const words = gloveWords(folder, { whole: WHOLE_WORDS, stems: STEMS })
const encoded = await encoderVectors(
  folder,
  words.map(({ spelt }) => spelt),
)
const probabilities = Float64Array.from(words, ({ probability }) => probability)
const vectors = projected(joined(words, encoded), probabilities, probabilities.map(sifOf))
const names = givenNames(folder, words, vectors)
writeStart(folder, { words, names, vectors })
console.log(`${words.length} words, ${names.filter(Boolean).length} of them given names`)
