import { readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { isatty, type WriteStream } from 'node:tty'
import { LimitError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Host, Input, Output } from './host.ts'

type Reach = Pick<Host, 'stacks' | 'jsonParser' | 'scene' | 'defaultHome' | 'userFolder'>

/** The current process as a host; the caller passes the access to stacks. */
export function nodeHost(reach: Reach): Host {
  quietWhenNobodyReads(process.stdout)
  return {
    args: process.argv.slice(2),
    env: process.env,
    stdin: INPUT,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    folder: calledIn(),
    nodeVersion: process.version,
    version: packageVersion,
    now: () => Date.now(),
    onInterrupt,
    ...reach,
  }
}

/** A folder deleted meanwhile keeps its name; only the files inside are missing. */
function calledIn(): string {
  try {
    return process.cwd()
  } catch {
    const { PWD = '' } = process.env
    return path.isAbsolute(PWD) ? PWD : path.join(process.execPath, 'gone') // an absent path
  }
}

/** `muniment list | head -1` closes the pipe early; a closed pipe is no failure. */
function quietWhenNobodyReads(stream: WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

const outputOf = (stream: WriteStream): Output => ({
  isTerminal: stream.isTTY === true,
  columns: stream.columns,
  write: (text) => {
    stream.write(text)
  },
})

/** Linux names the terminal behind stdin; other systems do not. */
function terminalName(): string | null {
  if (!isatty(0)) return null
  try {
    return readlinkSync('/proc/self/fd/0').replace(/^\/dev\//, '')
  } catch {
    return null
  }
}

/** Opened on first read: most commands only ask for a terminal. */
const INPUT: Input = {
  isTerminal: isatty(0),
  terminalName,
  read: async () => {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      // no encoding is set on stdin
      length += chunk.length
      if (length > LIMITS.jsonBytesMax)
        throw new LimitError('jsonBytesMax', LIMITS.jsonBytesMax, length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  },
  line: async () => {
    const { createInterface } = await import('node:readline') // few calls ask
    const lines = createInterface({ input: process.stdin })
    try {
      for await (const line of lines) return line
      return ''
    } finally {
      lines.close()
    }
  },
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string } // the package's own manifest
  return version
}

const INTERRUPTED = 130 // the shell's code: 128 and the number of the signal

/** Reads may end at once without harm. */
function onInterrupt(lastWords: () => string): () => void {
  const stop = (): void => {
    process.stderr.write(lastWords())
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', stop)
  return () => void process.off('SIGINT', stop)
}
