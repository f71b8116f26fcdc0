import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ErrorCode, type ErrorDetails, MunimentError } from '../domain/errors.ts'
import type { StackId } from '../domain/ids.ts'
import type { Rebuilt } from '../engine/audit/audit.ts'
import type { AuditProgress, AuditRange, AuditReport } from '../engine/audit/codes.ts'

export type Task = { readonly path: string; readonly stackId: StackId } & (
  | { readonly work: 'audit'; readonly range: AuditRange }
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
  | { readonly progress: AuditProgress }
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
const WORKERS: Readonly<Record<string, string>> = {
  '.ts': './worker.ts',
  '.js': '../doors/cli/worker.cjs',
  '.cjs': './worker.cjs',
}
const WORKER = new URL(WORKERS[extname(import.meta.url)] ?? '', import.meta.url)

/** Options of Node that a thread needs: reading TypeScript, fewer warnings, and every permission. */
const FOR_THREADS =
  /^--(?:(?:no-)?experimental-(?:strip|transform)-types|no-warnings|disable-warning|(?:experimental-)?permission|allow-[a-z-]+)(?:=|$)/

/** Options of `FOR_THREADS` whose value may follow as an argument of its own. */
const TAKES_VALUE = /^--(?:disable-warning|allow-fs-read|allow-fs-write)$/

/**
 * Most options belong to the process: Node starts no thread that is given one of them. A thread
 * without the permission options would be allowed more than its process is.
 */
export const threadOptions = (options: readonly string[]): string[] =>
  options.filter(
    (option, at) => FOR_THREADS.test(option) || TAKES_VALUE.test(options[at - 1] ?? ''),
  )

/**
 * One thread waits a while for more: starting one, and warming up to its work, takes as long as
 * chaining 30,000 entries. It holds no file meanwhile, and no process open.
 */
const IDLE_MS = 10_000
let idle: { readonly worker: Worker; readonly timeout: NodeJS.Timeout } | null = null

/** By name: a worker has listeners of its own, without which it hears nothing. */
function letGo(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

function taken(): Worker {
  if (idle === null) return new Worker(WORKER, { execArgv: threadOptions(process.execArgv) })
  const { worker, timeout } = idle
  idle = null
  clearTimeout(timeout)
  letGo(worker)
  worker.ref()
  return worker
}

function putBack(worker: Worker): void {
  letGo(worker)
  if (idle !== null) {
    void worker.terminate()
    return
  }
  const timeout = setTimeout(() => void worker.terminate(), IDLE_MS)
  timeout.unref()
  worker.unref()
  idle = { worker, timeout }
  const forget = (): void => {
    clearTimeout(timeout)
    if (idle?.worker === worker) idle = null
  }
  worker.once('error', forget).once('exit', forget)
}

/** Works in another thread, so that nobody waits for it. What `onProgress` throws calls it off. */
export const elsewhere = <T extends Task>(
  task: T,
  onProgress?: (progress: AuditProgress) => void,
): Promise<Results[T['work']]> =>
  new Promise((resolve, reject) => {
    const worker = taken()
    const callOff = (cause: unknown): void => {
      reject(cause as Error) // passed on as it came
      letGo(worker)
      void worker.terminate()
    }
    worker.on('message', (reply: Reply) => {
      if ('progress' in reply) {
        try {
          onProgress?.(reply.progress)
        } catch (cause) {
          callOff(cause)
        }
        return
      }
      putBack(worker)
      if ('done' in reply) {
        resolve(reply.done as Results[T['work']]) // the task says which
      } else {
        const { code, message, details } = reply.fault
        reject(new MunimentError(code, message, details))
      }
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The ${task.work} ended with ${code}.`)))
    worker.postMessage(task)
  })
