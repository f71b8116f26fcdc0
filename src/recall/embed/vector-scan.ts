import { assert, MunimentError } from '../../domain/errors.ts'
import { cosineOf, squareOf } from './integers.ts'
import {
  BLOCK_ROWS,
  javascriptKernel,
  javascriptSketch,
  type ScanKernel,
  type SignSketch,
  SKETCH_BLOCK_ROWS,
  wasmKernel,
  wasmSketch,
} from './scan-kernel.ts'

export interface Match {
  readonly row: number
  /** The dot product; a vector with itself scores `scoreMax` of the dimension. */
  readonly score: number
}

export interface TopOptions {
  readonly limit: number
  /** Filter of rows; called only for rows that would be among the best. */
  readonly allows?: (row: number) => boolean
  /** Lowest score of a match. */
  readonly scoreMin?: number
}

/**
 * Vectors in one block of memory, scanned from end to end: exact, whatever the filter. For very
 * many vectors, a scan of sign bits comes first and only rows with few differing signs are scored.
 * Each score stays exact, and hardly any of the best is missed.
 */
export interface VectorScan {
  readonly dimension: number
  readonly kernel: ScanKernel['name']
  readonly count: number
  /** Appends vectors; the first becomes row `count`. */
  append(vectors: Int8Array): void
  /** A copy of the vector in a row. */
  at(row: number): Int8Array
  /** The cosines of a vector and of the vectors in the rows. */
  cosines(vector: Int8Array, rows: readonly number[]): readonly number[]
  /** Replaces the vector of a row; an all-zero vector is never found. */
  replace(row: number, vector: Int8Array): void
  /** The best rows, highest score first; of equal scores the lower row. */
  top(query: Int8Array, options: TopOptions): readonly Match[]
}

const ROWS_MIN = 256 // initial room; doubles when full

/** From so many bytes of vectors on, signs are scanned first: about four milliseconds. */
const EXACT_BYTES_MAX = 48_000_000
/** Rows to score: so many for each wanted match, and at least this fraction of all rows. */
const SCORED_TIMES = 32
const SCORED_ONE_IN = 128

interface ScanOptions {
  readonly kernel?: ScanKernel
  readonly exactBytesMax?: number
}

export function vectorScan(
  dimension: number,
  {
    kernel = wasmKernel(dimension) ?? javascriptKernel(dimension),
    exactBytesMax = EXACT_BYTES_MAX,
  }: ScanOptions = {},
): VectorScan {
  let count = 0
  let room = 0
  let sketch: SignSketch | null = null
  let squares = new Int32Array(0) // of each compared row; 0 where not yet computed
  const write = (row: number, vector: Int8Array): void =>
    kernel.rows().set(vector, row * kernel.stride)
  const at = (row: number): Int8Array =>
    kernel.rows().subarray(row * kernel.stride, row * kernel.stride + dimension)
  const sketchFrom = (first: number): void => {
    if (count * dimension <= exactBytesMax) return
    const isNew = sketch === null
    sketch ??= kernel.name === 'wasm' ? (wasmSketch(dimension) ?? null) : null
    sketch ??= javascriptSketch(dimension)
    sketch.reserve(room)
    for (let row = isNew ? 0 : first; row < count; row += 1) sketch.put(row, at(row))
  }
  return {
    dimension,
    kernel: kernel.name,
    get count() {
      return count
    },
    append(vectors) {
      const rows = vectors.length / dimension
      if (!Number.isInteger(rows)) throw wrongLength(vectors.length, dimension)
      if (count + rows > room) {
        room = Math.max(ROWS_MIN, room * 2, count + rows)
        kernel.reserve(room)
        const known = squares
        squares = new Int32Array(room)
        squares.set(known)
      }
      if (kernel.stride === dimension) write(count, vectors)
      else
        for (let row = 0; row < rows; row += 1)
          write(count + row, vectors.subarray(row * dimension, (row + 1) * dimension))
      count += rows
      sketchFrom(count - rows)
    },
    at: (row) => at(row).slice(),
    cosines(vector, rows) {
      kernel.setQuery(vector)
      const own = squareOf(vector)
      return rows.map((row) => {
        const dot = kernel.score(row, 1)[0] ?? 0
        if (dot !== 0) squares[row] ||= squareOf(at(row))
        return cosineOf(dot, own, squares[row] ?? 0)
      })
    },
    replace(row, vector) {
      if (vector.length !== dimension) throw wrongLength(vector.length, dimension)
      assert(row >= 0 && row < count, 'a row that is replaced is there')
      write(row, vector)
      squares[row] = 0
      sketch?.put(row, vector)
    },
    top(query, options) {
      if (query.length !== dimension) throw wrongLength(query.length, dimension)
      kernel.setQuery(query)
      if (sketch === null) return bestRows(kernel, count, options)
      const scored = Math.max(options.limit * SCORED_TIMES, Math.ceil(count / SCORED_ONE_IN))
      return bestOf(kernel, leastDiffering(sketch, query, { count, wanted: scored }), options)
    },
  }
}

