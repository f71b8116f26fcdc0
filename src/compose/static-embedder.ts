import { readFileSync } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import { type TextEmbedder, textEmbedder } from '../embed/text-embedder.ts'
import { readWordTable } from '../embed/word-table.ts'
import { nodeSha256 } from './node-world.ts'

/** The one table this version was made with: vectors of another would not compare. */
export const WORD_TABLE_SHA256 = '2a03ea7785acf15052410064b11925b639b30016c4c73342804071129d72b7a5'
const WORD_TABLE = new URL('../../assets/words.bin', import.meta.url)
const ID_DIGITS = 12

let loaded: TextEmbedder | undefined

/** The embedder that comes with the package. Its table is read when it is first asked for. */
export function staticEmbedder(): TextEmbedder {
  loaded ??= loadStaticEmbedder()
  return loaded
}

function loadStaticEmbedder(): TextEmbedder {
  const bytes = readFileSync(WORD_TABLE)
  if (nodeSha256(bytes) !== WORD_TABLE_SHA256)
    throw new MunimentError('data_loss', 'The table of word vectors is not the one shipped.', {
      hint: 'Install the package again.',
      facts: { expected: WORD_TABLE_SHA256 },
    })
  return textEmbedder(
    readWordTable(bytes),
    `muniment-words-${WORD_TABLE_SHA256.slice(0, ID_DIGITS)}`,
  )
}
