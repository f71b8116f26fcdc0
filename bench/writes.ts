import { join } from 'node:path'
import { floorOf } from './floor.ts'
import type { Record } from './report.ts'
import { sized, sizesTo } from './size.ts'
import { withStack, writeNotes } from './stacks.ts'

const NOTES = sized(6_000, 40)
const ROUNDS = sized(3, 1)

/**
 * Notes, each with the raw it captures: two memories, two entries, one commit with its group. The
 * engine and its floor take turns, and the middle round counts: the machine may be busy.
 */
export async function benchWrites(record: Record): Promise<void> {
  for (const writers of [1, 8, 64]) {
    await benchNotes(record, { writers, components: 'all' })
  }
  await benchNotes(record, { writers: 64, components: 'none' })
}

interface Setting {
  readonly writers: number
  readonly components: 'all' | 'none'
}

async function benchNotes(record: Record, setting: Setting): Promise<void> {
  const { writers, components } = setting
  const rounds: { readonly rate: number; readonly floor: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await roundOf(setting))
  const sorted = rounds.sort((a, b) => a.rate / a.floor - b.rate / b.floor)
  const { rate, floor } = sorted[Math.floor(ROUNDS / 2)] ?? { rate: 0, floor: 1 }
  const ratio = rate / floor
  record({
    name: `durable notes, ${writers} in flight, ${components} of the components`,
    value: rate,
    unit: 'notes/s',
    ratio,
    ...(writers === 64 ? { budget: '≥ 0.5 × floor', met: ratio >= 0.5 } : {}),
  })
  record({ name: `floor, ${writers} notes in a transaction`, value: floor, unit: 'notes/s' })
}

const roundOf = ({ writers, components }: Setting) =>
  withStack(
    async (bench) => {
      const count = writers === 1 ? NOTES / 10 : NOTES
      const untimed = count / 2
      await writeNotes(bench, { count: untimed, writers })
      const rate = await writeNotes(bench, { count, writers })
      await bench.stack.close()
      const file = join(bench.folder, 'stacks', 'bench.db')
      return { rate, floor: floorOf(file, { notesInTransaction: writers, untimed }) }
    },
    components === 'none' ? { components: [] } : {},
  )

/** The rate must not fall as the stack grows. */
export async function benchGrowth(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    const rateAt = new Map<number, number>()
    let written = 0
    for (const size of sizesTo(memories)) {
      const sample = Math.min(size / 2, 4_000)
      await writeNotes(bench, { count: Math.max(0, size / 2 - written - sample), writers: 256 })
      rateAt.set(size, await writeNotes(bench, { count: sample, writers: 64 }))
      written = size / 2
      const name = `durable notes at ${size.toLocaleString('en')} memories, 64 in flight`
      record({ name, value: rateAt.get(size) ?? 0, unit: 'notes/s' })
    }
    const [first = 1] = rateAt.values()
    const last = [...rateAt.values()].at(-1) ?? 0
    const ratio = last / first
    const name = `rate at ${memories.toLocaleString('en')} ÷ rate at 1,000`
    record({ name, value: ratio, unit: '', budget: '≥ 0.8', met: ratio >= 0.8 })
  })
}
