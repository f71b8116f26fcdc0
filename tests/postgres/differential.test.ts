import fc from 'fast-check'
import { expect } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { contentsOf, DEMO, type History, live } from '../sqlite/support/history.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'
import { ownPglite } from './support/pglite.ts'

const RUNS = 6
const TIMEOUT_MS = 240_000 // four stores live the same lives

const histories = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  steps: fc.constantFrom(60, 90),
  // Sent off together they wait together, and a store decides and commits them in groups.
  atOnce: fc.constantFrom(1, 4, 9),
  enforceProvenance: fc.constantFrom(true, true, false),
})

const server = await ownDatabase()
const pglite = await ownPglite()

/** The answers and all that is kept, of one life in one store. */
async function lifeIn(store: Store, history: History) {
  ownHome()
  const answers = await live(store, history)
  const contents = await contentsOf(store)
  await store.close()
  return { answers, contents }
}

holds(
  'STORE-SAME',
  'random histories give the same answers and bytes in memory, SQLite, PGlite and PostgreSQL',
  async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history: History) => {
        await server.empty()
        await pglite.empty()
        const expected = await lifeIn(new MemoryStore(), history)
        expect(await lifeIn(new SqliteStore({ path: ':memory:' }), history)).toEqual(expected)
        const onServer = postgres({ connectionString: server.url, poolSize: 4 })
        expect(await lifeIn(onServer, history)).toEqual(expected)
        expect(await lifeIn(postgres({ driver: pglite.driver() }), history)).toEqual(expected)
        const again = postgres({ connectionString: server.url, poolSize: 2 })
        expect(await again.check(DEMO)).toEqual([])
        await again.close()
      }),
      { numRuns: RUNS, endOnFailure: true }, // each try lives four lives: the seed is told, no smaller one is sought
    )
  },
  TIMEOUT_MS,
)
