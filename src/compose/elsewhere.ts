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

/** Answer of the worker: classes do not pass between threads, so an error comes in its parts. */
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
 * The worker lies in this folder, in the source and in the built program. The built library starts the
 * program's bundle, which starts 50 ms sooner than file by file.
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

/** Options of `FOR_THREADS` whose value may follow as a separate argument. */
const TAKES_VALUE = /^--(?:disable-warning|allow-fs-read|allow-fs-write)$/

/**
 * Most options belong to the process, and Node refuses to start a thread with them. A thread without
 * the permission options would be allowed more than its process.
 */
export const threadOptions = (options: readonly string[]): string[] =>
  options.filter(
    (option, at) => FOR_THREADS.test(option) || TAKES_VALUE.test(options[at - 1] ?? ''),
  )

/**
 * A thread waits a while for more work: starting and warming up a thread takes as long as chaining
 * 30,000 entries. An idle thread holds no file, and keeps no process alive.
 */
const IDLE_MS = 10_000
let idle: { readonly worker: Worker; readonly timeout: NodeJS.Timeout } | null = null

/** Removes the listeners of a task by name: a worker without its own listeners receives nothing. */
function letGo(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

/** A thread leaves its handles open: closing one would drop the locks of this process on the file. */
const OPTIONS = { execArgv: threadOptions(process.execArgv), trackUnmanagedFds: false }

function taken(): Worker {
  if (idle === null) return new Worker(WORKER, OPTIONS)
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

/** Runs a task in another thread, so the event loop stays free. An error of `onProgress` cancels the task. */
export const elsewhere = <T extends Task>(
  task: T,
  onProgress?: (progress: AuditProgress) => void,
): Promise<Results[T['work']]> =>
  new Promise((resolve, reject) => {
    const worker = taken()
    const callOff = (cause: unknown): void => {
      reject(cause as Error) // passed on unchanged
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
