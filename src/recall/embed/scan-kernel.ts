import { SCORE_MODULE, wasmBytes, webAssembly } from './wasm-modules.ts'

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
