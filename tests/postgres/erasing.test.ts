import pg from 'pg'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { TABLES } from '../../src/stores/postgres/schema.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()
const CANARY = 'Zwickel77' // with digits, so that it is kept as it is

/** Rows that hold a word anywhere, in text or in bytes, by table. */
async function holding(word: string): Promise<readonly string[]> {
  const hex = Buffer.from(word).toString('hex')
  const found: string[] = []
  for (const table of TABLES) {
    const [row] = await database.sql(
      `SELECT count(*)::int FROM muniment.${table} t
       WHERE position(lower($1) IN lower(t::text)) > 0 OR position($2 IN t::text) > 0`,
      [word, hex],
    )
    if (row?.[0] !== 0) found.push(table)
  }
  return found
}

holds(
  'LEDGER-CONTENTLESS',
  'an erasure leaves no row that holds the words, and a ledger that still verifies',
  async () => {
    const store = postgres({ connectionString: database.url, poolSize: 4 })
    const stack = await openStack('demo', { store, home: ownHome() })
    const me = new Entity('agent')
    await me.attachStack(stack)
    await me.note('the harbour is closed on Sundays')
    const secret = await me.note(`the code word is ${CANARY}`, { session: 'talk' })
    const results = await stack.search(CANARY, { session: 'talk', actor: 'agent' })
    expect(results).not.toEqual([])
    expect(await holding(CANARY)).toEqual(expect.arrayContaining(['sealed', 'words', 'postings']))
    const { scrubbed, certificate } = await stack.erasure.erase(String(secret.ref))
    expect(scrubbed).toBe(true)
    expect(certificate?.statement).toContain(
      '"notCovered":["backups","copies","exports","freed_space","replicas","server_log","sessions","statistics","storage","tags"]',
    )
    expect(await holding(CANARY)).toEqual([])
    expect(await store.read(stack.stackId, { type: 'table', name: 'scrubs' })).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
    expect(await store.check(stack.stackId)).toEqual([])
    expect(await stack.search('harbour')).toHaveLength(1)
    // Its words stay out, and dead rows are gone from the tables that held them.
    await expect(me.note(`the code word is ${CANARY}`)).rejects.toMatchObject({ code: 'refused' })
    await stack.close()
    await store.close()
  },
)

test('what PostgreSQL could not remove is not called removed: it is done when nobody is in the way', async () => {
  const store = postgres({ connectionString: database.url, poolSize: 4 })
  const stack = await openStack('watched', { store, home: ownHome() })
  const me = new Entity('agent')
  await me.attachStack(stack)
  const secret = await me.note(`the code word is ${CANARY}`)
  const reader = new pg.Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await reader.query('SELECT count(*) FROM muniment.schema_version')
  const erased = await stack.erasure.erase(String(secret.ref))
  expect(erased.scrubbed).toBe(false)
  expect(await store.read(stack.stackId, { type: 'table', name: 'scrubs' })).not.toEqual([])
  expect(await store.scrub(stack.stackId)).toBe(false)
  await reader.query('COMMIT')
  await reader.end()
  expect(await store.scrub(stack.stackId)).toBe(true)
  expect(await store.read(stack.stackId, { type: 'table', name: 'scrubs' })).toEqual([])
  await stack.close()
  await store.close()
})

test('a login that may not vacuum is told so: PostgreSQL only warns it', async () => {
  const owner = postgres({ connectionString: database.url, poolSize: 4 })
  const home = ownHome()
  const stack = await openStack('lent', { store: owner, home })
  const me = new Entity('agent')
  await me.attachStack(stack)
  const secret = await me.note(`the code word is ${CANARY}`)
  await database.sql("CREATE ROLE lodger LOGIN PASSWORD 'lodger' IN ROLE muniment_app", [])
  const connectionString = database.url.replace(/\/\/[^@]+@/, '//lodger:lodger@')
  const lodger = postgres({ connectionString, poolSize: 2 })
  const theirs = await openStack('lent', { store: lodger, home })
  expect((await theirs.erasure.erase(String(secret.ref))).scrubbed).toBe(false)
  expect(await lodger.scrub(stack.stackId)).toBe(false)
  expect(await owner.scrub(stack.stackId)).toBe(true)
  await theirs.close()
  await stack.close()
  await lodger.close()
  await owner.close()
})
