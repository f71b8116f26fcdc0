import { open, rename, rm } from 'node:fs/promises'
import { MunimentError } from '../domain/errors.ts'

/** A file that only its owner reads, whole or not there: a broken export leaves nothing behind. */
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
    await rm(part, { force: true })
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError('store_unavailable', 'The file could not be written.', { cause })
  }
}
