import { staticEmbedder } from '../src/compose/static-embedder.ts'
import * as scanKernel from '../src/recall/embed/scan-kernel.ts'
import { vectorScan } from '../src/recall/embed/vector-scan.ts'
import { quantiles, type Record, timed } from './report.ts'
import { sized } from './size.ts'

const TEXTS = sized(20_000, 50)
const SCANS = sized(50, 2)
const RATE_MIN = 17_000 // embeddings a second

/** As people write: known words, names, numbers, a dozen words a sentence. */
const OPENINGS = ['Yesterday', 'Last week', 'In the morning', 'Honestly', 'After dinner']
const PEOPLE = ['my sister', 'Grzybowski', 'our new neighbour', 'the whole team', 'Maria']
const DEEDS = ['planted tomatoes', 'repaired the bicycle', 'argued about money', 'won a medal']
const REASONS = ['because it was raining', 'to forget the exam', 'without telling anyone']
const pick = (from: readonly string[], at: number): string => from[at % from.length] ?? ''
const sentenceAt = (at: number): string =>
  `${pick(OPENINGS, at)} ${pick(PEOPLE, at >> 2)} ${pick(DEEDS, at >> 4)} ${pick(REASONS, at >> 6)}, ${at} times in Berlin.`

/** The built-in embedder: loading its table, embedding, and looking through vectors. */
export async function benchEmbed(record: Record, memories: number): Promise<void> {
  const start = performance.now()
  const embedder = staticEmbedder()
  record({ name: 'embedder: table read and checked', value: performance.now() - start, unit: 'ms' })
  const texts = Array.from({ length: TEXTS }, (_, at) => sentenceAt(at))
  const rate = perSecond(texts, (text) => embedder.embed(text))
  const met = rate >= RATE_MIN
  record({ name: 'embedder: sentences', value: rate, unit: '/s', budget: '≥ 17,000/s', met })
  const { dimension } = embedder
  const vectors = new Int8Array(memories * dimension)
  for (let at = 0; at < memories; at += 1)
    embedder.embedInto(sentenceAt(at), vectors, at * dimension)
  for (const kernel of [scanKernel.wasmKernel(dimension), scanKernel.javascriptKernel(dimension)]) {
    if (!kernel) continue
    const scan = vectorScan(dimension, { kernel })
    scan.append(vectors)
    const times = await timed(SCANS, (turn) =>
      scan.top(embedder.embed(sentenceAt(turn * 997)), { limit: 10 }),
    )
    const name = `scan of ${memories.toLocaleString('en')} × ${dimension}, ${kernel.name}: p50`
    record({ name, value: quantiles(times).p50, unit: 'ms' })
  }
}

function perSecond(texts: readonly string[], work: (text: string) => unknown): number {
  for (const text of texts.slice(0, 1_000)) work(text)
  const start = performance.now()
  for (const text of texts) work(text)
  return (texts.length * 1_000) / (performance.now() - start)
}
