import { Worker } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import type { AuditReport } from '../stack/audit-codes.ts'
import type { Rebuilt } from '../stack/rebuild.ts'

/** Long work on the file of a stack. */
export type Task = { readonly path: string; readonly stackId: StackId } & (
  | { readonly work: 'audit'; readonly only: 'chain' | null }
  | { readonly work: 'rebuild' }
  | { readonly work: 'vacuum' }
  | { readonly work: 'scrub' }
)

interface Results {
  audit: AuditReport
  rebuild: Rebuilt
  vacuum: null
  scrub: boolean
}

/** What comes back: classes do not pass between threads, so a fault comes in its parts. */
export type Reply =
  | { readonly done: Results[Task['work']] }
  | {
      readonly fault: {
        readonly code: ErrorCode
        readonly message: string
        readonly details: ErrorDetails
      }
    }

/**
 * The same folder holds the worker, in the source and in the built program. The built library starts
 * the program's: bundled it begins working 50 ms sooner than file by file.
 */
const WORKER = new URL(
  import.meta.url.endsWith('/compose/elsewhere.js')
    ? '../doors/cli/worker.js'
    : `./worker${import.meta.url.slice(-3)}`,
  import.meta.url,
)

/** Node's own options, less the one that says how to read `-e` and that no file may be started with. */
const optionsOfNode = (): string[] =>
  process.execArgv.filter(
    (arg, at, all) => !arg.startsWith('--input-type') && all[at - 1] !== '--input-type',
  )

/** Works in another thread, so that nobody waits for it. */
export const elsewhere = <T extends Task>(task: T): Promise<Results[T['work']]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: task, execArgv: optionsOfNode() })
    worker.once('message', (reply: Reply) => {
      if ('done' in reply) {
        resolve(reply.done as Results[T['work']]) // the task says which
      } else {
        const { code, message, details } = reply.fault
        reject(new MunimentError(code, message, details))
      }
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The ${task.work} ended with ${code}.`)))
  })
