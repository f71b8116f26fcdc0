import { quantiles, type Record, timed } from './report.ts'
import { type Bench, withStack, writeNotes } from './stacks.ts'

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

export async function benchReads(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    await writeNotes(bench, { count: Math.floor(memories / 2), writers: 256 })
    const { stack } = bench
    const some = await stack.list('note', { limit: 200 })
    const gets = await timed(1_000, (turn) => stack.getMemory('note', some[turn % 200]?.id ?? ''))
    const name = `at ${memories.toLocaleString('en')} memories`
    record({ name: `get by id, ${name}, p50`, value: quantiles(gets).p50, unit: 'ms' })
    const lists = await timed(200, () => stack.getNotes({ limit: 50 }))
    record({ name: `get 50 newest, ${name}, p50`, value: quantiles(lists).p50, unit: 'ms' })
    for (const length of [10, 100, 1_000]) {
      const ref = await chainOf(bench, length)
      const { p50 } = quantiles(await timed(50, () => stack.trace(ref)))
      const budget = length === 1_000 ? { budget: '≤ 5 ms', met: p50 <= 5 } : {}
      record({ name: `trace ${length} deep, ${name}, p50`, value: p50, unit: 'ms', ...budget })
    }
  })
}
