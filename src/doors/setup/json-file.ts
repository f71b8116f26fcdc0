import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'

export type Members = Readonly<Record<string, unknown>>

/** A settings file in its current state; a missing file has no members. */
export interface JsonFile {
  readonly path: string
  /** Null without a file. */
  readonly text: string | null
  readonly members: Members
}

export const backupOf = (file: string): string => `${file}.muniment-backup`

/** Refuses JSON that would change in writing back: repeated keys, numbers too long. */
export type ParseJson = (text: string) => unknown

export async function readJsonFile(file: string, parseJson: ParseJson): Promise<JsonFile> {
  const text = await textOf(file)
  if (text === null || text.trim() === '') return { path: file, text, members: {} }
  let members: unknown
  try {
    parseJson(text)
    members = JSON.parse(text)
  } catch (cause) {
    throw unreadable(file, cause)
  }
  if (!isMembers(members)) throw unreadable(file)
  return { path: file, text, members }
}

export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw new MunimentError('store_unavailable', `${file} cannot be read.`, { cause })
  }
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const HINT = 'Mend it, then call this again.'

function unreadable(file: string, cause?: unknown): MunimentError {
  const why = cause instanceof MunimentError ? ` (${cause.message})` : ''
  const message = `${file} is not a JSON object that can be kept whole${why}; it is left as it is.`
  return new MunimentError('invalid_json', message, { hint: HINT, cause })
}

/** Adds the file's name to errors about settings. */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    const message = `${file} is left as it is. ${cause.message}`
    throw new MunimentError(cause.code, message, { hint: cause.hint ?? HINT, cause })
  }
}

/** Keeps the file's indentation. */
export function textFor({ text }: JsonFile, members: Members): string {
  const [, indent = '  '] = /^\{\r?\n([ \t]+)"/.exec(text ?? '') ?? []
  const isDense = text !== null && text.trim() !== '' && !text.trim().includes('\n')
  const written = JSON.stringify(members, null, isDense ? undefined : indent)
  return text === null || text.endsWith('\n') || text.trim() === '' ? `${written}\n` : written
}

const PRIVATE_FILE = 0o600

/** Writes the whole file or nothing, through links, and keeps the file's mode. */
export async function writeWhole(file: string, text: string, before: string | null): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const target = existsSync(file) ? realpathSync(file) : file
  const mode = existsSync(target) ? (await stat(target)).mode & 0o777 : PRIVATE_FILE
  const draft = `${target}.${randomUUID().slice(0, 8)}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true })
    await assertStill(file, before)
    await rename(draft, target)
  } catch (cause) {
    await rm(draft, { force: true })
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError('store_unavailable', `${file} cannot be written.`, { cause })
  }
}

/** Running clients write these files too: a meanwhile changed file is not overwritten. */
export async function assertStill(file: string, before: string | null): Promise<void> {
  if ((await textOf(file)) === before) return
  throw new MunimentError('store_busy', `${file} was changed meanwhile; it is left as it is.`, {
    hint: 'Call this again.',
  })
}
