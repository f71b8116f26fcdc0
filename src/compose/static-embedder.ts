import { existsSync, readFileSync } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import { WORD_TABLE_SHA256 } from '../domain/word-table.ts'
import { type TextEmbedder, textEmbedder } from '../recall/embed/text-embedder.ts'
import { readWordTable } from '../recall/embed/word-table.ts'
import { nodeSha256 } from './node-world.ts'

/** Where it lies as seen from this file, and from the bundled program, which lies a folder deeper. */
const WORD_TABLES = ['../../assets/words.bin', '../../../assets/words.bin']
const ID_DIGITS = 12
const WORDS_CUT = 2 // raised when `domain/terms` makes other words of a text

let loaded: TextEmbedder | undefined

/** The embedder that comes with the package. Its table is read when it is first asked for. */
export function staticEmbedder(): TextEmbedder {
  loaded ??= loadStaticEmbedder()
  return loaded
}

function loadStaticEmbedder(): TextEmbedder {
  const bytes = readWords()
  if (nodeSha256(bytes) !== WORD_TABLE_SHA256)
    throw new MunimentError('data_loss', 'The table of word vectors is not the one shipped.', {
      hint: 'Install the package again.',
      facts: { expected: WORD_TABLE_SHA256 },
    })
  return textEmbedder(
    readWordTable(bytes),
    `muniment-words-${WORD_TABLE_SHA256.slice(0, ID_DIGITS)}-${WORDS_CUT}`,
  )
}

function readWords(): Uint8Array {
  const places = WORD_TABLES.map((path) => new URL(path, import.meta.url))
  const place = places.find((url) => existsSync(url))
  if (place) return readFileSync(place)
  throw new MunimentError('data_loss', 'The table of word vectors is missing.', {
    hint: 'Install the package again.',
  })
}
