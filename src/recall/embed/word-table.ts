import { MunimentError } from '../../domain/errors.ts'
import { hashText } from './integers.ts'

/**
 * File format of the word vectors; numbers are little-endian:
 *
 *   8 bytes   the letters MUNIWORD
 *   4 × u32   format (1), words, dimension, weight of an unknown word
 *   u32 each  hash of the word, rising
 *   u16 each  weight: how much the word counts, and the scale of its vector, in one factor
 *   u8 each   rarity: eighths of a bit of information, by frequency of use
 *   i8 each   the vector, one word after another
 */
export interface WordTable {
  readonly dimension: number
  readonly words: number
  readonly unknownWeight: number
  readonly weights: Uint16Array
  readonly rarities: Uint8Array
  readonly vectors: Int8Array
  /**
   * Row of the word, or -1. Hashes stand for words: about 1 in 100,000 unknown words collides with
   * a known word.
   */
  rowOf(word: string): number
}

const MAGIC = 'MUNIWORD'
const FORMAT = 1
const HEADER_BYTES = MAGIC.length + 16

export function readWordTable(bytes: Uint8Array): WordTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = readHeader(view)
  const { words, dimension } = header
  const weightsAt = HEADER_BYTES + 4 * words
  const raritiesAt = weightsAt + 2 * words
  const { hashes, weights } = columnsOf(bytes, { words, weightsAt })
  const vectorsAt = bytes.byteOffset + raritiesAt + words
  const find = finder(hashes)
  return {
    ...header,
    weights,
    rarities: bytes.subarray(raritiesAt, raritiesAt + words),
    vectors: new Int8Array(bytes.buffer, vectorsAt, words * dimension),
    rowOf: (word) => find(hashText(word)),
  }
}

function readHeader(view: DataView): {
  readonly words: number
  readonly dimension: number
  readonly unknownWeight: number
} {
  const whole = view.byteLength >= HEADER_BYTES
  for (let at = 0; whole && at < MAGIC.length; at += 1)
    if (view.getUint8(at) !== MAGIC.charCodeAt(at)) throw notATable('its first letters are others')
  if (!whole) throw notATable('it ends within its header')
  const [format = 0, words = 0, dimension = 0, unknownWeight = 0] = [0, 4, 8, 12].map((at) =>
    view.getUint32(MAGIC.length + at, true),
  )
  if (format !== FORMAT) throw notATable(`its format is ${format}, not ${FORMAT}`)
  const bytes = HEADER_BYTES + words * (4 + 2 + 1 + dimension)
  if (view.byteLength !== bytes)
    throw notATable(`it has ${view.byteLength} bytes where its header tells of ${bytes}`)
  return { words, dimension, unknownWeight }
}

interface Columns {
  readonly hashes: Uint32Array
  readonly weights: Uint16Array
}

/** On machines with the file's byte order, the columns are used in place. */
function columnsOf(
  bytes: Uint8Array,
  { words, weightsAt }: { readonly words: number; readonly weightsAt: number },
): Columns {
  const { buffer, byteOffset } = bytes
  if (IS_LITTLE_ENDIAN && byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0)
    return {
      hashes: new Uint32Array(buffer, byteOffset + HEADER_BYTES, words),
      weights: new Uint16Array(buffer, byteOffset + weightsAt, words),
    }
  const view = new DataView(buffer, byteOffset)
  return {
    hashes: Uint32Array.from({ length: words }, (_, row) =>
      view.getUint32(HEADER_BYTES + 4 * row, true),
    ),
    weights: Uint16Array.from({ length: words }, (_, row) =>
      view.getUint16(weightsAt + 2 * row, true),
    ),
  }
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/**
 * Hashes rise and are spread evenly, so a hash predicts its own position and a few looks find the
 * row. A prebuilt index would not pay off in a process that looks up ten words.
 */
function finder(hashes: Uint32Array): (hash: number) => number {
  return (hash) => {
    let low = 0
    let high = hashes.length - 1
    while (low <= high) {
      const [first = 0, last = 0] = [hashes[low], hashes[high]]
      if (hash < first || hash > last) return -1
      const share = last === first ? 0 : (hash - first) / (last - first)
      const at = low + Math.floor(share * (high - low))
      const met = hashes[at] ?? 0
      if (met === hash) return at
      if (met < hash) low = at + 1
      else high = at - 1
    }
    return -1
  }
}

/** Writes the bytes that `readWordTable` reads; rows may come in any order, hashes must differ. */
export function writeWordTable(table: {
  readonly dimension: number
  readonly unknownWeight: number
  readonly rows: readonly WordRow[]
}): Uint8Array {
  const rows = [...table.rows].sort((a, b) => a.hash - b.hash)
  const { dimension } = table
  const bytes = new Uint8Array(HEADER_BYTES + rows.length * (7 + dimension))
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < MAGIC.length; at += 1) view.setUint8(at, MAGIC.charCodeAt(at))
  const header = [FORMAT, rows.length, dimension, table.unknownWeight]
  header.forEach((value, at) => {
    view.setUint32(MAGIC.length + 4 * at, value, true)
  })
  const weightsAt = HEADER_BYTES + 4 * rows.length
  const raritiesAt = weightsAt + 2 * rows.length
  const vectorsAt = raritiesAt + rows.length
  rows.forEach(({ hash, weight, rarity, vector }, row) => {
    if (hash === rows[row - 1]?.hash) throw notATable('two of its words have one hash')
    view.setUint32(HEADER_BYTES + 4 * row, hash, true)
    view.setUint16(weightsAt + 2 * row, weight, true)
    view.setUint8(raritiesAt + row, rarity)
    for (let at = 0; at < dimension; at += 1)
      view.setInt8(vectorsAt + row * dimension + at, vector[at] ?? 0)
  })
  return bytes
}

export interface WordRow {
  readonly hash: number
  readonly weight: number
  readonly rarity: number
  readonly vector: ArrayLike<number>
}

const notATable = (why: string): MunimentError =>
  new MunimentError('data_loss', `The table of word vectors cannot be read: ${why}.`, {
    hint: 'Install the package again.',
  })
