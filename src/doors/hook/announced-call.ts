import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { ensureHome } from '../access/home.ts'
import { isMembers } from './event.ts'

/** The session and turn in which a client calls a tool of ours, as its hook reports just before. */
export interface AnnouncedCall {
  readonly session: string
  /** The client's name for the turn; null where the client names none. */
  readonly turn: string | null
}

/** Where announcements of one stack lie. Hook and server of a client share the home folder. */
export interface CallShelf {
  readonly home: string
  readonly stackId: string
}

const CALL_ID_CHARS_MAX = 200
const NAME_CHARS_MAX = 200
const KEPT_MS = 86_400_000 // a call may wait for a person's permission; a day later nobody waits
const BYTES_MAX = 4_096

const folderOf = ({ home }: CallShelf): string => path.join(home, 'calls')

/** Named by a hash, so that no name that a client chose becomes a path. */
const fileOf = (shelf: CallShelf, callId: string): string => {
  const name = createHash('sha256')
    .update(JSON.stringify([shelf.stackId, callId]))
    .digest('hex')
  return path.join(folderOf(shelf), `${name}.json`)
}

/**
 * Writes down in which session and turn a call is about to come, under the id by which the client
 * names the call to its hook and to the server. Two sessions that announce one id are told apart by
 * nothing, so that the call then belongs to neither.
 */
export async function announceCall(
  shelf: CallShelf,
  callId: string,
  call: AnnouncedCall,
): Promise<void> {
  if (callId.length > CALL_ID_CHARS_MAX) throw tooLong('tool_use_id')
  if ([call.session, call.turn ?? ''].some((name) => name.length > NAME_CHARS_MAX)) {
    throw tooLong('session_id or prompt_id')
  }
  ensureHome(shelf.home)
  await mkdir(folderOf(shelf), { recursive: true, mode: 0o700 })
  const file = fileOf(shelf, callId)
  const known = await readCall(file)
  const isShared = known !== null && known.session !== call.session
  const part = `${file}.${process.pid}.part`
  await writeFile(part, JSON.stringify(isShared ? { shared: true } : call), { mode: 0o600 })
  await rename(part, file)
  await sweep(folderOf(shelf))
}

/** Reads an announcement once; null where no hook announced the call, or two sessions did. */
export async function takeAnnouncedCall(
  shelf: CallShelf,
  callId: string,
): Promise<AnnouncedCall | null> {
  if (callId.length > CALL_ID_CHARS_MAX) return null
  const file = fileOf(shelf, callId)
  const call = await readCall(file)
  if (call !== null) await rm(file, { force: true })
  return call === null || call.session === null ? null : { ...call, session: call.session }
}

/** A session of null stands for an id that two sessions announced. */
async function readCall(
  file: string,
): Promise<{ readonly session: string | null; readonly turn: string | null } | null> {
  try {
    const text = await readFile(file, 'utf8')
    const found: unknown = text.length > BYTES_MAX ? null : JSON.parse(text)
    if (!isMembers(found)) return null
    const { session, turn, shared } = found
    if (shared === true) return { session: null, turn: null }
    if (typeof session !== 'string' || session === '') return null
    return { session, turn: typeof turn === 'string' && turn !== '' ? turn : null }
  } catch {
    return null // a call without an announcement is a call all the same
  }
}

/** Calls that were refused never take their announcement. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(file, { force: true })
  }
}

const tooLong = (field: string): MunimentError =>
  new MunimentError('invalid_input', `The event’s ${field} is too long. Nothing is announced.`)
