import { parentPort, workerData } from 'node:worker_threads'
import { MunimentError } from '../domain/errors.ts'
import { SqliteStore } from '../stores/sqlite/store.ts'
import type { Reply, Task } from './elsewhere.ts'
import { nodeSha256 } from './node-world.ts'

// Runs in a thread of its own, on connections of its own, as another process would.
const task = workerData as Task // sent by `elsewhere`
parentPort?.postMessage(await reply())

async function reply(): Promise<Reply> {
  const store = new SqliteStore({ path: task.path, readOnly: task.work === 'audit' })
  try {
    return { done: await resultOf(store) }
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    const { code, message, issues, hint, facts } = cause
    const details = { issues, facts, ...(hint === undefined ? {} : { hint }) }
    return { fault: { code, message, details } }
  } finally {
    await store.close()
  }
}

/** Loaded when needed: loading what only others use takes as long as chaining 10,000 entries. */
async function resultOf(store: SqliteStore) {
  const { stackId } = task
  switch (task.work) {
    case 'audit': {
      const run =
        task.only === 'chain'
          ? (await import('../stack/audit-chain.ts')).auditChain
          : (await import('../stack/audit.ts')).audit
      return store.snapshot((reader) => run({ stackId, store: reader }, nodeSha256))
    }
    case 'rebuild': {
      const { rebuild } = await import('../stack/rebuild.ts')
      return rebuild({ stackId, store }, nodeSha256)
    }
    case 'scrub':
      return store.scrub(stackId)
    case 'vacuum':
      await store.vacuum()
      return null
  }
}
