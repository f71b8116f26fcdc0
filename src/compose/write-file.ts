import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MunimentError } from '../domain/errors.ts'

/** A file that only its owner reads, whole or not there: a broken export leaves nothing behind. */
export async function writePrivateFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }) // as a backup does
    const file = await open(part, 'w', 0o600)
    try {
      for await (const chunk of chunks) await file.write(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true }).catch(() => undefined) // why it was not written is the thing to say
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
  EEXIST: 'what it would lie in is no folder',
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
