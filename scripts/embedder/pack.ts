import { writeFileSync } from 'node:fs'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { hashText } from '../../src/recall/embed/integers.ts'
import { type WordRow, writeWordTable } from '../../src/recall/embed/word-table.ts'
import { rowAt } from './matrix.ts'
import { DIMENSION, readStart } from './start.ts'

/** Makes `assets/words.bin` of what `prepare` left in the folder. */

const UNKNOWN_SHARE = 0.7 // length of an unknown word's vector, in lengths of a usual vector
const WEIGHT_MAX = 4_095
const COMPONENT_MAX = 127
const RARITY_STEPS = 8 // to one bit

const [folder, output = 'assets/words.bin'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node scripts/embedder/pack.ts <folder> [output]')
  process.exit(2)
}

const { words, vectors } = readStart(folder)
const weighted = words.map(({ word, probability, weight }, row) => {
  const vector = rowAt(vectors, row)
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return { word, probability, vector, largest, factor: weight * largest }
})
// The weight holds both how much a word counts and the value of one step of its int8.
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
// Of two words with one hash the more used is kept.
const distinct = [...new Map([...rows].reverse().map((row) => [row.hash, row])).values()]
const bytes = writeWordTable({ dimension: DIMENSION, unknownWeight, rows: distinct })
writeFileSync(output, bytes)
console.log(
  `${output}: ${distinct.length} words, ${bytes.length} bytes, SHA-256 ${nodeSha256(bytes)}`,
)
