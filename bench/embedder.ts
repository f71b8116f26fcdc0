import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticEmbedder } from '../src/compose/static-embedder.ts'
import {
  bandsOf,
  containment,
  rarityWeights,
  shinglesOf,
  signatureOf,
} from '../src/recall/embed/fingerprint.ts'
import { scoreMax } from '../src/recall/embed/integers.ts'
import { vectorScan } from '../src/recall/embed/vector-scan.ts'

/** How good the built-in embedder is by itself, on the sets of a folder of outside data. */

interface Turn {
  readonly id: string
  readonly speaker: string
  readonly text: string
}

interface Conversation {
  readonly id: string
  readonly turns: readonly Turn[]
  readonly questions: readonly {
    readonly category: string
    readonly text: string
    readonly evidence: readonly string[]
  }[]
}

interface Restatement {
  readonly conversation: string
  readonly speaker: string
  readonly text: string
  readonly sources: readonly string[]
}

interface Pair {
  readonly paraphrase: boolean
  readonly a: string
  readonly b: string
}

const folder = process.argv[2] ?? process.env.MUNIMENT_DATA
if (folder === undefined) {
  console.error('node bench/embedder.ts <folder of data>, or set MUNIMENT_DATA')
  process.exit(2)
}
const embedder = staticEmbedder()
const RANKS = 10
const FALSE_ALARMS = 0.01

