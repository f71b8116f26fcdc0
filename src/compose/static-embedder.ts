import { existsSync, readFileSync } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import { KIND_TABLE_SHA256, WORD_TABLE_SHA256 } from '../domain/words/search.ts'
import type { Meaning } from '../ports/models.ts'
import { type KindTable, readKindTable } from '../recall/embed/kind-table.ts'
import { type TextEmbedder, textEmbedder } from '../recall/embed/text-embedder.ts'
import { readWordTable } from '../recall/embed/word-table.ts'
import { nodeSha256 } from './node-world.ts'

/** The folder as seen from this file, and from the bundled program, which lies a folder deeper. */
const FOLDERS = ['../../assets/', '../../../assets/']

/** A file of the package, checked against its hash. */
export function readAsset(name: string, sha256: string): Uint8Array {
  const places = FOLDERS.map((folder) => new URL(folder + name, import.meta.url))
  const place = places.find((url) => existsSync(url))
  const bytes = place && readFileSync(place)
  if (bytes === undefined)
    throw new MunimentError('data_loss', `The package has no assets/${name}.`, {
      hint: 'Install the package again.',
    })
  if (nodeSha256(bytes) !== sha256)
    throw new MunimentError('data_loss', `assets/${name} is not the file that was shipped.`, {
      hint: 'Install the package again.',
      facts: { expected: sha256 },
    })
  return bytes
}

const ID_DIGITS = 12
const WORDS_CUT = 2 // raised when `domain/terms` makes other words of a text

let embedder: TextEmbedder | undefined

/** The embedder of the package. The table is read at the first use. */
export function staticEmbedder(): TextEmbedder {
  embedder ??= textEmbedder(
    readWordTable(readAsset('words.bin', WORD_TABLE_SHA256)),
    `muniment-words-${WORD_TABLE_SHA256.slice(0, ID_DIGITS)}-${WORDS_CUT}`,
  )
  return embedder
}

let kinds: KindTable | undefined

/** The table of kinds that comes with the package, read when the first question is asked. */
export function staticKinds(): KindTable {
  kinds ??= readKindTable(readAsset('kinds.bin', KIND_TABLE_SHA256))
  return kinds
}

/** Tables of words are read for the first question, not for the opening of a stack. */
export const staticMeaning: Meaning = {
  get id() {
    return staticEmbedder().id
  },
  get dimension() {
    return staticEmbedder().dimension
  },
  embed: (text) => staticEmbedder().embed(text),
  understands: (text) => staticEmbedder().understands(text),
  membersOf: (term) => staticKinds().membersOf(term),
}
