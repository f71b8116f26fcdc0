import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  promises,
  readSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'

const LINE_FEED = 0x0a

/**
 * Appends lines durably to a file that only its owner reads. Ends a last line that a crash cut off
 * first, so that the new lines are not lost with the broken one.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  try {
    const text = lines.map((line) => `${line}\n`).join('')
    appendFileSync(file, endsInLine(file) ? text : `\n${text}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function endsInLine(file: number): boolean {
  const { size } = fstatSync(file)
  if (size === 0) return true
  const last = new Uint8Array(1)
  readSync(file, last, { position: size - 1 })
  return last[0] === LINE_FEED
}

/**
 * Creates a file that only its owner reads, under an unused name. A link appears whole or not at all,
 * and never replaces the file of another process. False where another process was first.
 */
export function linkWhole(path: string, text: string | Buffer): boolean {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = draftOf(folder, basename(path))
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  } finally {
    unlinkSync(draft)
  }
}

/** Nobody can guess the name and plant a link there: a draft that exists already is an error. */
const draftOf = (folder: string, name: string): string =>
  join(folder, `.${name}.${randomUUID()}.part`)

interface Replacing {
  /** The folder of the draft, on the same disk; the folder of the file unless given. */
  readonly draftIn?: string
  readonly mode?: number
}

/** Replaces a file: a reader sees the old words or the new ones, and a failure leaves the old ones. */
export async function replaceFile(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
  { draftIn = dirname(path), mode = 0o600 }: Replacing = {},
): Promise<void> {
  const draft = draftOf(draftIn, basename(path))
  const file = await promises.open(draft, 'wx', mode)
  try {
    try {
      for await (const chunk of chunks) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await promises.rename(draft, path)
  } catch (cause) {
    await promises.rm(draft, { force: true }).catch(() => undefined) // the reason for the failed write is the error to report
    throw cause
  }
}

/** Creates a whole file that only its owner reads; a failed export leaves no file. */
export async function writePrivateFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
  try {
    await replaceFile(path, chunks)
  } catch (cause) {
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError(
      'store_unavailable',
      `${path} could not be written${whyNot(cause, path)}.`,
      { cause },
    )
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOTDIR: 'what it would lie in is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

function whyNot(cause: unknown, path: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = code === 'ENOENT' ? `there is no folder ${dirname(path)}` : WHY[code]
  return why === undefined ? '' : `: ${why}`
}
