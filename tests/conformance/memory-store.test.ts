import { MemoryStore } from '../../src/stores/memory/store.ts'
import { runStoreSuite } from './run-store-suite.ts'

runStoreSuite('memory', async () => ({
  store: new MemoryStore(),
  dispose: async () => undefined,
  lacks: { reopen: 'what is kept in memory ends with the process' },
}))
