import { DIFFERING_MODULE, type WebAssemblyOf, wasmBytes, webAssembly } from './wasm-modules.ts'

const WORD_BITS = 64
const WORD_BYTES = 8
const PAGE_BYTES = 65_536
export const SKETCH_BLOCK_ROWS = 4_096

/**
 * One bit for each component of a vector, set for a component above zero. Near vectors differ in
 * few bits, and scanning bits costs a sixth of scanning vectors.
 */
export interface SignSketch {
  readonly name: 'wasm' | 'javascript'
  /** Makes room for so many rows and keeps the existing rows. */
  reserve(rows: number): void
  put(row: number, vector: Int8Array): void
  setQuery(query: Int8Array): void
  /**
   * Number of bits that differ between the query and each of so many rows; valid until the next
   * call.
   */
  differing(first: number, count: number): Int32Array
}

const strideOf = (dimension: number): number => Math.ceil(dimension / WORD_BITS) * WORD_BYTES

/** The bits of a vector, the first component lowest in the first byte. */
function writeBits(vector: Int8Array, bytes: Uint8Array, at: number): void {
  for (let first = 0; first < vector.length; first += 8) {
    let byte = 0
    const many = Math.min(8, vector.length - first)
    for (let bit = 0; bit < many; bit += 1) if ((vector[first + bit] ?? 0) > 0) byte |= 1 << bit
    bytes[at + first / 8] = byte
  }
}

export function javascriptSketch(dimension: number): SignSketch {
  const stride = strideOf(dimension)
  const query = new Uint8Array(stride)
  const differing = new Int32Array(SKETCH_BLOCK_ROWS)
  let bytes = new Uint8Array(0)
  return {
    name: 'javascript',
    reserve(rows) {
      const larger = new Uint8Array(rows * stride)
      larger.set(bytes)
      bytes = larger
    },
    put: (row, vector) => writeBits(vector, bytes, row * stride),
    setQuery: (vector) => writeBits(vector, query, 0),
    differing(first, count) {
      const asked = new Uint32Array(query.buffer)
      const words = new Uint32Array(bytes.buffer)
      let at = (first * stride) / 4
      for (let row = 0; row < count; row += 1) {
        let sum = 0
        for (const word of asked) {
          sum += onesIn(word ^ (words[at] ?? 0))
          at += 1
        }
        differing[row] = sum
      }
      return differing
    },
  }
}

/** Counts set bits in pairs, fours and eights at a time. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

type Differing = (query: number, rows: number, end: number, stride: number, sums: number) => void

/** Undefined where the platform has no WebAssembly. */
export function wasmSketch(
  dimension: number,
  host: WebAssemblyOf | undefined = webAssembly(),
): SignSketch | undefined {
  if (host === undefined) return
  const stride = strideOf(dimension)
  const sumsAt = stride
  const rowsAt = sumsAt + SKETCH_BLOCK_ROWS * Int32Array.BYTES_PER_ELEMENT
  const memory = new host.Memory({ initial: Math.ceil(rowsAt / PAGE_BYTES) })
  const module = new host.Module(wasmBytes(DIFFERING_MODULE))
  const { differing } = new host.Instance(module, { env: { memory } }).exports as {
    differing: Differing // as `scripts/embedder/wasm-modules.ts` writes it
  }
  const bytes = (): Uint8Array => new Uint8Array(memory.buffer)
  return {
    name: 'wasm',
    reserve(rows) {
      const missing = rowsAt + rows * stride - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
    },
    put: (row, vector) => writeBits(vector, bytes(), rowsAt + row * stride),
    setQuery: (query) => writeBits(query, bytes(), 0),
    differing(first, count) {
      const start = rowsAt + first * stride
      if (count > 0) differing(0, start, start + count * stride, stride, sumsAt)
      return new Int32Array(memory.buffer, sumsAt, count)
    },
  }
}
