import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
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
  const draft = join(folder, `.${basename(path)}.${process.pid}`)
  writeFileSync(draft, text, { mode: 0o600, flush: true })
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

/** Creates a whole file that only its owner reads; a failed export leaves no file. */
export async function writePrivateFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`
  try {
    const file = await open(part, 'w', 0o600)
    try {
      for await (const chunk of chunks) await file.write(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined) // the reason for the failed write is the error to report
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
