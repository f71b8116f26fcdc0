import { quantiles, type Record } from '../report.ts'
import { type Conversation, isAnswerable, readConversations } from './data.ts'
import { type Answered, type Measures, measuresOf } from './measures.ts'
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
  bytes: number
  memories: number
}

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

export const dataFolder = (): string | undefined =>
  process.argv.find((arg) => arg.startsWith('--data='))?.slice('--data='.length) ??
  process.env.MUNIMENT_DATA

const emptyRun = (): Run => ({
  search: [],
  bm25: [],
  meaning: [],
  times: [],
  bytes: 0,
  memories: 0,
})

async function ask(conversation: Conversation, run: Run): Promise<void> {
  const [words, meaning] = [bm25(conversation), meaningAlone(conversation)]
  await withConversation(conversation, async ({ stack, turnOf, fileBytes }) => {
    run.bytes += fileBytes
    run.memories += turnOf.size
    for (const { text, evidence: gold, ...asked } of conversation.questions) {
      if (!isAnswerable({ text, evidence: gold, ...asked })) continue
      const start = performance.now()
      const results = await stack.search(text, { limit: LIMIT })
      run.times.push(performance.now() - start)
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
  const { p50, p95 } = quantiles(run.times)
  record({ name: `${set}, search for ${LIMIT}, p50`, value: p50, unit: 'ms' })
  record({ name: `${set}, search for ${LIMIT}, p95`, value: p95, unit: 'ms' })
  record({ name: `${set}, files of a memory`, value: run.bytes / run.memories, unit: 'bytes' })
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