/** The shapes that the data's own notes give. */
const lines = <T>(file: string): readonly T[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const scanOf = (texts: readonly string[]) => {
  const scan = vectorScan(embedder.dimension)
  for (const text of texts) scan.append(embedder.embed(text))
  return scan
}

type Shown = (turn: Turn) => string

/** Recall and NDCG of the first ten; category 5 asks for what was never said. */
function measureRecall(file: string, shown: Shown): { recall: number; ndcg: number } {
  const recalls: number[] = []
  const gains: number[] = []
  for (const { turns, questions } of lines<Conversation>(file)) {
    const scan = scanOf(turns.map(shown))
    const known = new Set(turns.map(({ id }) => id))
    for (const { category, text, evidence } of questions) {
      const gold = new Set(evidence.filter((id) => known.has(id)))
      if (category === 'cat5' || gold.size === 0) continue
      const found = scan
        .top(embedder.embed(text), { limit: RANKS })
        .map(({ row }) => turns[row]?.id)
      const gain = (at: number): number => 1 / Math.log2(at + 2)
      const got = found.reduce((sum, id, at) => sum + (gold.has(id ?? '') ? gain(at) : 0), 0)
      let best = 0
      for (let at = 0; at < Math.min(RANKS, gold.size); at += 1) best += gain(at)
      recalls.push(found.filter((id) => gold.has(id ?? '')).length / evidence.length)
      gains.push(got / best)
    }
  }
  return { recall: mean(recalls), ndcg: mean(gains) }
}

/** The chance that a paraphrase scores above a pair that is none; half for a tie. */
function areaUnder(pairs: readonly Pair[], score: (pair: Pair) => number): number {
  const scored = pairs.map((pair) => ({ yes: pair.paraphrase, score: score(pair) }))
  scored.sort((a, b) => a.score - b.score)
  let wins = 0
  let below = 0
  for (let at = 0; at < scored.length; ) {
    let end = at
    while (scored[end]?.score === scored[at]?.score && end < scored.length) end += 1
    const tied = scored.slice(at, end)
    const yes = tied.filter((each) => each.yes).length
    wins += yes * (below + (tied.length - yes) / 2)
    below += tied.length - yes
    at = end
  }
  const yes = scored.filter((each) => each.yes).length
  return wins / (yes * (scored.length - yes))
}

function dot(a: Int8Array, b: Int8Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

/** Best score of one text against a whole store, by each way of scoring. */
type Scores = Readonly<Record<'vectors' | 'words' | 'both', number>>

interface StoredTurn {
  readonly shingles: ReadonlySet<number>
  readonly bands: readonly number[]
  readonly vector: Int8Array
}

function measureEcho(): void {
  const conversations = lines<Conversation>('recall/locomo-dev.jsonl')
  const names = conversations.flatMap(({ turns }) => [...new Set(turns.map((t) => t.speaker))])
  const stores = conversations.map(({ turns }) => turns.map(({ text }) => stored(text, names)))
  const told: Scores[] = []
  const alarms: Scores[] = []
  let sharedBands = 0
  let strangers = 0
  const restatements = lines<Restatement>('echo/locomo-restatements-dev.jsonl')
  for (const { conversation, text, sources } of restatements) {
    const at = conversations.findIndex(({ id }) => id === conversation)
    const own = stores[at] ?? []
    const other = stores[(at + 1) % stores.length] ?? []
    const said = stored(text, names)
    const weights = rarityWeights(text, embedder.rarityOf)
    told.push(bestOf(own, said, weights))
    alarms.push(bestOf(other, said, weights))
    const bands = new Set(said.bands)
    const meets = (turn: StoredTurn): boolean => turn.bands.some((band) => bands.has(band))
    const rows = conversations[at]?.turns ?? []
    if (own.some((turn, row) => sources.includes(rows[row]?.id ?? '') && meets(turn)))
      sharedBands += 1
    strangers += other.filter(meets).length
  }
  for (const way of ['vectors', 'words', 'both'] as const) {
    const sorted = alarms.map((scores) => scores[way]).sort((a, b) => b - a)
    const bar = sorted[Math.floor(sorted.length * FALSE_ALARMS)] ?? Infinity
    show(`restatements above all but 1 % of alarms, by ${way}`, [
      mean(told.map((scores) => (scores[way] > bar ? 1 : 0))),
    ])
  }
  const count = restatements.length
  show('restatements that share a band with their source', [sharedBands / count])
  show('turns of another store that share one, of each', [strangers / count])
}

function stored(text: string, names: readonly string[]): StoredTurn {
  const shingles = shinglesOf(text, { names })
  return { shingles, bands: bandsOf(signatureOf(shingles)), vector: embedder.embed(text) }
}

function bestOf(
  store: readonly StoredTurn[],
  said: StoredTurn,
  weights: (shingle: number) => number,
): Scores {
  const best = { vectors: 0, words: 0, both: 0 }
  for (const turn of store) {
    const vectors = Math.floor(
      (dot(turn.vector, said.vector) * 1_000) / scoreMax(embedder.dimension),
    )
    const words = containment(said.shingles, turn.shingles, weights)
    best.vectors = Math.max(best.vectors, vectors)
    best.words = Math.max(best.words, words)
    best.both = Math.max(best.both, vectors + words)
  }
  return best
}

const show = (name: string, values: readonly number[]): void =>
  console.log(name.padEnd(62), values.map((value) => value.toFixed(3)).join('  '))

const plain: Shown = ({ text }) => text
const spoken: Shown = ({ speaker, text }) => `${speaker}: ${text}`
for (const [name, file, shown] of [
  ['LoCoMo 1–4: R@10, NDCG@10', 'recall/locomo-dev.jsonl', plain],
  ['LoCoMo 1–4, with the speaker: R@10, NDCG@10', 'recall/locomo-dev.jsonl', spoken],
  ['BEAM: R@10, NDCG@10', 'recall/beam-dev.jsonl', plain],
] as const) {
  const { recall, ndcg } = measureRecall(file, shown)
  show(name, [recall, ndcg])
}
for (const set of ['mrpc', 'paws']) {
  const pairs = lines<Pair>(`echo/${set}-dev.jsonl`)
  show(`${set}: AUC`, [areaUnder(pairs, ({ a, b }) => dot(embedder.embed(a), embedder.embed(b)))])
}
measureEcho()
