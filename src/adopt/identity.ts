import { createHash, createHmac } from 'node:crypto'
import { type MemoryId, parseMemoryId } from '../domain/ids.ts'
import { chunksOf, type SourceFile } from './source-file.ts'

const digest = (key: Uint8Array, parts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')

/**
 * The id of a memory of a source; the same parts give the same id. Ids stand in entries and outlive
 * an erasure, so an id is never computed from words alone.
 */
export function adoptedId(key: Uint8Array, ...parts: readonly string[]): MemoryId {
  const hex = digest(key, parts)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return parseMemoryId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  )
}

const BATCH_CHARS = 12

/** The name of a batch: one state of one source. An interrupted run goes on in its own batch. */
export async function batchOf(
  key: Uint8Array,
  format: string,
  place: string,
  files: readonly SourceFile[],
): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${file.name}\0${file.size}\0`)
    for await (const chunk of chunksOf(file)) hash.update(chunk)
  }
  return `${format}-${digest(key, ['batch', place, hash.digest('hex')]).slice(0, BATCH_CHARS)}`
}
