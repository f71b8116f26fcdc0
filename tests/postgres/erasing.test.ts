import { expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
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
    const { scrubbed } = await stack.erase(String(secret.ref))
    expect(scrubbed).toBe(true)
    expect(await holding(CANARY)).toEqual([])
    expect(await store.read(stack.stackId, { type: 'scrubs' })).toEqual([])
    expect((await stack.audit()).problems).toEqual([])
    expect(await store.check(stack.stackId)).toEqual([])
    expect(await stack.search('harbour')).toHaveLength(1)
    // Its words stay out, and dead rows are gone from the tables that held them.
    await expect(me.note(`the code word is ${CANARY}`)).rejects.toMatchObject({ code: 'refused' })
    await stack.close()
    await store.close()
  },
)
