import fc from 'fast-check'
import { expect, test } from 'vitest'
import { staticEmbedder } from '../../src/compose/static-embedder.ts'
import { javascriptSketch, wasmSketch } from '../../src/recall/embed/scan-kernel.ts'
import { vectorScan } from '../../src/recall/embed/vector-scan.ts'
import { pseudoRandom } from './support.ts'

const vectorsOf = (dimension: number) =>
  fc.array(fc.integer({ min: -128, max: 127 }), { minLength: dimension, maxLength: dimension })

test('both ways count the signs that differ as one would by hand', () => {
  const worlds = fc.integer({ min: 1, max: 150 }).chain((dimension) =>
    fc.record({
      query: vectorsOf(dimension),
      rows: fc.array(vectorsOf(dimension), { minLength: 1, maxLength: 12 }),
    }),
  )
  fc.assert(
    fc.property(worlds, ({ query, rows }) => {
      const byHand = rows.map(
        (row) => row.filter((value, at) => value > 0 !== (query[at] ?? 0) > 0).length,
      )
      for (const sketch of [wasmSketch(query.length), javascriptSketch(query.length)]) {
        if (!sketch) throw new Error('this Node has WebAssembly')
        sketch.reserve(rows.length)
        sketch.setQuery(Int8Array.from(query))
        rows.forEach((row, at) => {
          sketch.put(at, Int8Array.from(row))
        })
        expect([...sketch.differing(0, rows.length).subarray(0, rows.length)]).toEqual(byHand)
      }
    }),
    { numRuns: 50 },
  )
})

const WORDS = `garden fence paint winter bread oven school teacher train ticket river boat doctor
  medicine coffee morning guitar song wedding cake mountain hiking budget invoice server password
  kitchen recipe dog walk cat window office meeting phone battery holiday beach airport luggage
  museum painting football team novel author letter stamp bicycle repair market apples weather storm
  hospital nurse birthday present candle church engine oil mirror glass desert camel island ferry
  lawyer contract rent landlord sister nephew chess tournament violin lesson theatre actor`.split(
  /\s+/,
)
const ROWS = 20_000
const QUESTIONS = 60
const WANTED = 5 // of which 32 times as many are scored: one row in 125, as of a million

test('of the best by all vectors, signs and a second look find nearly all', () => {
  const embedder = staticEmbedder()
  const roll = pseudoRandom(7)
  const sentence = (): string =>
    Array.from({ length: 7 }, () => WORDS[roll() % WORDS.length]).join(' ')
  const vectors = new Int8Array(ROWS * embedder.dimension)
  for (let row = 0; row < ROWS; row += 1)
    embedder.embedInto(sentence(), vectors, row * embedder.dimension)
  const exact = vectorScan(embedder.dimension)
  const sketched = vectorScan(embedder.dimension, { exactBytesMax: 0 })
  for (const scan of [exact, sketched]) scan.append(vectors)
  let found = 0
  for (let turn = 0; turn < QUESTIONS; turn += 1) {
    const question = embedder.embed(sentence())
    const best = sketched.top(question, { limit: WANTED })
    const bar = exact.top(question, { limit: WANTED }).at(-1)?.score ?? 0
    found += best.filter(({ score }) => score >= bar).length
  }
  expect(found / (QUESTIONS * WANTED)).toBeGreaterThanOrEqual(0.9)
})

test('what is added, replaced or taken out later is found as it is now', () => {
  const scan = vectorScan(3, { exactBytesMax: 6 })
  scan.append(Int8Array.of(9, 9, -9, -9, 9, 9))
  scan.append(Int8Array.of(9, -9, 9))
  expect(scan.top(Int8Array.of(1, -1, 1), { limit: 1 })).toEqual([{ row: 2, score: 27 }])
  scan.replace(2, new Int8Array(3))
  scan.replace(0, Int8Array.of(5, -5, 5))
  scan.append(Int8Array.of(8, -8, 8))
  expect(scan.top(Int8Array.of(1, -1, 1), { limit: 2 })).toEqual([
    { row: 3, score: 24 },
    { row: 0, score: 15 },
  ])
})
