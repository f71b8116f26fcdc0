import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { staticEmbedder } from '../src/compose/static-embedder.ts'
import { DEFAULT_NUMBERS } from '../src/domain/policy.ts'
import { type Likeness, likenessOf } from '../src/embed/likeness.ts'
import { type Print, printOf } from '../src/embed/print.ts'
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

const FALSE_ALARMS = 0.01
const RECOGNISED_MIN = 0.8

const share = <T>(items: readonly T[], isSo: (item: T) => boolean): number =>
  items.filter(isSo).length / items.length

const isCertain = (like: Likeness | null): boolean =>
  like?.isInStep === true &&
  like.covered >= DEFAULT_NUMBERS.echoCertainCoveredFrom &&
  like.repeated >= DEFAULT_NUMBERS.echoCertainRepeatedFrom

const isPassedOn = (like: Likeness | null): boolean =>
  like !== null &&
  like.covered >= DEFAULT_NUMBERS.echoElsewhereCoveredFrom &&
  like.repeated >= DEFAULT_NUMBERS.echoElsewhereRepeatedFrom

const isLikely = (score: number): boolean => score >= DEFAULT_NUMBERS.echoLikelyFrom

/** Best score against all that a session was served, and whether anything there is the same. */
interface Best {
  readonly score: number
  readonly isCertain: boolean
  /** Whether anything there is as near as what only others were served must be. */
  readonly isElsewhere: boolean
  /** Which of them it is nearest to. */
  readonly row: number
}

function bestOf(said: Print, served: readonly Print[]): Best {
  const { sense } = staticEmbedder()
  const likes = served.map((source) => likenessOf(said, source, sense))
  const scores = likes.map((like) => like?.score ?? 0)
  const score = scores.reduce((best, each) => Math.max(best, each), 0)
  return {
    score,
    isCertain: likes.some(isCertain),
    isElsewhere: likes.some(isPassedOn),
    row: scores.indexOf(score),
  }
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
    if (isLikely(best.score) && isSource(best.row)) traced += 1
    unrelated.push(bestOf(said, stores[(at + 1) % stores.length] ?? []))
    same.push(
      bestOf(
        said,
        served.filter((_, row) => !isSource(row)),
      ),
    )
  }
  const how = masked ? ', names left out' : ''
  if (!masked) measureHalves(record, restatements, { own, unrelated, same })
  const bar = unrelated.map(({ score }) => score).sort((a, b) => b - a)[
    Math.floor(unrelated.length * FALSE_ALARMS)
  ]
  record({ name: `score above all but 1 % of an unrelated store${how}`, value: bar ?? 0, unit: '' })
  const atBar = share(own, ({ score }) => score > (bar ?? Infinity))
  record({
    name: `restatements recognised there${how}`,
    value: atBar,
    unit: 'share',
    ...(masked ? {} : { budget: `≥ ${RECOGNISED_MIN}`, met: atBar >= RECOGNISED_MIN }),
  })
  record({
    name: `recognised${how}: likely, and nearest to what it was made from`,
    value: traced / restatements.length,
    unit: 'share',
  })
  for (const [name, bests] of [
    ['recognised', own],
    ['false alarms, unrelated store', unrelated],
    ['false alarms, same people, source absent', same],
  ] as const) {
    const likely = share(bests, ({ score }) => isLikely(score))
    record({ name: `${name}${how}: likely by policy`, value: likely, unit: 'share' })
    const certain = share(bests, (best) => best.isCertain)
    record({ name: `${name}${how}: near-certain by policy`, value: certain, unit: 'share' })
  }
}

interface Bests {
  readonly own: readonly Best[]
  readonly unrelated: readonly Best[]
  readonly same: readonly Best[]
}

/** The bar is set on some conversations and reported on the others, both ways around. */
function measureHalves(record: Record, restatements: readonly Restatement[], bests: Bests): void {
  const names = [...new Set(restatements.map(({ conversation }) => conversation))]
  const firstHalf = new Set(names.slice(0, Math.ceil(names.length / 2)))
  for (const isFirst of [true, false]) {
    const isChosen = (row: number): boolean =>
      firstHalf.has(restatements[row]?.conversation ?? '') === isFirst
    const chosen = bests.unrelated.filter((_, row) => isChosen(row)).map(({ score }) => score)
    const bar = chosen.sort((a, b) => b - a)[Math.floor(chosen.length * FALSE_ALARMS)] ?? Infinity
    const where = isFirst ? 'bar set on the first half' : 'bar set on the second half'
    record({ name: `${where}: score`, value: bar, unit: '' })
    for (const [name, of] of Object.entries(bests) as [string, readonly Best[]][]) {
      const others = of.filter((_, row) => !isChosen(row))
      const value = share(others, ({ score }) => score > bar)
      record({ name: `${where}, reported on the other: ${name}`, value, unit: 'share' })
    }
  }
  const nearElsewhere = (of: readonly Best[]): number => share(of, ({ isElsewhere }) => isElsewhere)
  for (const [name, of] of Object.entries(bests) as [string, readonly Best[]][]) {
    const value = nearElsewhere(of)
    record({ name: `near enough to be linked across sessions: ${name}`, value, unit: 'share' })
  }
}

function measurePairs(record: Record, set: string, pairs: readonly Pair[]): void {
  const { sense } = staticEmbedder()
  for (const paraphrase of [true, false]) {
    const likes = pairs
      .filter((pair) => pair.paraphrase === paraphrase)
      .map(({ a, b }) => likenessOf(printOf(b), printOf(a), sense))
    const what = `${set}, ${paraphrase ? 'paraphrases' : 'other pairs'}`
    const likely = share(likes, (like) => like !== null && isLikely(like.score))
    record({ name: `${what}: likely`, value: likely, unit: 'share' })
    record({ name: `${what}: near-certain`, value: share(likes, isCertain), unit: 'share' })
  }
}
