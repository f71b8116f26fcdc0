import { postgres } from '../../src/stores/postgres/index.ts'
import { runStoreSuite } from '../conformance/run-store-suite.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const database = await ownDatabase()

runStoreSuite('PostgreSQL', async () => {
  ownHome()
  await database.empty()
  const open = () => postgres({ connectionString: database.url, poolSize: 4 })
  const stores = [open()]
  const [store = open()] = stores
  return {
    store,
    reopen: async () => {
      await store.close()
      const again = open()
      stores.push(again)
      return again
    },
    dispose: async () => {
      for (const each of stores) await each.close()
    },
  }
})
