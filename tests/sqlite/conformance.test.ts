import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { runStoreSuite } from '../conformance/run-store-suite.ts'

const ONE_STACK = 'a file holds one stack'

runStoreSuite('sqlite file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-'))
  const open = () => new SqliteStore({ path: join(folder, 'stacks', 'conformance.db') })
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
      rmSync(folder, { recursive: true, force: true })
    },
    lacks: { severalStacks: ONE_STACK },
  }
})

runStoreSuite('sqlite in memory', async () => {
  const store = new SqliteStore({ path: ':memory:' })
  return {
    store,
    dispose: () => store.close(),
    lacks: { severalStacks: ONE_STACK, reopen: 'what is kept in memory ends with the process' },
  }
})
