import { createReadStream } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import { parseStackId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import { badLine } from '../hash/bundle/format.ts'
import { type TextLines, tooLong } from '../hash/bundle/lines.ts'
import { type RestoreOptions, restoreBundle } from '../stack/bundle/restore.ts'
import type { Stack } from '../stack/stack.ts'
import { nodeHasher, nodeSha256 } from './node-world.ts'
import { fileFor, type OpenOptions, openAt, placeOf } from './open-stack.ts'
import { copyBackup, isBackup, makeRoom } from './restore-backup.ts'

export interface RestoreStackOptions extends OpenOptions {
  /** A bundle, as a file or as the lines that `exportBundle` gives; or the file of a backup. */
  readonly from: string | TextLines
  /** A stack that stands there is set aside, whole, in a folder beside it. */
  readonly replace?: boolean
  readonly onProgress?: RestoreOptions['onProgress'] | undefined
}

/** Brings a stack back from its bundle or its backup, and opens it. */
export async function restoreStack(id: string, options: RestoreStackOptions): Promise<Stack> {
  const stackId = parseStackId(id)
  const { from, onProgress, replace = false, ...open } = options
  const isCopy = typeof from === 'string' && isBackup(from)
  const file = fileFor(stackId, open)
  if (isCopy && file === null) {
    throw new MunimentError('invalid_input', 'A backup comes back as a file.', {
      hint: 'Restore it in a home folder, then: muniment move --to postgres://…',
    })
  }
  if (file !== null) makeRoom(file, { replace })
  if (isCopy && file !== null) {
    await copyBackup(from, file, stackId)
    return openAt(await placeOf(stackId, open), stackId, open)
  }
  const place = await placeOf(stackId, open)
  try {
    const lines = typeof from === 'string' ? linesOfFile(from) : from
    await restoreBundle(place.store, lines, {
      ...{ stackId, sha256: nodeSha256, hasher: nodeHasher },
      ...(onProgress === undefined ? {} : { onProgress }),
    })
  } catch (cause) {
    await place.release()
    throw cause
  }
  return openAt(place, stackId, open)
}

const LINE_FEED = 0x0a

/**
 * Split at line feeds and nothing else: other characters that some readers take for the end of a
 * line may stand inside one. No more is held than a line may be long.
 */
export async function* linesOfFile(path: string): AsyncGenerator<string, void, undefined> {
  let parts: Buffer[] = []
  let length = 0
  let line = 1
  for await (const chunk of chunksOf(path)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield textOf([...parts, chunk.subarray(start, end)], line)
      line += 1
      start = end + 1
      parts = []
      length = 0
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > LIMITS.jsonBytesMax) throw tooLong(line, length)
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield textOf(parts, line)
}

async function* chunksOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  const stream: AsyncIterable<Buffer> = createReadStream(path)
  try {
    yield* stream
  } catch (cause) {
    const isThere = !(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
    throw isThere
      ? new MunimentError('store_unavailable', 'The bundle cannot be read.', { cause })
      : new MunimentError('not_found', 'There is no bundle at that path.', { cause })
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(parts: readonly Buffer[], line: number): string {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
  } catch (cause) {
    throw badLine(line, 'is not text in UTF-8', { cause })
  }
}
