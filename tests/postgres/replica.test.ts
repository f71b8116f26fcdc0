import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { connecting } from '../../src/stores/postgres/drivers.ts'
import { type PgDriver, postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { copyOfDatabase, type OwnDatabase, ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const DEMO = parseStackId('demo')

holds(
  'STORE-ORDER',
  'a replica answers as far as it has come, and never less than was seen here',
  async () => {
    const database = await ownDatabase()
    const home = ownHome()
    const first = postgres({ connectionString: database.url, poolSize: 2 })
    const one = await openStack('demo', { store: first, home })
    const me = new Entity('agent')
    await me.attachStack(one)
    await me.note('before the copy was made')
    await one.close()
    await first.close()
    // A copy stands for a replica that has stopped to follow.
    const copy = await copyOfDatabase(database)
    const open = () =>
      postgres({
        connectionString: database.url,
        replica: { connectionString: copy.url },
        poolSize: 2,
      })
    const store = open()
    const stack = await openStack('demo', { store, home })
    await me.attachStack(stack)
    await me.note('after the copy was made')
    expect(await stack.getNotes({ limit: 10 })).toHaveLength(2)
    const other = open()
    const elsewhere = await openStack('demo', { store: other, home })
    expect(await elsewhere.getNotes({ limit: 10 })).toHaveLength(1)
    const writer = new Entity('agent')
    await writer.attachStack(elsewhere)
    await writer.note('by somebody who had read less')
    expect(await elsewhere.getNotes({ limit: 10 })).toHaveLength(3)
    expect((await elsewhere.ledger.audit()).problems).toEqual([])
    for (const each of [stack, elsewhere]) await each.close()
    for (const each of [store, other]) await each.close()
    // One that is gone is not missed.
    const gone = postgres({
      connectionString: database.url,
      replica: { connectionString: 'postgres://nobody@127.0.0.1:1/none' },
      poolSize: 2,
    })
    const alone = await openStack('demo', { store: gone, home })
    expect(await alone.getNotes({ limit: 10 })).toHaveLength(3)
    await alone.close()
    await gone.close()
  },
)

const driverTo = (connectionString: string): PgDriver =>
  connecting({ connectionString, poolSize: 2, connectTimeoutMs: 5_000 }, true)

/** A replica of which the test says who stands behind its address; nobody at first. */
function turnable() {
  const made: PgDriver[] = []
  let current: PgDriver | null = null
  const driver: PgDriver = {
    size: 2,
    connect: async () => {
      if (current) return current.connect()
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    },
    close: async () => {
      for (const each of made) await each.close()
    },
  }
  const turnTo = (url: string): void => {
    current = driverTo(url)
    made.push(current)
  }
  return { driver, turnTo }
}

/** A stack with three notes, and two copies of its database that know one and two of them. */
async function threeNotes() {
  const database = await ownDatabase()
  const home = ownHome()
  const copies: OwnDatabase[] = []
  const me = new Entity('agent')
  for (const said of ['the first', 'the second', 'the third']) {
    const store = postgres({ connectionString: database.url, poolSize: 2 })
    const stack = await openStack('demo', { store, home })
    await me.attachStack(stack)
    await me.note(`${said} of three`)
    await stack.close()
    await store.close()
    if (copies.length < 2) copies.push(await copyOfDatabase(database))
  }
  const [one, two] = copies as [OwnDatabase, OwnDatabase] // pushed above
  const reader = async (driver: PgDriver) => {
    const store = postgres({ connectionString: database.url, replica: { driver }, poolSize: 2 })
    const stack = await openStack('demo', { store, home })
    const notes = async (): Promise<number> => (await stack.getNotes({ limit: 10 })).length
    const close = async (): Promise<void> => {
      await stack.close()
      await store.close()
    }
    return { store, stack, notes, close }
  }
  return { database, one, two, reader }
}

holds(
  'STORE-ORDER',
  'what was read here, from whichever server, is never missing from what is read next',
  async () => {
    const { one, two, reader } = await threeNotes()
    // From the first server, while the replica is away.
    const away = turnable()
    const first = await reader(away.driver)
    expect(await first.notes()).toBe(3)
    away.turnTo(one.url)
    expect(await first.notes()).toBe(3)
    await first.close()
    // From a replica that is ahead of the one that answers next.
    const shifting = turnable()
    shifting.turnTo(two.url)
    const second = await reader(shifting.driver)
    expect(await second.notes()).toBe(2)
    shifting.turnTo(one.url)
    expect(await second.notes()).toBe(3)
    await second.close()
    // From a moment that was held still.
    const behind = await reader(driverTo(one.url))
    expect(await behind.notes()).toBe(1)
    await behind.store.snapshot((held) => held.read(DEMO, { type: 'counts' }))
    expect(await behind.notes()).toBe(3)
    await behind.close()
  },
)

holds(
  'STORE-ORDER',
  'a reader demands the head that somebody else has seen, and gets it or is told',
  async () => {
    const { one, two, reader } = await threeNotes()
    const ahead = await reader(driverTo(two.url))
    const seen = await ahead.stack.ledger.head()
    await ahead.close()
    const behind = await reader(driverTo(one.url))
    expect(await behind.notes()).toBe(1)
    await expect(behind.store.atLeast('demo', { rev: seen.rev + 1_000 })).rejects.toMatchObject({
      code: 'store_unavailable',
      facts: { rev: seen.rev + 1_000 },
    })
    await expect(behind.store.atLeast('demo', { rev: Number.NaN })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await behind.close()
    const asking = await reader(driverTo(one.url))
    await asking.store.atLeast('demo', { rev: 1 })
    expect(await asking.notes()).toBe(1)
    await asking.store.atLeast('demo', seen)
    expect(await asking.notes()).toBe(3)
    await asking.close()
  },
)

holds('STORE-ORDER', 'rows that were folded anew are read where they were written', async () => {
  const { one, reader } = await threeNotes()
  const { stack, close } = await reader(driverTo(one.url))
  await stack.ledger.rebuild()
  expect(await stack.getNotes({ limit: 10 })).toHaveLength(3)
  await close()
})
