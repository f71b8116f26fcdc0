import { MemoryStore } from '../../src/stores/memory/store.ts'
import { runProtocolSuite } from './run-protocol-suite.ts'

runProtocolSuite('the memory store', async () => ({
  store: new MemoryStore(),
  dispose: async () => undefined,
  lacks: { reopen: 'what is kept in memory ends with the process' },
}))