function bestRows(
  kernel: ScanKernel,
  count: number,
  { limit, allows = () => true, scoreMin = -Infinity }: TopOptions,
): readonly Match[] {
  const best = bestMatches(limit)
  for (let first = 0; first < count && limit > 0; first += BLOCK_ROWS) {
    const rows = Math.min(BLOCK_ROWS, count - first)
    const scores = kernel.score(first, rows)
    let bar = best.bar()
    for (let at = 0; at < rows; at += 1) {
      const score = scores[at] ?? 0
      // Rows come in rising order, so an equal score never displaces an earlier row.
      if (score <= bar || score < scoreMin || !allows(first + at)) continue
      best.add({ row: first + at, score })
      bar = best.bar()
    }
  }
  return best.sorted()
}

/**
 * The `wanted` rows with the fewest sign differences and all ties with the last, in rising order.
 */
function leastDiffering(
  sketch: SignSketch,
  query: Int8Array,
  { count, wanted }: { readonly count: number; readonly wanted: number },
): readonly number[] {
  sketch.setQuery(query)
  const all = new Uint16Array(count)
  const having = new Uint32Array(query.length + 1) // rows by number of differing bits
  for (let first = 0; first < count; first += SKETCH_BLOCK_ROWS) {
    const rows = Math.min(SKETCH_BLOCK_ROWS, count - first)
    const differing = sketch.differing(first, rows)
    for (let at = 0; at < rows; at += 1) {
      const bits = differing[at] ?? 0
      all[first + at] = bits
      having[bits] = (having[bits] ?? 0) + 1
    }
  }
  let bitsMax = -1
  for (let sum = 0; sum < wanted && bitsMax < query.length; ) {
    bitsMax += 1
    sum += having[bitsMax] ?? 0
  }
  const rows: number[] = []
  for (let row = 0; row < count; row += 1) if ((all[row] ?? 0) <= bitsMax) rows.push(row)
  return rows
}

/** The best of some rows, which come in rising order. */
function bestOf(
  kernel: ScanKernel,
  rows: readonly number[],
  { limit, allows = () => true, scoreMin = -Infinity }: TopOptions,
): readonly Match[] {
  const best = bestMatches(limit)
  for (const row of rows) {
    const score = kernel.score(row, 1)[0] ?? 0
    if (score > best.bar() && score >= scoreMin && allows(row)) best.add({ row, score })
  }
  return best.sorted()
}

const byRank = (a: Match, b: Match): number => b.score - a.score || a.row - b.row

/** Lets more than `limit` matches gather before sorting and cutting. */
function bestMatches(limit: number) {
  let kept: Match[] = []
  let bar = -Infinity
  const cut = (): void => {
    kept = kept.sort(byRank).slice(0, limit)
    if (kept.length === limit) bar = kept.at(-1)?.score ?? -Infinity
  }
  return {
    /** Later rows must exceed this score. */
    bar: () => bar,
    add(match: Match): void {
      kept.push(match)
      if (kept.length >= 2 * limit) cut()
    },
    sorted(): readonly Match[] {
      cut()
      return kept
    },
  }
}

const wrongLength = (length: number, dimension: number): MunimentError =>
  new MunimentError('invalid_input', `${length} components are no vectors of ${dimension}.`, {
    issues: [{ path: '', message: `expected a multiple of ${dimension} components` }],
    facts: { length, dimension },
  })
