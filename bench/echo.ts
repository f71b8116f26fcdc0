import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_NUMBERS } from '../src/domain/policy.ts'
import { likest } from '../src/recall/embed/likeness.ts'
import { type Print, printOf } from '../src/recall/embed/print.ts'
import { type Conversation, dataFolder, readConversations } from './recall/data.ts'
import type { Record } from './report.ts'
import { sized } from './size.ts'

interface Restatement {
  readonly conversation: string
  readonly text: string
  readonly sources: readonly string[]
}

interface Pair {
  readonly paraphrase: boolean
  readonly a: string
  readonly b: string
}

const share = <T>(items: readonly T[], isSo: (item: T) => boolean): number =>
  items.filter(isSo).length / items.length

const isLinked = (score: number): boolean => score >= DEFAULT_NUMBERS.echoLikelyFrom

/** The best score against all that a session was served, and its row. */
interface Best {
  readonly score: number
  readonly row: number
}

function bestOf(said: Print, served: readonly Print[]): Best {
  const sources = served.map((print, row) => ({ ref: String(row).padStart(9, '0'), print }))
  const [best] = likest(said, sources, 1)
  return best ? { score: best.score, row: Number(best.source.ref) } : { score: 0, row: 0 }
}

/** How rewordings are told from what is new, on the sets of a folder of outside data. */
export async function benchEcho(record: Record): Promise<void> {
  const folder = dataFolder()
  const file = (name: string): string => join(folder ?? '', 'echo', `${name}-dev.jsonl`)
  if (folder === undefined || !existsSync(file('locomo-restatements'))) {
    console.error('echo: left out; name a folder with --data=… or MUNIMENT_DATA')
    return
  }
  const lines = <T>(name: string): readonly T[] =>
    readFileSync(file(name), 'utf8')
      .trim()
      .split('\n')
      .slice(0, sized(Number.POSITIVE_INFINITY, 20))
      .map((line) => JSON.parse(line) as T) // the shapes that the data's own notes give
  const all = readConversations(folder).filter(({ set }) => set === 'locomo')
  const restatements = lines<Restatement>('locomo-restatements')
  for (const masked of [false, true]) measureRestatements(record, { all, restatements, masked })
  for (const set of ['mrpc', 'paws']) measurePairs(record, set, lines<Pair>(set))
}

interface Restated {
  readonly all: readonly Conversation[]
  readonly restatements: readonly Restatement[]
  /** Without the names of those who speak, which tell conversations apart. */
  readonly masked: boolean
}

function measureRestatements(record: Record, { all, restatements, masked }: Restated): void {
  const names = new Set(all.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)))
  const shown = (text: string): string =>
    masked ? [...names].reduce((rest, name) => rest.replaceAll(name, ''), text) : text
  const stores = all.map(({ turns }) => turns.map(({ text }) => printOf(shown(text))))
  const own: Best[] = []
  const unrelated: Best[] = []
  const same: Best[] = []
  let traced = 0
  for (const { conversation, text, sources } of restatements) {
    const at = all.findIndex(({ id }) => id === conversation)
    const said = printOf(shown(text))
    const served = stores[at] ?? []
    const isSource = (row: number): boolean => sources.includes(all[at]?.turns[row]?.id ?? '')
    const best = bestOf(said, served)
    own.push(best)
    if (isLinked(best.score) && isSource(best.row)) traced += 1
    unrelated.push(bestOf(said, stores[(at + 1) % stores.length] ?? []))
    same.push(
      bestOf(
        said,
        served.filter((_, row) => !isSource(row)),
      ),
    )
  }
  const how = masked ? ', names left out' : ''
  const nearest = traced / restatements.length
  record({ name: `linked to what it was made from${how}`, value: nearest, unit: 'share' })
  for (const [name, bests] of [
    ['linked', own],
    ['false links, unrelated store', unrelated],
    ['false links, same people, source absent', same],
  ] as const) {
    const value = share(bests, ({ score }) => isLinked(score))
    record({ name: `${name}${how}`, value, unit: 'share' })
  }
}

function measurePairs(record: Record, set: string, pairs: readonly Pair[]): void {
  for (const paraphrase of [true, false]) {
    const scores = pairs
      .filter((pair) => pair.paraphrase === paraphrase)
      .map(({ a, b }) => bestOf(printOf(b), [printOf(a)]).score)
    const what = `${set}, ${paraphrase ? 'paraphrases' : 'other pairs'}`
    record({ name: `${what}: linked`, value: share(scores, isLinked), unit: 'share' })
  }
}
