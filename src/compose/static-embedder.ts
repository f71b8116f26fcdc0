import { WORD_TABLE_SHA256 } from '../domain/words/search.ts'
import { type TextEmbedder, textEmbedder } from '../recall/embed/text-embedder.ts'
import { readWordTable } from '../recall/embed/word-table.ts'
import { readAsset } from './asset.ts'

const ID_DIGITS = 12
const WORDS_CUT = 2 // raised when `domain/terms` makes other words of a text

let loaded: TextEmbedder | undefined

/** The embedder that comes with the package. Its table is read when it is first asked for. */
export function staticEmbedder(): TextEmbedder {
  loaded ??= textEmbedder(
    readWordTable(readAsset('words.bin', WORD_TABLE_SHA256)),
    `muniment-words-${WORD_TABLE_SHA256.slice(0, ID_DIGITS)}-${WORDS_CUT}`,
  )
  return loaded
}
