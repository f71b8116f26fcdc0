import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface WriterTask {
  readonly url: string
  readonly home: string
  readonly name: string
  readonly writes: number
  /** Writes that are sent off together. */
  readonly atOnce: number
}

interface Line {
  readonly id?: string
  readonly error?: string
  readonly isReady?: true
  readonly isDone?: true
}

export interface Writer {
  readonly child: ChildProcess
  /** Settles when it has said so many were acknowledged, or has ended. */
  readonly acked: (count: number) => Promise<void>
  readonly ended: Promise<{
    readonly acked: readonly string[]
    readonly errors: readonly string[]
    readonly isDone: boolean
    readonly stderr: string
  }>
}

const SCRIPT = fileURLToPath(new URL('../children/writer.ts', import.meta.url))

/** A process of its own that writes into a stack of the database. */
export function startWriter(task: WriterTask): Writer {
  const args = [SCRIPT, JSON.stringify(task)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let stderr = ''
  const waiting: { readonly count: number; readonly tell: () => void }[] = []
  const lines = (): readonly Line[] =>
    out
      .split('\n')
      .slice(0, -1) // the last one may be cut off
      .map((line) => JSON.parse(line) as Line) // as the child says it
  const ids = (): readonly string[] => lines().flatMap(({ id }) => id ?? [])
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    const count = ids().length
    for (const each of waiting) if (count >= each.count) each.tell()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended: Writer['ended'] = new Promise((resolve) => {
    child.on('close', () => {
      for (const each of waiting) each.tell()
      resolve({
        acked: ids(),
        errors: lines().flatMap(({ error }) => error ?? []),
        isDone: lines().some(({ isDone }) => isDone),
        stderr,
      })
    })
  })
  const acked = (count: number): Promise<void> =>
    new Promise((tell) => {
      waiting.push({ count, tell })
    })
  return { child, acked, ended }
}
