import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { ensureHome } from '../access/home.ts'
import { isMembers } from './event.ts'

/** The session and turn of a client's next tool call, as its hook reports just before. */
export interface AnnouncedCall {
  readonly session: string
  /** The client's name for the turn; null where the client names none. */
  readonly turn: string | null
}

/** The place of one stack's announcements. Hook and server of a client share the home folder. */
export interface AnnouncementPlace {
  readonly home: string
  readonly stackId: string
}

const CALL_ID_CHARS_MAX = 200
const NAME_CHARS_MAX = 200
const KEPT_MS = 86_400_000 // a call may wait for a person's permission; a day later nobody waits
const BYTES_MAX = 4_096

const folderOf = ({ home }: AnnouncementPlace): string => path.join(home, 'calls')

/** A hash as the file's name keeps client-chosen names out of paths. */
const fileOf = (place: AnnouncementPlace, callId: string): string => {
  const name = createHash('sha256')
    .update(JSON.stringify([place.stackId, callId]))
    .digest('hex')
  return path.join(folderOf(place), `${name}.json`)
}

/**
 * Records the session and turn of a coming call, under the id by which the client names the call to
 * its hook and to the server. If two sessions announce the same id, the call belongs to neither.
 */
export async function announceCall(
  place: AnnouncementPlace,
  callId: string,
  call: AnnouncedCall,
): Promise<void> {
  if (callId.length > CALL_ID_CHARS_MAX) throw tooLong('tool_use_id')
  if ([call.session, call.turn ?? ''].some((name) => name.length > NAME_CHARS_MAX)) {
    throw tooLong('session_id or prompt_id')
  }
  ensureHome(place.home)
  await mkdir(folderOf(place), { recursive: true, mode: 0o700 })
  const file = fileOf(place, callId)
  const known = await readCall(file)
  const isShared = known !== null && known.session !== call.session
  const part = `${file}.${process.pid}.part`
  await writeFile(part, JSON.stringify(isShared ? { shared: true } : call), { mode: 0o600 })
  await rename(part, file)
  await sweep(folderOf(place))
}

/**
 * Reads and removes an announcement; null where no hook announced the call, or two sessions did.
 */
export async function takeAnnouncedCall(
  place: AnnouncementPlace,
  callId: string,
): Promise<AnnouncedCall | null> {
  if (callId.length > CALL_ID_CHARS_MAX) return null
  const file = fileOf(place, callId)
  const call = await readCall(file)
  if (call !== null) await rm(file, { force: true })
  return call === null || call.session === null ? null : { ...call, session: call.session }
}

/** A null session marks an id announced by two sessions. */
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
    return null // a call without an announcement is still a call
  }
}

/** Removes old files, because refused calls never take their announcement. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(file, { force: true })
  }
}

const tooLong = (field: string): MunimentError =>
  new MunimentError('invalid_input', `The event’s ${field} is too long. Nothing is announced.`)
