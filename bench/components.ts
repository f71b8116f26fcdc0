import { quantiles, type Record, timed } from './report.ts'
import { sized } from './size.ts'
import { type Bench, together, withStack, writeNotes } from './stacks.ts'
import { sentence } from './words.ts'

const SAVES = sized(4_000, 20)
const ROUNDS = sized(5, 1)
const WRITERS = 64

type Save = (
  bench: Bench,
  amount: { readonly count: number; readonly writers: number },
) => Promise<number>

let number = 0

/** Each with its raw; every one of them names an emotion, so that each is read and annotated. */
const writeEpisodes: Save = async ({ entity }, amount) => {
  const start = performance.now()
  await together(amount, async () => {
    number += 1
    const outcome = `${sentence(number)} and I was very happy about it`
    await entity.episode({ objective: sentence(number + 1), outcome, observed: true })
  })
  return (amount.count / (performance.now() - start)) * 1_000
}

/** What the eight cost whoever saves, and what maintenance takes when there is much to maintain. */
export async function benchComponents(record: Record, memories: number): Promise<void> {
  await benchSaves(record, 'notes', writeNotes)
  await benchSaves(record, 'episodes, each annotated', writeEpisodes)
  await benchMaintenance(record, memories)
}

/** Bare and full take turns, and the middle round counts: the machine may be busy. */
async function benchSaves(record: Record, what: string, save: Save): Promise<void> {
  const rounds: { readonly bare: number; readonly full: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await withStack((bench) => rateOf(bench, save), { components: [] })
    rounds.push({ bare, full: await withStack((bench) => rateOf(bench, save)) })
  }
  const sorted = rounds.sort((a, b) => a.full / a.bare - b.full / b.bare)
  const { bare, full } = sorted[Math.floor(ROUNDS / 2)] ?? { bare: 1, full: 0 }
  record({ name: `${what}, ${WRITERS} in flight, bare stack`, value: bare, unit: '/s' })
  const ratio = full / bare
  record({
    name: `${what}, ${WRITERS} in flight, all components`,
    value: full,
    unit: '/s',
    ratio,
    budget: '≥ 0.6 × bare',
    met: ratio >= 0.6,
  })
}

async function rateOf(bench: Bench, save: Save): Promise<number> {
  await save(bench, { count: SAVES / 2, writers: WRITERS })
  return save(bench, { count: SAVES, writers: WRITERS })
}

const SECONDS_MAX = 30 // "in seconds": whoever waits for it can wait

async function benchMaintenance(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    const { stack, entity } = bench
    const episodes = memories / 10
    await writeNotes(bench, { count: (memories - episodes * 2) / 2, writers: 256 })
    await writeEpisodes(bench, { count: episodes, writers: 256 })
    for (let at = 0; at < sized(200, 3); at += 1) await entity.raw(`${sentence(at)}, decided today`)
    let told = 0
    const run = async (): Promise<number> => {
      const start = performance.now()
      await stack.maintenance({
        onProgress: () => {
          told += 1
        },
      })
      return (performance.now() - start) / 1_000
    }
    const size = memories.toLocaleString('en')
    const first = await run()
    record({
      name: `maintenance at ${size} memories, the first`,
      value: first,
      unit: 's',
      budget: `≤ ${SECONDS_MAX} s`,
      met: first <= SECONDS_MAX,
    })
    record({ name: '  progress told', value: told, unit: 'times' })
    record({ name: `maintenance at ${size} memories, again`, value: await run(), unit: 's' })
    const loads = quantiles(await timed(sized(50, 2), () => stack.load()))
    record({ name: `load at ${size} memories, all components, p50`, value: loads.p50, unit: 'ms' })
    const eases = quantiles(
      await timed(sized(50, 2), () => stack.health.componentReport('anxiety')),
    )
    record({ name: '  of which anxiety', value: eases.p50, unit: 'ms' })
  })
}
