import { expect } from 'vitest'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { DEMO } from './support/history.ts'
import { openOn } from './support/small-stack.ts'
import { startWriter } from './support/writer.ts'

const PROCESSES = 4
const WRITES = 500
const TIMEOUT_MS = 180_000

holds(
  ['STORE-ORDER', 'STORE-ACKED'],
  'four processes with five hundred writes each share one dense order, and none of them fails',
  async () => {
    const path = ownPath()
    const writers = Array.from({ length: PROCESSES }, (_, index) =>
      startWriter({ path, name: `agent-${index}`, kind: 'raw', writes: WRITES, atOnce: 10 }),
    )
    const reader = new SqliteStore({ path })
    const ended = Promise.all(writers.map((writer) => writer.ended))
    const heads = await watch(reader, ended)
    const results = await ended
    for (const { errors, stderr, isDone } of results) {
      expect({ errors, stderr, isDone }).toEqual({ errors: [], stderr: '', isDone: true })
    }
    expect(heads).toEqual([...heads].sort((a, b) => a - b))
    const acked = new Set(results.flatMap((result) => result.acked))
    expect(acked.size).toBe(PROCESSES * WRITES)
    await reader.close()

    const opened = await openOn(path)
    expect(await opened.stack.getStats()).toMatchObject({ total: PROCESSES * WRITES })
    expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true, problems: [] })
    const states = await opened.store.read(DEMO, {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      limit: 10_000,
    })
    expect(states.filter(({ id }) => acked.has(id)).length).toBe(acked.size)
    await opened.close()
  },
  TIMEOUT_MS,
)

/** Reads all the while, as another process would; a read that fails ends the test. */
async function watch(reader: SqliteStore, until: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const heads: number[] = []
  while (!isOver) {
    const { tip } = await reader.read(DEMO, { type: 'standing' })
    const { seq } = tip.head
    const entries = await reader.read(DEMO, { type: 'entries', from: Math.max(0, seq), limit: 1 })
    if (seq >= 0) expect(entries.length).toBe(1)
    heads.push(seq)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return heads
}
