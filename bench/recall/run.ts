import type { Stack } from '../../src/stack/stack.ts'
import { quantiles, type Record } from '../report.ts'
import { type Conversation, dataFolder, isAnswerable, readConversations } from './data.ts'
import { type Answered, auc, type Measures, measuresOf } from './measures.ts'
import { bm25, meaningAlone } from './rivals.ts'
import { withConversation } from './stores.ts'

/** What the design asks for of search itself. */
const BUDGETS: Readonly<{ [figure: string]: number }> = {
  'locomo r10': 0.75,
  'locomo ndcg10': 0.57,
  'beam ndcg10': 0.54,
}
const LIMIT = 50 // results asked for, so that recall at 50 can be told

interface Run {
  readonly search: Answered[]
  readonly bm25: Answered[]
  readonly meaning: Answered[]
  readonly times: number[]
  /** Verdicts on what can be answered, and on what cannot. */
  readonly known: Verdict[]
  readonly unknown: Verdict[]
  bytes: number
  memories: number
}

type Verdict = Awaited<ReturnType<Stack['recall']>>['answerable']

/** How well search finds what answers, one store for each conversation, with its own defaults. */
export async function benchRecall(record: Record): Promise<void> {
  const folder = dataFolder()
  if (folder === undefined) {
    console.error('recall: left out; name a folder with --data=… or MUNIMENT_DATA')
    return
  }
  const runs = new Map<string, Run>()
  for (const conversation of readConversations(folder)) {
    const run = runs.get(conversation.set) ?? emptyRun()
    runs.set(conversation.set, run)
    await ask(conversation, run)
  }
  for (const [set, run] of runs) tell(record, set, run)
}

const emptyRun = (): Run => ({
  search: [],
  bm25: [],
  meaning: [],
  times: [],
  known: [],
  unknown: [],
  bytes: 0,
  memories: 0,
})

async function ask(conversation: Conversation, run: Run): Promise<void> {
  const [words, meaning] = [bm25(conversation), meaningAlone(conversation)]
  await withConversation(conversation, async ({ stack, turnOf, fileBytes }) => {
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
  })
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
