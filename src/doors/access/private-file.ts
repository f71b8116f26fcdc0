import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { modeOf, modeText } from './home.ts'

const PRIVATE_FILE = 0o600

const OTHERS_MAY_WRITE = 0o022

const NONCE_BYTES = 4

/** Writes a draft, then renames the draft, so a full disk cannot leave half a file. */
export async function replacePrivateFile(
  file: string,
  text: string,
  assertHeld: () => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomBytes(NONCE_BYTES).toString('hex')}`
  try {
    await writeFile(draft, text, { mode: PRIVATE_FILE, flush: true })
    await assertHeld()
    await rename(draft, file)
  } catch (cause) {
    await rm(draft, { force: true })
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError('store_unavailable', `${file} cannot be written.`, {
      hint: 'muniment doctor',
      cause,
    })
  }
}

/** Refuses a file writable by other users: they would decide its content. */
export async function assertOwnFile(file: string, about: string): Promise<void> {
  const mode = await modeOf(file)
  if (mode === undefined || (mode & OTHERS_MAY_WRITE) === 0) return
  throw new ScopeError(`${file} can be written by others (${modeText(mode)}).`, {
    hint: `chmod 600 ${file}`,
    facts: { about },
  })
}

const WAIT_MS = 10

const WAITS_MAX = 1_000 // 10 seconds: a holder reads and writes only a small file

const LOCK_NONCE_BYTES = 8

/**
 * Runs `work` while no other process changes the file, so the text read is still there at the
 * write. The lock lies beside the file and names its holder; the lock of an ended holder is
 * removed. A holder calls `assertHeld` just before writing, since another process may have thought
 * the lock abandoned.
 */
export async function alone<T>(
  file: string,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`
  const own = `${process.pid} ${randomBytes(LOCK_NONCE_BYTES).toString('hex')}`
  await take(lock, own)
  try {
    return await work(async () => {
      if ((await holderOf(lock)) !== own) throw busy(file)
    })
  } finally {
    if ((await holderOf(lock)) === own) await rm(lock, { force: true })
  }
}

async function take(lock: string, own: string): Promise<void> {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    try {
      await writeFile(lock, own, { flag: 'wx', mode: PRIVATE_FILE })
      return
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') {
        const message = `${lock} cannot be made.`
        throw new MunimentError('store_unavailable', message, { hint: 'muniment doctor', cause })
      }
    }
    await takeAwayLeft(lock)
    await sleep(WAIT_MS)
  }
  throw busy(lock)
}

/** Renames the abandoned lock first: of several finders, only a single rename succeeds. */
async function takeAwayLeft(lock: string): Promise<void> {
  const holder = await holderOf(lock)
  const [, pid] = /^(\d+) [0-9a-f]+$/.exec(holder ?? '') ?? []
  if (pid === undefined || isAlive(Number(pid))) return // a lock still being written has no name yet
  const aside = `${lock}.${randomBytes(LOCK_NONCE_BYTES).toString('hex')}`
  await rename(lock, aside).catch(() => undefined) // another process was faster
  await rm(aside, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // signal 0 only checks, and sends nothing
    return true
  } catch (cause) {
    return codeOf(cause) === 'EPERM'
  }
}

const holderOf = (lock: string): Promise<string | null> => readFile(lock, 'utf8').catch(() => null)

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code // errors of fs have a code

const busy = (file: string): MunimentError =>
  new MunimentError('store_busy', `${file} is being changed by another process.`, {
    hint: 'Try again. If no other muniment runs, remove the file that ends in .lock.',
  })
