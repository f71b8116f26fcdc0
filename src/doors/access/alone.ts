import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { MunimentError } from '../../domain/errors.ts'

const WAIT_MS = 10
const WAITS_MAX = 1_000 // ten seconds: whoever holds it reads and writes one small file
const NONCE_BYTES = 8
const PRIVATE_FILE = 0o600

/**
 * One process at a time changes a file: what it read is still what is there when it writes. The lock is
 * a file beside it with the name of its holder; one whose holder has ended is taken away. Just before it
 * writes a holder makes sure of its lock, since another may have thought it left behind.
 */
export async function alone<T>(
  file: string,
  work: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`
  const own = `${process.pid} ${randomBytes(NONCE_BYTES).toString('hex')}`
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

/** Moved aside first: of several who find it left behind, one has it. */
async function takeAwayLeft(lock: string): Promise<void> {
  const holder = await holderOf(lock)
  const [, pid] = /^(\d+) [0-9a-f]+$/.exec(holder ?? '') ?? []
  if (pid === undefined || isAlive(Number(pid))) return // one that is being written has no name yet
  const aside = `${lock}.${randomBytes(NONCE_BYTES).toString('hex')}`
  await rename(lock, aside).catch(() => undefined) // somebody else was faster
  await rm(aside, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // asks, and sends nothing
    return true
  } catch (cause) {
    return codeOf(cause) === 'EPERM'
  }
}

const holderOf = (lock: string): Promise<string | null> => readFile(lock, 'utf8').catch(() => null)

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code // of fs

const busy = (file: string): MunimentError =>
  new MunimentError('store_busy', `${file} is being changed by another process.`, {
    hint: 'Try again. If no other muniment runs, remove the file that ends in .lock.',
  })
