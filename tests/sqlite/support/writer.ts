import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface WriterTask {
  readonly path: string
  readonly name: string
  /** A note captures its own raw: two memories for each write. */
  readonly kind: 'raw' | 'note'
  readonly writes: number
  /** Writes that are sent off together. */
  readonly atOnce: number
  /** After each group it writes a secret and erases it. */
  readonly erases?: true
}

export interface Written {
  readonly acked: readonly string[]
  /** What it said was erased, every file clean. */
  readonly erased: readonly string[]
  readonly errors: readonly string[]
  readonly isDone: boolean
  readonly stderr: string
}

interface Line {
  readonly id?: string
  readonly error?: string
  readonly erased?: string
  readonly isReady?: true
  readonly isDone?: true
}

export interface Writer {
  readonly child: ChildProcess
  /** Settles when it has opened the stack, or has ended without. */
  readonly ready: Promise<void>
  /** Settles when it has said that something is erased, or has ended without. */
  readonly erasing: Promise<void>
  readonly ended: Promise<Written>
}

const SCRIPT = fileURLToPath(new URL('../children/writer.ts', import.meta.url))

/** A process of its own that writes into a stack; `fileBlocksMax` is what `ulimit -f` takes. */
export function startWriter(task: WriterTask, fileBlocksMax: number | null = null): Writer {
  const command = [process.execPath, SCRIPT, JSON.stringify(task)]
  const limited = ['bash', '-c', `ulimit -f ${fileBlocksMax}; exec "$@"`, 'bash', ...command]
  const [program = '', ...args] = fileBlocksMax === null ? command : limited
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let stderr = ''
  const ended = new Promise<Written>((resolve) => {
    child.on('close', () => resolve({ ...readLines(out), stderr }))
  })
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const said = (word: string): Promise<void> =>
    new Promise((resolve) => {
      child.stdout.on('data', () => {
        if (out.includes(word)) resolve()
      })
      child.on('close', () => resolve())
    })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return { child, ready: said('"isReady"'), erasing: said('"erased"'), ended }
}

/** The last line may have been cut short by the kill: what was not said whole was not said. */
function readLines(out: string): Omit<Written, 'stderr'> {
  const lines = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line) // written by children/writer.ts
  return {
    acked: lines.flatMap(({ id }) => id ?? []),
    erased: lines.flatMap(({ erased }) => erased ?? []),
    errors: lines.flatMap(({ error }) => error ?? []),
    isDone: lines.some(({ isDone }) => isDone === true),
  }
}
