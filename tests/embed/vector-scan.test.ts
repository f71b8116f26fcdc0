import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BLOCK_ROWS,
  javascriptKernel,
  type ScanKernel,
  wasmKernel,
} from '../../src/recall/embed/scan-kernel.ts'
import { type Match, vectorScan } from '../../src/recall/embed/vector-scan.ts'
import { pseudoRandom } from './support.ts'

const wasm = (dimension: number): ScanKernel => {
  const kernel = wasmKernel(dimension)
  if (!kernel) throw new Error('this Node has WebAssembly with vectors')
  return kernel
}
const KERNELS = { wasm, javascript: javascriptKernel }

/** Every row scored and sorted, as one would by hand. */
function slowTop(
  rows: readonly (readonly number[])[],
  query: readonly number[],
  limit: number,
): readonly Match[] {
  return rows
    .map((vector, row) => ({
      row,
      score: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit)
}

const component = fc.integer({ min: -128, max: 127 })
/** Few different vectors, so that scores tie. */
const world = fc.integer({ min: 1, max: 40 }).chain((dimension) => {
  const vector = fc.oneof(
    fc.array(component, { minLength: dimension, maxLength: dimension }),
    fc.constantFrom(-128, 0, 1, 127).map((value) => new Array<number>(dimension).fill(value)),
  )
  return fc.record({
    dimension: fc.constant(dimension),
    rows: fc.array(vector, { maxLength: 60 }),
    query: vector,
    limit: fc.integer({ min: 0, max: 70 }),
  })
})

describe.each(Object.entries(KERNELS))('the %s scan', (name, kernel) => {
  test('finds what scoring every row by hand finds, ties and empty ones too', () => {
    fc.assert(
      fc.property(world, ({ dimension, rows, query, limit }) => {
        const scan = vectorScan(dimension, { kernel: kernel(dimension) })
        scan.append(Int8Array.from(rows.flat()))
        expect(scan.kernel).toBe(name)
        expect(scan.top(Int8Array.from(query), { limit })).toEqual(slowTop(rows, query, limit))
      }),
    )
  })

  test('rows that come one by one and rows that come together are found alike', () => {
    const next = pseudoRandom(7)
    const all = Int8Array.from({ length: 20 * 700 }, () => (next() % 255) - 127)
    const together = vectorScan(20, { kernel: kernel(20) })
    const apart = vectorScan(20, { kernel: kernel(20) })
    together.append(all)
    for (let at = 0; at < all.length; at += 20) apart.append(all.subarray(at, at + 20))
    const query = all.subarray(400, 420)
    expect(apart.count).toBe(700)
    expect(apart.top(query, { limit: 50 })).toEqual(together.top(query, { limit: 50 }))
  })

  test('a filter and a lowest score come before the limit', () => {
    const scan = vectorScan(2, { kernel: kernel(2) })
    scan.append(Int8Array.of(3, 0, 2, 0, 1, 0, 0, 0))
    const query = Int8Array.of(1, 0)
    expect(scan.top(query, { limit: 2, allows: (row) => row !== 0 })).toEqual([
      { row: 1, score: 2 },
      { row: 2, score: 1 },
    ])
    expect(scan.top(query, { limit: 9, scoreMin: 2 }).map(({ row }) => row)).toEqual([0, 1])
  })

  test('a row that is replaced is found by its new vector only', () => {
    const scan = vectorScan(3, { kernel: kernel(3) })
    scan.append(Int8Array.of(1, 1, 1, 5, 5, 5))
    scan.replace(1, new Int8Array(3))
    expect(scan.top(Int8Array.of(1, 1, 1), { limit: 1 })).toEqual([{ row: 0, score: 3 }])
  })

  test('what is no vector of the dimension is refused', () => {
    const scan = vectorScan(3, { kernel: kernel(3) })
    const refused = expect.objectContaining({ code: 'invalid_input' })
    expect(() => scan.append(new Int8Array(4))).toThrow(refused)
    expect(() => scan.top(new Int8Array(2), { limit: 1 })).toThrow(refused)
    expect(() => scan.replace(0, new Int8Array(6))).toThrow(refused)
    scan.append(new Int8Array(0))
    expect(scan.top(new Int8Array(3), { limit: 1 })).toEqual([])
  })
})

test('both scans give the same integers across the borders of their blocks', () => {
  const dimension = 37
  const rows = 2 * BLOCK_ROWS + 5
  const next = pseudoRandom(1)
  const all = Int8Array.from({ length: dimension * rows }, () => next() & 255)
  const [first, second] = [wasm, javascriptKernel].map((kernel) => {
    const scan = vectorScan(dimension, { kernel: kernel(dimension) })
    scan.append(all)
    return scan.top(all.subarray(0, dimension), { limit: rows })
  })
  expect(first).toHaveLength(rows)
  expect(first).toEqual(second)
})
