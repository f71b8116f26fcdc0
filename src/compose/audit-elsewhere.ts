import { Worker } from 'node:worker_threads'
import type { StackId } from '../domain/ids.ts'
import type { AuditReport } from '../stack/audit-codes.ts'

export interface AuditTask {
  readonly path: string
  readonly stackId: StackId
  readonly only: 'chain' | null
}

// The same folder holds the worker, as TypeScript in the source and as JavaScript once built.
const WORKER = new URL(`./audit-worker${import.meta.url.slice(-3)}`, import.meta.url)

/** Audits a file in another thread, so that nobody waits for it. */
export const auditElsewhere = (task: AuditTask): Promise<AuditReport> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: task })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The audit ended with ${code}.`)))
  })
