import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { TABLES } from '../../src/stores/postgres/schema.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()
const home = ownHome()

const TENANT = 'muniment_test_tenant'
const FREE = 'muniment_test_free'
await database.sql(`DROP ROLE IF EXISTS ${TENANT}`)
await database.sql(`DROP ROLE IF EXISTS ${FREE}`)
for (const login of [TENANT, FREE]) {
  await database.sql(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' NOBYPASSRLS`)
  await database.sql(`GRANT muniment_app TO ${login}`)
}
await database.sql('INSERT INTO muniment.bound_logins VALUES ($1, $2)', [TENANT, 'mine'])

async function write(stackId: string, words: string): Promise<void> {
  const store = postgres({ connectionString: database.url, poolSize: 2 })
  const stack = await openStack(stackId, { store, home })
  const me = new Entity('agent')
  await me.attachStack(stack)
  await me.note(words)
  await stack.search(words)
  await stack.close()
  await store.close()
}

await write('mine', 'the tide table is on the wall')
await write('theirs', 'the safe opens to seven three nine')

/** As a login, in one transaction, with the stack set to whatever it likes. */
async function asLogin<T>(
  login: string,
  stack: string | null,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: database.urlFor(login, 'secret') })
  await client.connect()
  try {
    await client.query('BEGIN; SET LOCAL search_path = muniment')
    if (stack !== null) await client.query("SELECT set_config('muniment.stack', $1, true)", [stack])
    return await work(client)
  } finally {
    await client.end()
  }
}

