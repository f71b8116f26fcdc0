import { MunimentError } from '../../domain/errors.ts'
import type { KindMember } from '../../domain/words/search.ts'

/**
 * File format of the table of kinds; numbers are little-endian:
 *
 *   8 bytes   the letters MUNIKIND
 *   4 × u32   format (1), kinds, members, bytes of the words
 *   u32 each  the first member of a kind, and behind the last kind the number of members
 *   u16 each  number of a kind's words, including omitted words
 *   u16 each  a kind's word, in the order of the alphabet; then each member's word
 *   u8 each   a member's strength, of 255
 *   the words, in UTF-8, a space between
 */
export interface KindTable {
  /** Words that name a kind of the term, most used first. */
  membersOf(term: string): readonly KindMember[]
}

export interface KindRow {
  readonly kind: string
  /** Members, including omitted ones: a kind of many words tells little. */
  readonly size: number
  readonly members: readonly { readonly term: string; readonly strength: number }[]
}

const MAGIC = 'MUNIKIND'
const FORMAT = 1
const HEADER_BYTES = MAGIC.length + 16
const STRENGTH_STEPS = 255
const SIZE_TELLING_NOTHING = 8_000 // members; a kind with a single member tells most

export function writeKindTable(rows: readonly KindRow[]): Uint8Array {
  const words = [
    ...new Set(rows.flatMap(({ kind, members }) => [kind, ...members.map((m) => m.term)])),
  ]
  words.sort((a, b) => (a < b ? -1 : 1))
  const numbers = new Map(words.map((word, at) => [word, at]))
  const members = rows.flatMap((row) => row.members)
  const text = new TextEncoder().encode(words.join(' '))
  const places = placesOf({ kinds: rows.length, members: members.length })
  const bytes = new Uint8Array(places.text + text.length)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < MAGIC.length; at += 1) view.setUint8(at, MAGIC.charCodeAt(at))
  for (const [at, value] of [FORMAT, rows.length, members.length, text.length].entries())
    view.setUint32(MAGIC.length + 4 * at, value, true)
  let first = 0
  for (const [at, row] of rows.entries()) {
    view.setUint32(places.starts + 4 * at, first, true)
    view.setUint16(places.sizes + 2 * at, row.size, true)
    view.setUint16(places.kinds + 2 * at, numbers.get(row.kind) ?? 0, true)
    first += row.members.length
  }
  view.setUint32(places.starts + 4 * rows.length, first, true)
  for (const [at, { term, strength }] of members.entries()) {
    view.setUint16(places.members + 2 * at, numbers.get(term) ?? 0, true)
    view.setUint8(places.strengths + at, strength)
  }
  bytes.set(text, places.text)
  return bytes
}

function placesOf({ kinds, members }: { readonly kinds: number; readonly members: number }) {
  const starts = HEADER_BYTES
  const sizes = starts + 4 * (kinds + 1)
  const own = sizes + 2 * kinds
  const membersAt = own + 2 * kinds
  const strengths = membersAt + 2 * members
  return { starts, sizes, kinds: own, members: membersAt, strengths, text: strengths + members }
}

export function readKindTable(bytes: Uint8Array): KindTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { kinds, members, textBytes } = readHeader(view)
  const places = placesOf({ kinds, members })
  if (view.byteLength !== places.text + textBytes) throw notATable('its length is another')
  const words = new TextDecoder().decode(bytes.subarray(places.text)).split(' ')
  const wordAt = (place: number): string => words[view.getUint16(place, true)] ?? ''
  const rows = new Map(
    Array.from({ length: kinds }, (_, row) => [wordAt(places.kinds + 2 * row), row]),
  )
  return {
    membersOf(term) {
      const row = rows.get(term)
      if (row === undefined) return []
      const [start, end] = [0, 4].map((by) => view.getUint32(places.starts + 4 * row + by, true))
      const size = view.getUint16(places.sizes + 2 * row, true)
      const tells = Math.sqrt(1 - Math.log(size) / Math.log(SIZE_TELLING_NOTHING))
      return Array.from({ length: (end ?? 0) - (start ?? 0) }, (_, by) => {
        const at = (start ?? 0) + by
        const strength = view.getUint8(places.strengths + at) / STRENGTH_STEPS
        return { term: wordAt(places.members + 2 * at), strength: tells * strength }
      })
    },
  }
}

function readHeader(view: DataView) {
  const isWhole = view.byteLength >= HEADER_BYTES
  for (let at = 0; isWhole && at < MAGIC.length; at += 1)
    if (view.getUint8(at) !== MAGIC.charCodeAt(at)) throw notATable('its first letters are others')
  if (!isWhole) throw notATable('it ends within its header')
  const [format = 0, kinds = 0, members = 0, textBytes = 0] = [0, 4, 8, 12].map((at) =>
    view.getUint32(MAGIC.length + at, true),
  )
  if (format !== FORMAT) throw notATable(`its format is ${format}, not ${FORMAT}`)
  return { kinds, members, textBytes }
}

const notATable = (why: string): MunimentError =>
  new MunimentError('data_loss', `The table of kinds cannot be read: ${why}.`, {
    hint: 'Install the package again.',
  })
