import type { Stack } from '../../src/stack.ts'
import { quantiles, type Record } from '../report.ts'
import { benchAgentDays } from './agent-day.ts'
import { type Conversation, dataFolder, isAnswerable, readConversations } from './data.ts'
import { benchDocuments } from './documents.ts'
import { benchLanguages } from './languages.ts'
import { type Answered, auc, type Measures, measuresOf } from './measures.ts'
import { bm25, meaningAlone } from './rivals.ts'
import { FILES, type Kept, type Place, serverPlace, withConversation } from './stores.ts'

/** What the design asks for of search itself. */
const BUDGETS: Readonly<{ [figure: string]: number }> = {
  'locomo r10': 0.75,
  'locomo ndcg10': 0.57,
  'beam ndcg10': 0.54,
}
const PARITY_MAX = 0.02 // by which another store may find less or more than a file
const LIMIT = 50 // results asked for, so that recall at 50 can be told

interface Run {
  readonly search: Answered[]
  /** The same questions put to another store, where one is measured. */
  readonly elsewhere: Answered[]
  readonly elsewhereTimes: number[]
  readonly bm25: Answered[]
  readonly meaning: Answered[]
  readonly times: number[]
  /** Verdicts on what can be answered, and on what cannot. */
  readonly known: Verdict[]
  readonly unknown: Verdict[]
  readonly contradictions: { pairs: number; found: number; wrong: number; others: number }
  bytes: number
  memories: number
}

type Verdict = Awaited<ReturnType<Stack['recall']>>['answerable']

/** How well search finds what answers, one store for each conversation, with its own defaults. */
export async function benchRecall(record: Record): Promise<void> {
  await benchAgentDays(record)
  await benchLanguages(record)
  const folder = dataFolder()
  if (folder === undefined) {
    console.error(
      'recall: conversations are left out; name a folder with --data=… or MUNIMENT_DATA',
    )
    return
  }
  await benchDocuments(record, folder)
  const runs = new Map<string, Run>()
  const other = process.argv.includes('--store=postgres') ? await serverPlace() : null
  try {
    for (const conversation of readConversations(folder)) {
      const run = runs.get(conversation.set) ?? emptyRun()
      runs.set(conversation.set, run)
      await ask(conversation, run)
      if (other) await askElsewhere(conversation, other, run)
    }
  } finally {
    await other?.close()
  }
  for (const [set, run] of runs) {
    tell(record, set, run)
    if (other) tellParity(record, set, run)
  }
}

const emptyRun = (): Run => ({
  search: [],
  elsewhere: [],
  elsewhereTimes: [],
  bm25: [],
  meaning: [],
  times: [],
  known: [],
  unknown: [],
  contradictions: { pairs: 0, found: 0, wrong: 0, others: 0 },
  bytes: 0,
  memories: 0,
})

async function ask(conversation: Conversation, run: Run): Promise<void> {
  const [words, meaning] = [bm25(conversation), meaningAlone(conversation)]
  await withConversation(conversation, FILES, async ({ stack, turnOf, fileBytes }) => {
    run.bytes += fileBytes
    run.memories += turnOf.size
    for (const { text, evidence: gold, ...asked } of conversation.questions) {
      const start = performance.now()
      const { results, answerable } = await stack.recall(text, { limit: LIMIT })
      const took = performance.now() - start
      if (!isAnswerable({ text, evidence: gold, ...asked })) {
        run.unknown.push(answerable)
        continue
      }
      run.known.push(answerable)
      run.times.push(took)
      const order = results.map(({ metadata }) => turnOf.get(String(metadata.ref)) ?? '')
      run.search.push({ gold, order })
      run.bm25.push({ gold, order: words(text) })
      run.meaning.push({ gold, order: meaning(text) })
    }
    await contradict({ conversation, stack, turnOf }, run)
  })
}

const BOTH_SIDES = 'contradiction_resolution'

/** Each message of the person is compared with all others, as a write compares it. */
async function contradict(
  {
    conversation,
    stack,
    turnOf,
  }: Pick<Kept, 'stack' | 'turnOf'> & {
    readonly conversation: Conversation
  },
  { contradictions }: Run,
): Promise<void> {
  const asked = conversation.questions.filter(({ category }) => category === BOTH_SIDES)
  const sides = asked.map(({ evidence }) => evidence).filter(({ length }) => length > 1)
  if (sides.length === 0) return
  const said = conversation.turns.filter(({ role }) => role === 'user')
  const found = new Set<string>()
  for (const { id, text } of said) {
    for (const { memory } of await stack.claims.contradictions(text, { kinds: ['raw'] })) {
      const other = turnOf.get(memory.ref)
      if (other === undefined || other === id) continue
      found.add(`${id} ${other}`)
      const isRight = sides.some((side) => side.includes(id) && side.includes(other))
      if (!isRight) contradictions.wrong += 1
    }
  }
  contradictions.pairs += sides.length
  contradictions.others += said.length * (said.length - 1)
  contradictions.found += sides.filter((side) =>
    side.some((one) => side.some((other) => found.has(`${one} ${other}`))),
  ).length
}

