import { readFileSync } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import type { CheckpointShelf } from '../ports/signer.ts'
import { guarded } from '../stores/sqlite/faults.ts'
import { appendLines } from './append-lines.ts'

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
    put: async (note) => guarded(path, () => appendLines(path, [JSON.stringify(note)])),
    // A line that was cut off by a crash is not a note; the next head is signed anew.
    all: async () =>
      textOf(path)
        .split('\n')
        .flatMap((line) => noteIn(line) ?? []),
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return ''
    throw new MunimentError('store_unavailable', 'The signed heads cannot be read.', { cause })
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
