import { parentPort } from 'node:worker_threads'
import { MunimentError } from '../domain/errors.ts'
import { type AuditProgress, isChain } from '../engine/audit/codes.ts'
import { SqliteStore } from '../stores/sqlite/store.ts'
import type { Reply, Task } from './elsewhere.ts'
import { nodeSha256 } from './node-world.ts'

// Runs in its own thread with its own connections, as another process would: task after task, with
// no file open in between.
const tell = (reply: Reply): void => parentPort?.postMessage(reply)
parentPort?.on('message', async (task: Task) => tell(await replyTo(task)))

async function replyTo(task: Task): Promise<Reply> {
  const store = new SqliteStore({ path: task.path, readOnly: task.work === 'audit' })
  try {
    return { done: await resultOf(store, task) }
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
async function resultOf(store: SqliteStore, task: Task) {
  const { stackId } = task
  switch (task.work) {
    case 'audit': {
      const { range } = task
      const run = isChain(range)
        ? (await import('../engine/audit/chain.ts')).auditChain
        : (await import('../engine/audit/audit.ts')).audit
      const options = { ...range, onProgress: everyPercent() }
      return store.snapshot((reader) => run({ stackId, store: reader }, nodeSha256, options))
    }
    case 'rebuild': {
      const { rebuild } = await import('../engine/audit/audit.ts')
      return rebuild({ stackId, store }, nodeSha256, { onProgress: everyPercent() })
    }
    case 'scrub':
      return store.scrub(stackId)
    case 'vacuum':
      await store.vacuum()
      return null
  }
}

/** Reports progress a hundred times at most. */
function everyPercent(): (progress: AuditProgress) => void {
  let told = -1
  return (progress) => {
    const percent = Math.floor((progress.done / progress.total) * 100)
    if (percent === told) return
    told = percent
    tell({ progress })
  }
}