async function askElsewhere(conversation: Conversation, place: Place, run: Run): Promise<void> {
  await withConversation(conversation, place, async ({ stack, turnOf }) => {
    for (const { text, evidence: gold } of conversation.questions.filter(isAnswerable)) {
      const start = performance.now()
      const { results } = await stack.recall(text, { limit: LIMIT })
      run.elsewhereTimes.push(performance.now() - start)
      const order = results.map(({ metadata }) => turnOf.get(String(metadata.ref)) ?? '')
      run.elsewhere.push({ gold, order })
    }
  })
}

/** That the other store finds as well as a file does, and how often it finds the very same. */
function tellParity(record: Record, set: string, { search, elsewhere, elsewhereTimes }: Run): void {
  const [here, there] = [measuresOf(search), measuresOf(elsewhere)]
  for (const figure of ['r10', 'ndcg10', 'r50'] as const) {
    const met = Math.abs(there[figure] - here[figure]) <= PARITY_MAX
    record({
      name: `${set}, PostgreSQL, ${FIGURES[figure]}`,
      value: there[figure],
      unit: '',
      budget: `within ${PARITY_MAX} of a file's ${here[figure].toFixed(3)}`,
      met,
    })
  }
  for (const depth of [10, LIMIT]) {
    const firstOf = (each: Answered | undefined): string | undefined =>
      each?.order.slice(0, depth).join(' ')
    const same = search.filter((each, at) => firstOf(each) === firstOf(elsewhere[at]))
    const name = `${set}, PostgreSQL, the same first ${depth} in the same order`
    record({ name, value: same.length / search.length, unit: `of ${search.length}` })
  }
  const { p50 } = quantiles(elsewhereTimes)
  record({ name: `${set}, PostgreSQL, search for ${LIMIT}, p50`, value: p50, unit: 'ms' })
}

function tell(record: Record, set: string, run: Run): void {
  const rankings = { search: run.search, 'bm25 alone': run.bm25, 'embedder alone': run.meaning }
  for (const [name, answers] of Object.entries(rankings)) {
    const { questions: _, ...measures } = measuresOf(answers)
    for (const [figure, value] of Object.entries(measures)) {
      const least = name === 'search' ? BUDGETS[`${set} ${figure}`] : undefined
      const budget = least === undefined ? {} : { budget: `≥ ${least}`, met: value >= least }
      record({
        name: `${set}, ${name}, ${FIGURES[figure as keyof Measures]}`,
        value,
        unit: '',
        ...budget,
      })
    }
  }
  tellVerdicts(record, set, run)
  const { pairs, found, wrong, others } = run.contradictions
  if (pairs > 0) {
    const value = found / pairs
    const budget = { budget: '≥ 0.5', met: value >= 0.5 }
    record({ name: `${set}, contradictions found`, value, unit: `of ${pairs}`, ...budget })
    record({ name: `${set}, other pairs named`, value: wrong / others, unit: `of ${others}` })
  }
  const { p50, p95 } = quantiles(run.times)
  record({ name: `${set}, search for ${LIMIT}, p50`, value: p50, unit: 'ms' })
  record({ name: `${set}, search for ${LIMIT}, p95`, value: p95, unit: 'ms' })
  record({ name: `${set}, files of a memory`, value: run.bytes / run.memories, unit: 'bytes' })
}

const FALSE_MAX = 0.05 // of what can be answered, called unanswerable

function tellVerdicts(record: Record, set: string, { known, unknown }: Run): void {
  const chances = (verdicts: readonly Verdict[]) => verdicts.map(({ chance }) => chance)
  const abstained = (verdicts: readonly Verdict[]) =>
    verdicts.filter(({ isLikely }) => !isLikely).length / Math.max(1, verdicts.length)
  const value = abstained(known)
  const budget = { budget: `≤ ${FALSE_MAX}`, met: value <= FALSE_MAX }
  record({ name: `${set}, falsely abstained`, value, unit: '', ...budget })
  if (unknown.length === 0) return
  record({ name: `${set}, rightly abstained`, value: abstained(unknown), unit: '' })
  record({ name: `${set}, abstention AUC`, value: auc(chances(known), chances(unknown)), unit: '' })
}

const FIGURES: Readonly<{ [figure in keyof Measures]: string }> = {
  questions: 'questions',
  r5: 'R@5',
  r10: 'R@10',
  r20: 'R@20',
  r50: 'R@50',
  ndcg10: 'NDCG@10',
  mrr: 'MRR',
}
