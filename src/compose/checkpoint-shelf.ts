import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import { parseCheckpoint, parseNote } from '../ledger/signed-note.ts'
import type { CheckpointShelf } from '../ports/world.ts'
import { guarded } from '../stores/sqlite/faults.ts'
import { appendLines } from './private-files.ts'

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

/** A note on each line as JSON text, append-only: a file that can be committed or mailed. */
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

function noteIn(line: string): string | null {
  try {
    const note: unknown = JSON.parse(line)
    return typeof note === 'string' ? note : null
  } catch {
    return null
  }
}

const POST_MS_MAX = 10_000 // after this time a silent place is tried again later

/** Takes a signed head to a place that whoever can write the stack need not reach. */
export type SecondPlace = (note: string) => Promise<void>

/** A growing file, a folder with a file for each head, or an address that receives heads by POST. */
export function secondPlace(where: string): SecondPlace {
  if (/^https?:\/\//.test(where)) return (note) => post(where, note)
  return async (note) => {
    const isFolder = where.endsWith('/') || (await stat(where).catch(() => null))?.isDirectory()
    if (isFolder === true) await putInFolder(where, note)
    else appendLines(where, [JSON.stringify(note)])
  }
}

async function post(where: string, note: string): Promise<void> {
  const signal = AbortSignal.timeout(POST_MS_MAX)
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  const response = await fetch(where, { method: 'POST', body: note, headers, signal })
  if (!response.ok) throw new Error(`answered ${response.status}`)
}

/** A file for each head, named by log and size, so that a repository shows each head as an addition. */
async function putInFolder(folder: string, note: string): Promise<void> {
  const head = parseCheckpoint(parseNote(note)?.text ?? '')
  if (!head) throw new MunimentError('invalid_input', 'That is not a signed head.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const log = createHash('sha256').update(head.origin).digest('hex').slice(0, 16)
  const path = join(folder, `${log}-${String(head.size).padStart(10, '0')}.txt`)
  await writeFile(`${path}.part`, note, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}

/**
 * A section of signed heads with a second place. A head that could not be copied waits in a file beside
 * the stack and is tried again with the next head; no write waits for the copy.
 */
export function mirrored(
  shelf: CheckpointShelf,
  { to, waiting }: { readonly to: SecondPlace; readonly waiting: string },
): CheckpointShelf {
  return {
    all: () => shelf.all(),
    put: async (note) => {
      await shelf.put(note)
      const left: string[] = []
      for (const each of [...(await waitingIn(waiting)), note]) {
        // In order: the arrival of a later head would hide the absence of an earlier head.
        const isTaken = left.length === 0 && (await taken(to, each))
        if (!isTaken) left.push(each)
      }
      await keepWaiting(waiting, left)
    },
  }
}

async function taken(to: SecondPlace, note: string): Promise<boolean> {
  try {
    await to(note)
    return true
  } catch {
    return false
  }
}

/** Heads that were signed and are not where they should be, oldest first. */
export async function waitingIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => noteIn(line) ?? [])
}

async function keepWaiting(path: string, notes: readonly string[]): Promise<void> {
  if (notes.length === 0) return rm(path, { force: true })
  const lines = notes.map((note) => `${JSON.stringify(note)}\n`).join('')
  await writeFile(`${path}.part`, lines, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}
