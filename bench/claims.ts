import type { JsonValue } from '../src/domain/kinds/json-value.ts'
import { openStack } from './built.ts'
import { writer } from './programs.ts'
import { quantiles, type Record, timed } from './report.ts'
import { sized, sizesTo } from './size.ts'
import { type Bench, together, withStack } from './stacks.ts'

const SAMPLE = sized(4_000, 20)

/** One claim on a line of its own, as a person would say it. */
const claimAlone = ({ stack }: Bench, number: number): Promise<unknown> =>
  stack.claims.remember(`subject ${number}`, 'city', `value ${number}`)

/** Claims on lines of their own, and what it costs to ask one of them. */
async function benchLines(record: Record, claims: number): Promise<void> {
  await withStack(async (bench) => {
    const { stack } = bench
    let written = 0
    const write = async (count: number, writers: number): Promise<number> => {
      const start = performance.now()
      await together({ count, writers }, () => {
        written += 1
        return claimAlone(bench, written)
      })
      return (count / (performance.now() - start)) * 1_000
    }
    await write(SAMPLE, 64) // warm, on lines that the figures do not count
    const from = written
    for (const size of sizesTo(claims)) {
      const sample = Math.min(size, SAMPLE)
      await write(Math.max(0, size - (written - from) - sample), 256)
      const rate = await write(sample, 64)
      const at = `${size.toLocaleString('en')} claims`
      record({ name: `durable claims at ${at}, 64 in flight`, value: rate, unit: 'claims/s' })
      const one = (turn: number) => `subject ${((turn * 7_919) % written) + 1}`
      const { p50 } = quantiles(
        await timed(sized(2_000, 5), (turn) =>
          stack.claims.ask({ subject: one(turn), predicate: 'city' }),
        ),
      )
      const budget = size === 100_000 ? { budget: '≤ 0.2 ms', met: p50 <= 0.2 } : {}
      record({ name: `ask a line of one claim, at ${at}, p50`, value: p50, unit: 'ms', ...budget })
    }
    await benchInTurns(record, claims, write)
    await benchBeside(record, bench)
  })
}

const TURNS = sized(7, 1)
const TURN_CLAIMS = sized(1_000, 10)

/**
 * The growth, in turns: so many claims on a stack that holds as many, then so many on the large one, by
 * a program that is equally warm for both; the middle turn counts, since the machine may be busy. The
 * small one never fills its log, so that all that moving a log into its file costs is the large one's.
 */
async function benchInTurns(record: Record, claims: number, write: Writing): Promise<void> {
  const turns: { readonly rate: number; readonly cpu: number }[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const small = await withStack(async (bench) => {
      let own = 0
      const saying = (): Promise<unknown> => {
        own += 1
        return claimAlone(bench, own)
      }
      await together({ count: TURN_CLAIMS, writers: 64 }, saying)
      return costOf(() => together({ count: TURN_CLAIMS, writers: 64 }, saying))
    })
    const large = await costOf(() => write(TURN_CLAIMS, 64))
    turns.push({ rate: small.wall / large.wall, cpu: small.cpu / large.cpu })
  }
  const size = claims.toLocaleString('en')
  const middle = (of: 'rate' | 'cpu') => quantiles(turns.map((turn) => turn[of])).p50
  const rate = middle('rate')
  record({
    name: `claims/s at ${size} ÷ at 1,000, in turns`,
    value: rate,
    unit: '',
    budget: '≥ 0.8',
    met: rate >= 0.8,
  })
  record({
    name: `processor time a claim at 1,000 ÷ at ${size}, in turns`,
    value: middle('cpu'),
    unit: '',
  })
}

type Writing = (count: number, writers: number) => Promise<number>

async function costOf(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: performance.now() - start, cpu: user + system }
}

