import { basename } from 'node:path'
import { type ErrorCode, MunimentError } from '../../domain/errors.ts'

/** Error codes for SQLite's codes and file system codes; all others mean `store_unavailable`. */
const MEANINGS: readonly (readonly [ErrorCode, sqlite: readonly number[], system: string])[] = [
  ['store_busy', [5, 6, 15], ''], // BUSY, LOCKED, PROTOCOL
  ['store_read_only', [8], 'EROFS EACCES EPERM'], // READONLY
  ['store_corrupt', [1, 11, 19, 20, 26], ''], // ERROR (a table is gone), CORRUPT, CONSTRAINT, MISMATCH, NOTADB
  ['store_full', [13], 'ENOSPC EDQUOT'], // FULL
]

/** better-sqlite3 gives names for the numbers of node:sqlite. */
const NUMBERS: Readonly<Record<string, number>> = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  CONSTRAINT: 19,
  NOTADB: 26,
}

const NOTADB = 26
const PRIMARY_CODE = 0xff // the low byte; the higher bytes hold the detail

type Fault = Extract<ErrorCode, `store_${string}`>

const SAYS: Readonly<Record<Fault, readonly [says: string, hint: string]>> = {
  store_busy: ['is being written by another process', 'Try again; or raise busyTimeoutMs.'],
  store_read_only: ['cannot be written', 'Check the permissions of the file and its folder.'],
  store_corrupt: ['is damaged', 'Keep a copy of it as it is, and restore a backup.'],
  store_full: ['has no room left', 'Free some space on the disk; nothing was written.'],
  store_unavailable: ['cannot be used', 'Check that the path exists and can be read.'],
}

/** A coded error for any SQLite or file system error; other errors pass unchanged. */
export function faultOf(cause: unknown, path: string): unknown {
  if (cause instanceof MunimentError || !(cause instanceof Error)) return cause
  if (cause instanceof SyntaxError) return faultNamed('store_corrupt', path, { cause }) // stored JSON
  const { errcode, code } = cause as { errcode?: unknown; code?: unknown } // read as unknown
  const name = typeof code === 'string' ? code : ''
  const number = typeof errcode === 'number' ? errcode : numberOf(name)
  if (number === undefined && !/^E[A-Z]+$/.test(name)) return cause
  const primary = number === undefined ? undefined : number & PRIMARY_CODE
  const meaning = MEANINGS.find(
    ([, sqlite, system]) =>
      (primary !== undefined && sqlite.includes(primary)) ||
      (primary === undefined && system.split(' ').includes(name)),
  )
  if (primary === NOTADB) return noDatabase(path, cause)
  const fault = (meaning?.[0] ?? 'store_unavailable') as Fault // the table holds no other codes
  return faultNamed(fault, path, { cause, facts: number === undefined ? {} : { sqlite: number } })
}

const numberOf = (name: string): number | undefined =>
  NUMBERS[/^SQLITE_([A-Z]+)/.exec(name)?.[1] ?? '']

interface FaultDetails {
  readonly cause?: unknown
  readonly facts?: Readonly<Record<string, unknown>>
}

export function faultNamed(fault: Fault, path: string, details: FaultDetails = {}): MunimentError {
  const file = basename(path)
  const [says, hint] = SAYS[fault]
  const facts = { file, ...details.facts }
  return new MunimentError(fault, `${file} ${says}.`, { ...details, hint, facts })
}

/** Runs the work and codes its errors. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw faultOf(cause, path)
  }
}

export const schemaNewer = (path: string, found: number, known: number): MunimentError =>
  new MunimentError('schema_newer', `${basename(path)} was written by a newer Muniment.`, {
    hint: 'Upgrade Muniment; what is there was not touched.',
    facts: { file: basename(path), found, known },
  })

/** A file of an older schema, which a reader alone may not bring up to date. */
export const schemaOlder = (path: string): MunimentError =>
  new MunimentError('store_read_only', `${basename(path)} was written by an older Muniment.`, {
    hint: 'A command that opens the stack brings the file up to date: muniment list.',
    facts: { file: basename(path) },
  })

export const notOurs = (path: string): MunimentError =>
  new MunimentError('store_corrupt', `${basename(path)} is another program's database.`, {
    hint: 'Name another file; this one was not touched.',
    facts: { file: basename(path) },
  })

/** A file with another header was never a database or lost its first page; the cause is unknown. */
const noDatabase = (path: string, cause: unknown): MunimentError =>
  new MunimentError('store_corrupt', `${basename(path)} is no database, or not any more.`, {
    hint: 'Name another file; this one was not touched. If it was a stack, keep a copy as it is, and restore a backup.',
    facts: { file: basename(path), sqlite: NOTADB },
    cause,
  })

/** The command that restores a stack. */
const RESTORE = 'muniment stack restore <copy> --replace'

/** The head names entries that the log no longer holds. The loss is reported, never repaired. */
export const dataLoss = (path: string, head: number, last: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `${basename(path)} has lost entries: its head is entry ${head}, its log ends at ${last}.`,
    {
      hint: `Nothing more is written here. Keep the file as it is, and restore a backup: ${RESTORE}`,
      facts: { file: basename(path), head, last },
    },
  )

/** Another entry lies in the place of the one that the witness saw. */
export const entryReplaced = (path: string, head: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `${basename(path)} holds another entry ${head} than the one that was written.`,
    {
      hint: `Nothing more is written here. Keep the file as it is, and restore a backup: ${RESTORE}`,
      facts: { file: basename(path), head },
    },
  )

/** SQLite would delete a log whose file is missing or empty, and a new stack would begin there. */
export const fileLost = (path: string, left: string, head: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `${basename(path)} is missing or empty, but ${basename(left)} of the same stack is there: entries were written here.`,
    {
      hint: `Nothing is read or written here. Put the file back, or restore a backup: ${RESTORE}. To begin a new stack, first move ${basename(left)} away.`,
      facts: { file: basename(path), left: basename(left), head },
    },
  )

/** An empty file proves a loss: a new stack's file appears with its first page. */
export const fileEmptied = (path: string): MunimentError =>
  new MunimentError(
    'data_loss',
    `${basename(path)} is empty: a stack was written here, and its entries are gone.`,
    {
      hint: `Nothing is read or written here. Restore a backup: ${RESTORE}. To begin a new stack instead, first remove the empty file, and ${basename(path)}-head where the file lies beside it.`,
      facts: { file: basename(path), last: -1 },
    },
  )

const READONLY = 8
const CANTOPEN = 14

/** SQLite's codes for a file where the side files needed for reading cannot be created. */
export const isUnwritable = (cause: unknown): boolean => {
  const { errcode } = Object(cause) as { errcode?: unknown } // read as unknown
  const primary = typeof errcode === 'number' ? errcode & PRIMARY_CODE : -1
  return primary === READONLY || primary === CANTOPEN
}

export const isBusy = (error: unknown): boolean =>
  error instanceof MunimentError && error.code === 'store_busy'
