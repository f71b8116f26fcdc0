import pg from 'pg'
import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { Store } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { type PoolLike, postgres } from '../../src/stores/postgres/index.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

/** Where a connection breaks at the end of a commit: before the server heard of it, or after. */
type Break = 'before' | 'after' | null

/** A pool whose every third end of a transaction is lost, in turn one way and the other. */
function breaking(
  pool: pg.Pool,
  pipeline: boolean,
): { readonly pool: PoolLike; readonly lost: () => number } {
  let ends = 0
  let lost = 0
  const next = (): Break => {
    ends += 1
    if (ends % 3 !== 0) return null
    lost += 1
    return lost % 2 === 0 ? 'before' : 'after'
  }
  const cut = (client: object): Error => {
    const { connection } = client as { connection: { stream: { destroy(): void } } } // as pg keeps it
    connection.stream.destroy()
    return Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  }
  const connect = async () => {
    const client = await pool.connect()
    const query = client.query.bind(client) as (config: object) => Promise<unknown>
    return {
      query: async (config: { readonly text: string }) => {
        if (config.text !== 'COMMIT') return query(config)
        const at = next()
        if (at === 'before') throw cut(client)
        const answer = await query(config)
        if (at === 'after') throw cut(client)
        return answer
      },
      release: (state?: Error | boolean) => client.release(state),
      pipeline,
      on: client.on.bind(client),
      removeListener: client.removeListener.bind(client),
    }
  }
  return { pool: { connect, end: async () => undefined, options: { max: 4 } }, lost: () => lost }
}

/** Notes, and repeats of them that add no entry and are only counted. */
async function lifeOn(store: Store) {
  const world = fakeWorld(5)
  const stack = await openStack('demo', { store, ...world })
  const me = new Entity('agent')
  await me.attachStack(stack)
  for (let turn = 0; turn < 24; turn += 1) {
    world.clock.advance({ ms: 1_000 })
    const words = turn % 2 === 0 ? 'the ferry leaves at nine' : `turn ${turn} of the talk`
    await me.note(words, { label: label.userAsserted() })
  }
  const tallies = await store.read(stack.stackId, { type: 'table', name: 'tallies' })
  const { tip } = await store.read(stack.stackId, { type: 'standing' })
  const { problems } = await stack.ledger.audit()
  await stack.close()
  return { tallies, tip, problems }
}

async function areMadeOnce({ pipeline }: { readonly pipeline: boolean }): Promise<void> {
  const database = await ownDatabase()
  ownHome()
  const expected = await lifeOn(new MemoryStore())
  const options = { connectionString: database.url, max: 4, ...{ pipeline } }
  const real = new pg.Pool(options)
  real.on('error', () => undefined)
  const { pool, lost } = breaking(real, pipeline)
  const store = postgres({ pool })
  expect(await lifeOn(store)).toEqual(expected)
  expect(expected.tallies.length).toBeGreaterThan(0)
  expect(lost()).toBeGreaterThan(6)
  await store.close()
  await real.end()
}

holds(
  ['STORE-ACKED', 'STORE-SAME'],
  'commits whose answers are lost are made once: same entries, same counts, same head',
  () => areMadeOnce({ pipeline: false }),
)

holds(
  ['STORE-ACKED', 'STORE-SAME'],
  'so are those that are sent whole before any of it is answered',
  () => areMadeOnce({ pipeline: true }),
)