/** Another process writes as fast as it can while this one asks; no question may fail. */
async function benchBeside(record: Record, { stack, folder }: Bench): Promise<void> {
  let isWriting = true
  const done = writer(folder, 1).then((code) => {
    isWriting = false
    return code
  })
  let [asked, failed] = [0, 0]
  while (isWriting) {
    asked += 1
    const subject = `subject ${(asked % SAMPLE) + 1}`
    const answer = await stack.claims.ask({ subject, predicate: 'city' }).catch(() => null)
    if (answer?.standing !== 'held') failed += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const met = failed === 0 && (await done) === 0
  const name = `failures of ${asked.toLocaleString('en')} answers beside a writing process`
  record({ name, value: failed, unit: '', budget: '0 failures', met })
}

interface Shape {
  readonly name: string
  readonly say: (bench: Bench, turn: number) => Promise<unknown>
}

const LINE = { subject: 'it', predicate: 'is' } as const

const said = (
  { stack }: Bench,
  value: JsonValue,
  options: Parameters<Bench['stack']['claims']['remember']>[3],
): Promise<unknown> => stack.claims.remember(LINE.subject, LINE.predicate, value, options)

const dayOf = (turn: number): string =>
  new Date(Date.UTC(2020, 0, 1 + turn)).toISOString().slice(0, 10)

const SHAPES: readonly Shape[] = [
  { name: 'one voice, a new word each', say: (bench, turn) => said(bench, `word ${turn}`, {}) },
  {
    name: 'one voice, a window each',
    say: (bench, turn) => said(bench, `word ${turn}`, { from: dayOf(turn), until: dayOf(turn) }),
  },
  {
    name: 'a set, a member each',
    say: (bench, turn) => said(bench, `word ${turn}`, { cardinality: 'SetValued' }),
  },
  {
    name: 'a voice and a value each',
    say: (bench, turn) => said(bench, `word ${turn}`, { actor: `voice ${turn}` }),
  },
]

const LONG = sized(1_000, 20)

/** One line of many claims, in the shapes that lines have. */
async function benchLong(record: Record, { name, say }: Shape): Promise<void> {
  await withStack(async (bench) => {
    const quarters: number[] = []
    for (let turn = 0; turn < LONG; turn += LONG / 4) {
      const start = performance.now()
      for (let step = 0; step < LONG / 4; step += 1) await say(bench, turn + step)
      quarters.push(performance.now() - start)
    }
    const [first = 1, , , last = 0] = quarters
    const growth = last / first
    record({
      name: `line of 1,000, ${name}: its last quarter ÷ its first`,
      value: growth,
      unit: '',
      budget: '≤ 1.5',
      met: growth <= 1.5,
    })
    const { p50 } = quantiles(await timed(sized(50, 2), () => bench.stack.claims.ask(LINE)))
    const label = `line of 1,000, ${name}: ask, p50`
    record({ name: label, value: p50, unit: 'ms', budget: '≤ 5 ms', met: p50 <= 5 })
    const all = quantiles(await timed(sized(10, 1), () => bench.stack.claims.timeline(LINE)))
    record({ name: `line of 1,000, ${name}: history, p50`, value: all.p50, unit: 'ms' })
    const cold = quantiles(await firstAsks(bench.folder))
    const once = `line of 1,000, ${name}: first ask once opened, p50`
    record({ name: once, value: cold.p50, unit: 'ms' })
  })
}

const OPENED = sized(10, 1)

/** What nobody kept at hand yet: the stack is opened, asked something else, and then asked. */
async function firstAsks(folder: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let turn = 0; turn < OPENED; turn += 1) {
    const stack = await openStack('bench', { home: folder })
    await stack.claims.ask({ subject: 'another', predicate: 'is' })
    times.push(...(await timed(1, () => stack.claims.ask(LINE))))
    await stack.close()
  }
  return times
}

export async function benchClaims(record: Record, claims: number): Promise<void> {
  for (const shape of SHAPES) await benchLong(record, shape)
  await benchLines(record, claims)
}
