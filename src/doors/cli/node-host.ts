import { readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { isatty, type WriteStream } from 'node:tty'
import { LimitError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Host, Input, Output } from './host.ts'

type Reach = Pick<Host, 'stacks' | 'jsonParser' | 'scene' | 'defaultHome' | 'userFolder'>

/** The process this runs in, as the program sees it; how stacks are reached is given. */
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

/** A folder that was deleted meanwhile keeps its name: only what is looked for in it is not there. */
function calledIn(): string {
  try {
    return process.cwd()
  } catch {
    const { PWD = '' } = process.env
    return path.isAbsolute(PWD) ? PWD : path.join(process.execPath, 'gone') // where nothing can be
  }
}

/** `muniment list | head -1` closes the pipe early; that is no failure of ours. */
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

/** Linux says which terminal is open as stdin; other systems do not. */
function terminalName(): string | null {
  if (!isatty(0)) return null
  try {
    return readlinkSync('/proc/self/fd/0').replace(/^\/dev\//, '')
  } catch {
    return null
  }
}

/** Opened where it is read: most commands only ask whether somebody sits there. */
const INPUT: Input = {
  isTerminal: isatty(0),
  terminalName,
  read: async () => {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      // no encoding is set on it
      length += chunk.length
      if (length > LIMITS.jsonBytesMax)
        throw new LimitError('jsonBytesMax', LIMITS.jsonBytesMax, length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  },
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string } // the package's own manifest
  return version
}

const INTERRUPTED = 130 // as shells have it: 128 and the number of the signal

/** Nothing that is only read is harmed by ending at once. */
function onInterrupt(lastWords: () => string): () => void {
  const stop = (): void => {
    process.stderr.write(lastWords())
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', stop)
  return () => void process.off('SIGINT', stop)
}
