/** The used part of the platform's WebAssembly; absent in some hosts. */
export interface WebAssemblyOf {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  readonly Memory: new (size: {
    initial: number
  }) => {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}

declare const WebAssembly: WebAssemblyOf | undefined

export const webAssembly = (): WebAssemblyOf | undefined =>
  typeof WebAssembly === 'undefined' ? undefined : WebAssembly

/** score(query, rows, end, stride, scores): the dot product of the query with every row. */
export const SCORE_MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgAAAwIBAAcJAQVzY29yZQAACoMBAYABAgJ/AXsDQCAA' +
  'IQX9DAAAAAAAAAAAAAAAAAAAAAAhByABIANqIQYDQCAB/QEAACAF/QAAAP26ASAH/a4BIQcgBUEQaiEFIAFBCGoh' +
  'ASABIAZJDQALIAQgB/0bACAH/RsBIAf9GwIgB/0bA2pqajYAACAEQQRqIQQgASACSQ0ACws='

/** differing(query, rows, end, stride, sums): the bits that differ between the query and every row. */
export const DIFFERING_MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgAAAwIBAAcNAQlkaWZmZXJpbmcAAApZAVcCA38AewNA' +
  'IAAhBUEAIQcgASADaiEGA0AgASkAACAFKQAAhXunIAdqIQcgBUEIaiEFIAFBCGohASABIAZJDQALIAQgBzYAACAE' +
  'QQRqIQQgASACSQ0ACws='

/** The bytes of a module, as `scripts/embedder/wasm-modules.ts` prints them. */
export const wasmBytes = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Rows are scored in blocks, so that the scores of a block stay in the processor's cache. */
export const BLOCK_ROWS = 2_048
const LANES = 8 // int16 in a vector
const PAGE_BYTES = 65_536
const WIDE_BYTES = 2 // of a component of the query

/** Stores the rows and scores a block of rows; two implementations, equal integers. */
export interface ScanKernel {
  readonly name: 'wasm' | 'javascript'
  /** Bytes from one row to the next; bytes beyond the dimension are zero. */
  readonly stride: number
  /** Makes room for so many rows and keeps the existing rows. */
  reserve(rows: number): void
  /** The rows, until the next `reserve`. */
  rows(): Int8Array
  setQuery(query: Int8Array): void
  /** Dot products of the query with so many rows from `first` on; valid until the next call. */
  score(first: number, count: number): Int32Array
}

export function javascriptKernel(dimension: number): ScanKernel {
  let rows = new Int8Array(0)
  const wide = new Int16Array(dimension)
  const scores = new Int32Array(BLOCK_ROWS)
  return {
    name: 'javascript',
    stride: dimension,
    reserve(count) {
      const larger = new Int8Array(count * dimension)
      larger.set(rows)
      rows = larger
    },
    rows: () => rows,
    setQuery: (query) => wide.set(query),
    score(first, count) {
      let at = first * dimension
      for (let row = 0; row < count; row += 1) {
        let sum = 0
        for (let i = 0; i < dimension; i += 1, at += 1) sum += (wide[i] ?? 0) * (rows[at] ?? 0)
        scores[row] = sum
      }
      return scores
    },
  }
}

type ScoreRows = (query: number, rows: number, end: number, stride: number, scores: number) => void

/** Undefined where the platform has no WebAssembly, or none with 128-bit vectors. */
export function wasmKernel(dimension: number): ScanKernel | undefined {
  const host = webAssembly()
  const bytes = wasmBytes(SCORE_MODULE)
  if (!host?.validate(bytes)) return
  const stride = Math.ceil(dimension / LANES) * LANES
  const scoresAt = stride * WIDE_BYTES
  const rowsAt = scoresAt + BLOCK_ROWS * Int32Array.BYTES_PER_ELEMENT
  const memory = new host.Memory({ initial: Math.ceil(rowsAt / PAGE_BYTES) })
  const instance = new host.Instance(new host.Module(bytes), { env: { memory } })
  const { score } = instance.exports as { score: ScoreRows } // as `scripts/embedder/wasm-modules.ts` writes it
  let scores = new Int32Array(memory.buffer, scoresAt, BLOCK_ROWS)
  return {
    name: 'wasm',
    stride,
    reserve(rows) {
      const missing = rowsAt + rows * stride - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
    },
    rows: () => new Int8Array(memory.buffer, rowsAt),
    setQuery: (query) => new Int16Array(memory.buffer, 0, stride).fill(0).set(query),
    score(first, count) {
      const start = rowsAt + first * stride
      if (count > 0) score(0, start, start + count * stride, stride, scoresAt)
      if (scores.length === 0) scores = new Int32Array(memory.buffer, scoresAt, BLOCK_ROWS) // the memory grew, so old views are empty
      return scores
    },
  }
}

const WORD_BITS = 64
const WORD_BYTES = 8
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
