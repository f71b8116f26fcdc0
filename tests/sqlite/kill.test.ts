import { expect } from 'vitest'
import { seededDice } from '../../src/testing/world.ts'
import { forEachSeed } from '../support/each-seed.ts'
import { holds } from '../support/holds.ts'
import { ownFolder, ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { openOn } from './support/small-stack.ts'
import { startWriter, type WriterTask } from './support/writer.ts'

const RUNS = 12
const RUNS_PER_FILE = 5 // so that births, recoveries and recoveries of recoveries are all met
const RUN_MS_MAX = 20_000
const KILL_AFTER_MS_MAX = 120
const START_MS_MAX = 400 // about what a process takes until it writes: it may die before

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

holds(
  ['STORE-ACKED', 'LEDGER-ATOMIC'],
  'a process killed at any moment loses no write that it acknowledged',
  async () => {
    await forEachSeed(1, async (seed) => {
      const dice = seededDice(seed)
      const folder = ownFolder()
      let acked = new Set<string>()
      for (let run = 0; run < RUNS; run += 1) {
        const path = `${folder}/${Math.floor(run / RUNS_PER_FILE)}/demo.db`
        if (run % RUNS_PER_FILE === 0) acked = new Set()
        const atOnce = dice.pick([1, 4, 64])
        const task = { path, name: `agent-${run}`, kind: 'note', writes: 100_000, atOnce } as const
        const isEarly = dice.isLucky(0.2)
        const afterMs = dice.roll(isEarly ? START_MS_MAX : KILL_AFTER_MS_MAX)
        for (const id of await killed(task, { isEarly, afterMs })) acked.add(id)
        const problems = await lossesIn(path, acked)
        expect(problems, `run ${run}, ${atOnce} at once`).toEqual([])
      }
    })
  },
  RUNS * RUN_MS_MAX,
)

async function killed(
  task: WriterTask,
  { isEarly, afterMs }: { readonly isEarly: boolean; readonly afterMs: number },
): Promise<readonly string[]> {
  const { child, ready, ended } = startWriter(task)
  if (!isEarly) await ready
  await later(afterMs)
  child.kill('SIGKILL')
  const { acked, errors, stderr } = await ended
  expect({ errors, stderr }).toEqual({ errors: [], stderr: '' })
  return acked
}

/** What is not as it must be: acknowledged notes that are gone, and what the audit finds. */
async function lossesIn(path: string, acked: ReadonlySet<string>): Promise<readonly unknown[]> {
  const opened = await openOn(path)
  const { problems } = await opened.stack.ledger.audit()
  const rows = await opened.store.read(DEMO, {
    type: 'memories',
    where: { kind: 'note', present: true },
    limit: 1e9,
  })
  const there = new Set<string>(rows.map(({ state }) => state.id))
  const damage = await opened.store.check()
  await opened.close()
  return [...problems, ...[...acked].filter((id) => !there.has(id)), ...damage]
}

holds(
  ['STORE-ACKED', 'LEDGER-ATOMIC'],
  'writes that the file system refuses in the middle of a commit are errors, and lose nothing',
  async () => {
    const path = ownPath()
    const { ended } = startWriter(
      { path, name: 'agent', kind: 'note', writes: 600, atOnce: 40 },
      900,
    )
    const { acked, errors, stderr } = await ended
    expect(stderr).toBe('')
    expect(acked.length).toBeGreaterThan(0)
    expect(errors.length).toBeGreaterThan(0)
    for (const code of new Set(errors)) expect(['store_full', 'store_unavailable']).toContain(code)
    expect(await lossesIn(path, new Set(acked))).toEqual([])
  },
  RUN_MS_MAX * 3,
)
