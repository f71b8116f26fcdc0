import { quantiles, type Record, timed } from './report.ts'
import { type Bench, withStack, writeLife } from './stacks.ts'
import { wordAt } from './words.ts'

/** Chains of the given lengths: claims may derive from claims, so that a chain is one kind deep. */
async function chainOf({ entity }: Bench, length: number): Promise<string> {
  const first = await entity.raw('the words at the root of the chain')
  let ref: string = first.ref
  for (let step = 0; step < length; step += 1) {
    const claim = { subject: `chain ${length}`, predicate: `step ${step}`, value: step }
    const written = await entity.claim(claim, { derivedFrom: [ref] })
    ref = written.ref
  }
  return ref
}

/** Questions of three words, from seldom ones to those that stand in every third memory. */
const QUESTIONS: readonly (readonly [name: string, ranks: readonly number[]])[] = [
  ['seldom words', [900, 2_400, 5_200]],
  ['mixed words', [40, 300, 2_400]],
  ['the commonest words', [0, 1, 2]],
]

/** The p50 that the design asks for, in ms, by how many memories there are. */
const BUDGETS = {
  load: new Map([
    [10_000, 20],
    [100_000, 60],
  ]),
  search: new Map([
    [10_000, 5],
    [100_000, 20],
  ]),
} as const

export async function benchReads(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    await writeLife(bench, memories)
    const at = `at ${memories.toLocaleString('en')} memories`
    const measure = async (what: string, times: number, work: (turn: number) => unknown) => {
      await work(0)
      const { p50 } = quantiles(await timed(times, work))
      const limit = BUDGETS[what.startsWith('load') ? 'load' : 'search'].get(memories)
      const isBudgeted = /^(load|search)/.test(what) && limit !== undefined
      const budget = isBudgeted ? { budget: `≤ ${limit} ms`, met: p50 <= limit } : {}
      record({ name: `${what}, ${at}, p50`, value: p50, unit: 'ms', ...budget })
    }
    const { stack } = bench
    const some = await stack.list('note', { limit: 200 })
    await measure('get by id', 1_000, (turn) => stack.getMemory('note', some[turn % 200]?.id ?? ''))
    await measure('get 50 newest', 200, () => stack.getNotes({ limit: 50 }))
    await measure('get 50 by a tag of one in 30', 50, () => stack.getNotes({ tags: ['day-7'] }))
    await measure('get all by a tag of one in 1,000', 20, () =>
      stack.getNotes({ tags: ['seldom'] }),
    )
    await measure('get 50 of a context', 50, () => stack.getNotes({ context: 'project:ten' }))
    await measure('get 50, confidence ≥ 0.9', 50, () => stack.getBeliefs({ minConfidence: 0.9 }))
    await measure('load(8000)', 30, () => stack.load({ tokenBudget: 8_000 }))
    for (const [name, ranks] of QUESTIONS) {
      const question = ranks.map(wordAt).join(' ')
      await measure(`search, ${name}`, 30, () => stack.search(question))
    }
    const sweep = await timed(1, () => stack.maintenance())
    record({ name: `maintenance, ${at}`, value: quantiles(sweep).p50, unit: 'ms' })
    for (const length of [10, 100, 1_000]) {
      const ref = await chainOf(bench, length)
      const { p50 } = quantiles(await timed(50, () => stack.trace(ref)))
      const budget = length === 1_000 ? { budget: '≤ 5 ms', met: p50 <= 5 } : {}
      record({ name: `trace ${length} deep, ${at}, p50`, value: p50, unit: 'ms', ...budget })
    }
  })
}
