import { postgres } from '../../src/stores/postgres/index.ts'
import { runStoreSuite } from '../conformance/run-store-suite.ts'
import { ownHome } from './support/home.ts'
import { ownPglite } from './support/pglite.ts'

const database = await ownPglite()

runStoreSuite('PGlite', async () => {
  ownHome()
  await database.empty()
  const open = () => postgres({ driver: database.driver() })
  const store = open()
  return {
    store,
    reopen: async () => {
      await store.close()
      return open()
    },
    dispose: () => store.close(),
    lacks: { severalWriters: 'there is one connection, and who holds a lock holds it' },
  }
})
