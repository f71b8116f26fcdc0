import { parentPort, workerData } from 'node:worker_threads'
import { SqliteStore } from '../stores/sqlite/store.ts'
import type { AuditTask } from './audit-elsewhere.ts'
import { nodeSha256 } from './node-world.ts'

/** Runs in a thread of its own, on a connection of its own, over one moment of the stack. */
const { path, stackId, only } = workerData as AuditTask // sent by auditElsewhere
const store = new SqliteStore({ path, readOnly: true })
// Loaded when needed: what only the full audit needs costs more to load than 10,000 entries to chain.
const run =
  only === 'chain'
    ? (await import('../stack/audit-chain.ts')).auditChain
    : (await import('../stack/audit.ts')).audit
const report = await store.snapshot((reader) => run({ stackId, store: reader }, nodeSha256))
await store.close()
parentPort?.postMessage(report)
