import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
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
