import { open, readFile } from 'node:fs/promises'
import { MunimentError } from '../domain/errors.ts'
import type { CheckpointShelf } from '../ports/signer.ts'

/** For stacks that live and die with the process. */
export function memoryShelf(): CheckpointShelf {
  const notes: string[] = []
  return {
    put: async (note) => {
      notes.push(note)
    },
    all: async () => notes,
  }
}

/** One note a line, as JSON text, only ever added to: a file that can be committed or mailed. */
export function fileShelf(path: string): CheckpointShelf {
  return {
    put: async (note) => {
      const file = await open(path, 'a', 0o600)
      try {
        await file.write(`${JSON.stringify(note)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    all: async () => {
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return ''
        throw new MunimentError('store_unavailable', 'The signed heads cannot be read.', { cause })
      })
      // A line that was cut off by a crash is not a note; the next head is signed anew.
      return text.split('\n').flatMap((line) => noteIn(line) ?? [])
    },
  }
}

export function noteIn(line: string): string | null {
  try {
    const note: unknown = JSON.parse(line)
    return typeof note === 'string' ? note : null
  } catch {
    return null
  }
}
