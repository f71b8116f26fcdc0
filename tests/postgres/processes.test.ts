import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'
import { startWriter } from './support/writer.ts'

const database = await ownDatabase()

holds(
  ['STORE-ORDER', 'STORE-ACKED'],
  'two processes write to one stack: one dense order, nothing lost, and readers never fail',
  async () => {
    const home = ownHome()
    const task = { url: database.url, home, writes: 60, atOnce: 6 }
    const writers = ['ann', 'bob'].map((name) => startWriter({ ...task, name }))
    const store = postgres({ connectionString: database.url, poolSize: 2 })
    const stack = await openStack('demo', { store, home })
    let isOver = false
    const reading = (async () => {
      let reads = 0
      for (; !isOver; reads += 1) await stack.getNotes({ limit: 5 })
      return reads
    })()
    const told = await Promise.all(writers.map(({ ended }) => ended))
    isOver = true
    expect(await reading).toBeGreaterThan(5)
    for (const { errors, isDone, stderr } of told) {
      expect([errors, isDone, stderr]).toEqual([[], true, ''])
    }
    const report = await stack.ledger.audit()
    expect(report.problems).toEqual([])
    const notes = await stack.getNotes({ limit: 1_000 })
    const ids = new Set<string>(notes.map(({ id }) => id))
    const acked = told.flatMap((each) => each.acked)
    expect(acked).toHaveLength(120)
    expect(acked.filter((id) => !ids.has(id))).toEqual([])
    expect(ids.size).toBe(120)
    await stack.close()
    await store.close()
  },
)

holds(
  'STORE-ORDER',
  'a process that is killed while it writes holds up nobody, and what it was told is there',
  async () => {
    await database.empty()
    const home = ownHome()
    const task = { url: database.url, home, writes: 5_000, atOnce: 4 }
    const killed = startWriter({ ...task, name: 'killed' })
    await killed.acked(8)
    killed.child.kill('SIGKILL')
    const { acked } = await killed.ended
    const store = postgres({ connectionString: database.url, poolSize: 2 })
    const stack = await openStack('demo', { store, home })
    const me = new Entity('survivor')
    await me.attachStack(stack)
    const { id } = await me.note('somebody is still here')
    expect((await stack.ledger.audit()).problems).toEqual([])
    const ids = new Set<string>((await stack.getNotes({ limit: 1_000 })).map((note) => note.id))
    expect([...acked, id].filter((each) => !ids.has(String(each)))).toEqual([])
    await stack.close()
    await store.close()
  },
)