const countOf = async (client: pg.Client, table: string): Promise<number> => {
  const { rows } = await client.query(`SELECT count(*)::int AS many FROM ${table}`)
  return rows[0].many
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

describe('a login that is bound to one stack', () => {
  holds('SCOPE-BOUND', 'sees, counts and changes its own stack alone, by SQL', async () => {
    for (const table of TABLES) {
      const own = await asLogin(TENANT, 'mine', (client) => countOf(client, table))
      const all = Number((await database.sql(`SELECT count(*) FROM muniment.${table}`))[0]?.[0])
      const [row] = await database.sql(
        `SELECT count(*) FROM muniment.${table} WHERE stack_id = 'mine'`,
      )
      expect([table, own]).toEqual([table, Number(row?.[0])])
      const others = await asLogin(TENANT, 'theirs', (client) => countOf(client, table))
      expect([table, others]).toEqual([table, 0])
      const unset = await asLogin(TENANT, null, (client) => countOf(client, table))
      expect([table, unset]).toEqual([table, 0])
      if (['memories', 'sealed', 'provenance_log', 'words'].includes(table)) {
        expect(own, table).toBeGreaterThan(0)
        expect(all, table).toBeGreaterThan(own)
      }
    }
  })

  holds('SCOPE-BOUND', 'writes nothing into another stack, whatever it sets', async () => {
    const insert = `INSERT INTO tombstones (stack_id, mark, seq) VALUES ('theirs', '\\x00', 1)`
    for (const stack of ['mine', 'theirs', null]) {
      const code = await asLogin(TENANT, stack, (client) => codeOf(client.query(insert)))
      expect([stack, code]).toEqual([stack, '42501'])
    }
    const moved = await asLogin(TENANT, 'mine', (client) =>
      codeOf(client.query(`UPDATE memories SET stack_id = 'theirs'`)),
    )
    expect(moved).toBe('42501')
    const deleted = await asLogin(TENANT, 'theirs', async (client) => {
      return (await client.query('DELETE FROM words')).rowCount
    })
    expect(deleted).toBe(0)
  })

  holds('SCOPE-BOUND', 'reaches no other stack through the library either', async () => {
    const store = postgres({ connectionString: database.urlFor(TENANT, 'secret'), poolSize: 2 })
    const mine = parseStackId('mine')
    const theirs = parseStackId('theirs')
    const counts = { type: 'counts' } as const
    expect(Object.keys(await store.read(mine, counts))).not.toEqual([])
    expect(await store.read(theirs, counts)).toEqual({})
    const { tip } = await store.read(theirs, { type: 'standing' })
    expect(tip.head.seq).toBe(-1)
    const stack = await openStack('theirs', { store, home })
    const me = new Entity('agent')
    await expect(me.attachStack(stack).then(() => me.note('let me in'))).rejects.toMatchObject({
      code: 'scope',
    })
    await stack.close()
    await store.close()
  })

  holds(
    'SCOPE-BOUND',
    'learns no name of another stack; who is bound to none learns them all',
    async () => {
      const namesAs = async (login: string) => {
        const store = postgres({ connectionString: database.urlFor(login, 'secret'), poolSize: 2 })
        const names = await store.stacks()
        await store.close()
        return names
      }
      expect(await namesAs(FREE)).toEqual(['mine', 'theirs'])
      expect(await namesAs(TENANT)).toEqual([])
    },
  )

  test('a login that is bound to none works with any, one at a time', async () => {
    for (const stack of ['mine', 'theirs']) {
      const seen = await asLogin(FREE, stack, (client) => countOf(client, 'memories'))
      expect(seen).toBeGreaterThan(0)
    }
  })
})

describe('the role that works with stacks', () => {
  holds(
    'LEDGER-APPEND',
    'may not change, delete or cut the log, and nobody may do so unseen',
    async () => {
      const statements = [
        `UPDATE provenance_log SET bytes = '\\x00'`,
        'DELETE FROM provenance_log',
        'TRUNCATE provenance_log',
        `UPDATE sealed SET bytes = '\\x00'`,
        'TRUNCATE sealed',
        'UPDATE erasures SET entry = 0',
        'DELETE FROM erasures',
      ]
      for (const sql of statements) {
        const code = await asLogin(FREE, 'mine', (client) => codeOf(client.query(sql)))
        expect([sql, code]).toEqual([sql, '42501'])
      }
      // The owner of everything is told by the guards.
      for (const sql of statements.slice(0, 5)) {
        const [verb, ...rest] = sql.replace('DELETE FROM ', 'DELETE ').split(' ')
        const owned =
          verb === 'DELETE'
            ? `DELETE FROM muniment.${rest.join(' ')}`
            : `${verb} muniment.${rest.join(' ')}`
        expect([owned, await codeOf(database.sql(owned))]).toEqual([owned, '23000'])
      }
      const unerased = await asLogin(FREE, 'mine', (client) =>
        codeOf(client.query('DELETE FROM sealed')),
      )
      expect(unerased).toBe('23000')
    },
  )

  holds('LEDGER-APPEND', 'adds entries behind the last one and nowhere else', async () => {
    const put = (seq: string, prevHash = 'entry_hash') => `
      INSERT INTO provenance_log (stack_id, seq, bytes, entry_hash, prev_hash)
      SELECT 'mine', ${seq}, '\\x7b7d', '\\x00', ${prevHash} FROM provenance_log`
    const once = (seq: string, prevHash?: string) =>
      `${put(seq, prevHash)} ORDER BY seq DESC LIMIT 1`
    for (const [sql, expected] of [
      [once('seq + 2'), '23000'],
      [once('seq'), '23505'],
      [once('seq + 1', "'\\x00'"), '23000'],
      [once('seq + 1'), 'done'],
      [put('seq + 1000'), '23000'],
    ] as const) {
      const code = await asLogin(FREE, 'mine', (client) => codeOf(client.query(sql)))
      expect([sql, code]).toEqual([sql, expected])
    }
  })

  test('reaches tables through their names alone: partitions are closed to it', async () => {
    const code = await asLogin(FREE, 'mine', (client) =>
      codeOf(client.query('SELECT count(*) FROM memories_00')),
    )
    expect(code).toBe('42501')
    const [role] = await database.sql(
      "SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'muniment_app'",
    )
    expect(role).toEqual([false, false, false])
  })
})

holds('SCOPE-BOUND', 'a check says when a guard or the security of a table is gone', async () => {
  const store = postgres({ connectionString: database.url, poolSize: 2 })
  const mine = parseStackId('mine')
  expect(await store.check(mine)).toEqual([])
  await database.sql('ALTER TABLE muniment.sealed DISABLE TRIGGER sealed_takes_no_update')
  await database.sql('ALTER TABLE muniment.words NO FORCE ROW LEVEL SECURITY')
  expect(await store.check(mine)).toEqual([
    { seq: null, says: 'the guard sealed_takes_no_update is gone' },
    { seq: null, says: 'words is not secured by stack' },
  ])
  await database.sql('ALTER TABLE muniment.sealed ENABLE TRIGGER sealed_takes_no_update')
  await database.sql('ALTER TABLE muniment.words FORCE ROW LEVEL SECURITY')
  await store.close()
})
