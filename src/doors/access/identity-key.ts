import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'

const KEY_BYTES = 32
const KEY_FILE = 'adopt.key'

/** The key behind the ids of adopted memories; it lies outside every stack. */
export async function identityKey(home: string): Promise<Uint8Array> {
  const file = path.join(home, KEY_FILE)
  const key = (await readFile(file).catch(() => null)) ?? (await newKey(file))
  if (key.length === KEY_BYTES) return key
  throw new MunimentError('store_unavailable', `The key ${file} cannot be used.`, {
    hint: `It holds ${KEY_BYTES} random bytes. Bring it back from a backup: with a new key, a second run doubles what is here.`,
  })
}

/** Writes a key whole or not at all; of two processes the first wins. */
async function newKey(file: string): Promise<Uint8Array> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause
    })
    return await readFile(file)
  } finally {
    await rm(draft, { force: true })
  }
}
