import pg from 'pg'
import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()

/** Partitions of growing tables that a connection has locked, by their number. */
const LOCKED = `
  SELECT DISTINCT right(c.relname, 2) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
  WHERE l.pid = $1 AND c.relname ~ '^(provenance_log|sealed|memories|edges|words|postings|bursts|vectors)_[0-9]{2}$'`

holds(
  'SCOPE-BOUND',
  'plans and locks touch the partition of one stack, however often they ran',
  async () => {
    const home = ownHome()
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    const locked = new Set<string>()
    let statements = 0
    const watched = {
      options: { max: 2 },
      end: () => pool.end(),
      connect: async () => {
        const client = await pool.connect()
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        const query = client.query.bind(client) as (config: object) => Promise<unknown>
        return {
          // Looked at while the transaction is open, before it ends and lets its locks go.
          query: async (config: { readonly text: string }) => {
            if (/^(COMMIT|ROLLBACK)/.test(config.text)) {
              statements += 1
              for (const [part] of await database.sql(LOCKED, [rows[0]?.pid]))
                locked.add(String(part))
            }
            return query(config)
          },
          release: (state?: Error | boolean) => client.release(state),
          on: () => undefined,
          removeListener: () => undefined,
        }
      },
    }
    const store = postgres({ pool: watched })
    const stack = await openStack('demo', { store, home })
    const me = new Entity('agent')
    await me.attachStack(stack)
    for (let count = 0; count < 12; count += 1) {
      const { ref } = await me.note(`the ferry leaves at ${count} from the old harbour`)
      await stack.search('ferry harbour')
      await stack.history.why(String(ref))
      await stack.load({ tokenBudget: 500 })
      await me.claim({ subject: 'ferry', predicate: `at ${count % 3}`, value: count })
    }
    await stack.forgetMemory('note', (await stack.getNotes({ limit: 1 }))[0]?.id ?? '', 'a test')
    await stack.close()
    await store.close()
    await pool.end()
    expect(statements).toBeGreaterThan(50)
    expect([...locked]).toHaveLength(1)
  },
)
