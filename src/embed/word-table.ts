import { MunimentError } from '../domain/errors.ts'
import { hashText } from './integers.ts'

/**
 * The table of word vectors, as it lies in its file; numbers are little-endian:
 *
 *   8 bytes   the letters MUNIWORD
 *   4 × u32   format (1), words, dimension, weight of an unknown word
 *   u32 each  hash of the word, rising
 *   u16 each  weight: how much the word counts, and the scale of its vector, in one factor
 *   u8 each   rarity: eighths of a bit of what the word tells, by how often it is used
 *   i8 each   the vector, one word after another
 */
export interface WordTable {
  readonly dimension: number
  readonly words: number
  readonly unknownWeight: number
  readonly weights: Uint16Array
  readonly rarities: Uint8Array
  readonly vectors: Int8Array
  /** The word's row, or -1. Hashes stand for words: one stranger in 100,000 is taken for another. */
  rowOf(word: string): number
}

const MAGIC = 'MUNIWORD'
const FORMAT = 1
const HEADER_BYTES = MAGIC.length + 16
const BUCKET_BITS = 16 // of the hash: where to start looking

export function readWordTable(bytes: Uint8Array): WordTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = readHeader(view)
  const { words, dimension } = header
  const hashes = new Uint32Array(words)
  const weights = new Uint16Array(words)
  const weightsAt = HEADER_BYTES + 4 * words
  for (let row = 0; row < words; row += 1) {
    hashes[row] = view.getUint32(HEADER_BYTES + 4 * row, true)
    weights[row] = view.getUint16(weightsAt + 2 * row, true)
  }
  const raritiesAt = weightsAt + 2 * words
  const vectorsAt = bytes.byteOffset + raritiesAt + words
  return {
    ...header,
    weights,
    rarities: bytes.subarray(raritiesAt, raritiesAt + words),
    vectors: new Int8Array(bytes.buffer, vectorsAt, words * dimension),
    rowOf: finder(hashes),
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

function finder(hashes: Uint32Array): (word: string) => number {
  const shift = 32 - BUCKET_BITS
  const starts = new Uint32Array((1 << BUCKET_BITS) + 1)
  for (const hash of hashes) starts[(hash >>> shift) + 1] = (starts[(hash >>> shift) + 1] ?? 0) + 1
  for (let bucket = 1; bucket < starts.length; bucket += 1)
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0)
  return (word) => {
    const hash = hashText(word)
    const end = starts[(hash >>> shift) + 1] ?? 0
    for (let row = starts[hash >>> shift] ?? 0; row < end; row += 1)
      if (hashes[row] === hash) return row
    return -1
  }
}

/** What `readWordTable` reads; rows may come in any order, hashes must differ. */
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
