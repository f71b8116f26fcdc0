import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { runProtocolSuite } from './run-protocol-suite.ts'

runProtocolSuite('SQLite in memory', async () => {
  const store = new SqliteStore({ path: ':memory:' })
  return {
    store,
    dispose: () => store.close(),
    lacks: { reopen: 'what is kept in memory ends with the process' },
  }
})

runProtocolSuite('SQLite in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-'))
  const stores = [new SqliteStore({ path: join(folder, 'protocol.db') })]
  const [store = new SqliteStore({ path: ':memory:' })] = stores
  return {
    store,
    reopen: async () => {
      await store.close()
      const again = new SqliteStore({ path: join(folder, 'protocol.db') })
      stores.push(again)
      return again
    },
    dispose: async () => {
      for (const each of stores) await each.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
})
