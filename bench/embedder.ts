import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticEmbedder } from '../src/compose/static-embedder.ts'
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
  readonly text: string
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

/** How many restatements score above all but the false alarms from another store. */
function measureEcho(): void {
  const conversations = lines<Conversation>('recall/locomo-dev.jsonl')
  const stores = conversations.map(({ turns }) => turns.map(({ text }) => embedder.embed(text)))
  const told: number[] = []
  const alarms: number[] = []
  for (const { conversation, text } of lines<Restatement>('echo/locomo-restatements-dev.jsonl')) {
    const at = conversations.findIndex(({ id }) => id === conversation)
    const said = embedder.embed(text)
    told.push(bestOf(stores[at] ?? [], said))
    alarms.push(bestOf(stores[(at + 1) % stores.length] ?? [], said))
  }
  const bar = alarms.sort((a, b) => b - a)[Math.floor(alarms.length * FALSE_ALARMS)] ?? Infinity
  show('restatements above all but 1 % of alarms', [mean(told.map((score) => +(score > bar)))])
}

const bestOf = (store: readonly Int8Array[], said: Int8Array): number =>
  Math.max(
    0,
    ...store.map((turn) => Math.floor((dot(turn, said) * 1_000) / scoreMax(embedder.dimension))),
  )

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
