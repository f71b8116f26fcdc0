import { likest } from '../../src/recall/embed/likeness.ts'
import type { Print } from '../../src/recall/embed/print.ts'

/** The hashes of a print's words, in the order of the text. */
export const hashesIn = (print: Print): readonly number[] =>
  [...print].filter((_, at) => at > 0 && at % 2 === 0)

/** The score of two texts; null where they differ in meaning. */
export const likenessOf = (said: Print, source: Print): number | null =>
  likest(said, [{ ref: 'source', print: source }], 1)[0]?.score ?? null
