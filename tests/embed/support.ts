import { hashText } from '../../src/recall/embed/integers.ts'
import { type WordRow, writeWordTable } from '../../src/recall/embed/word-table.ts'

/** A small table, so that what is looked at does not hang on the large one. */
export function smallTable(
  words: Readonly<Record<string, readonly number[]>>,
  { dimension = 4, unknownWeight = 50 }: { dimension?: number; unknownWeight?: number } = {},
): Uint8Array {
  const rows = Object.entries(words).map(
    ([word, vector]): WordRow => ({ hash: hashText(word), weight: 10, rarity: 80, vector }),
  )
  return writeWordTable({ dimension, unknownWeight, rows })
}

/** The same integers every time it is asked with the same seed. */
export function pseudoRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
