import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import type { ReadBy } from '../../engine/read/served.ts'
import type { Stack } from '../../stack.ts'
import { mem0Text, pamText } from './json-documents.ts'
import { markdownFile } from './markdown-folder.ts'
import { memoriesOf, type OutMemory } from './memories.ts'
import { serverMemoryLines } from './server-memory.ts'

export const OUT_FORMATS = ['markdown', 'server-memory', 'mem0', 'pam'] as const
export type OutFormat = (typeof OUT_FORMATS)[number]

export interface ExportRequest {
  /** A file, or for markdown a folder, that is not there yet. */
  readonly to: string
  readonly format: OutFormat
  readonly by: ReadBy
  readonly exportedAt: string
}

/** Writes the believed memories in the shape of another tool; the number of memories. */
export async function exportMemories(
  stack: Stack,
  { to, format, by, exportedAt }: ExportRequest,
): Promise<number> {
  let count = 0
  async function* counted(): AsyncGenerator<OutMemory, void> {
    for await (const memory of memoriesOf(stack, by)) {
      count += 1
      yield memory
    }
  }
  if (format === 'markdown') await writeFolder(to, counted())
  else if (format === 'server-memory') await writeFile(to, serverMemoryLines(counted()))
  else if (format === 'mem0') await writeFile(to, mem0Text(counted()))
  else await writeFile(to, pamText(counted(), { owner: stack.stackId, exportedAt }))
  return count
}

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const CHUNK_CHARS = 65_536

/** Writes a whole file or none; an existing file stays as it is. */
async function writeFile(to: string, parts: AsyncIterable<string>): Promise<void> {
  const draft = `${to}.part`
  const handle = await open(draft, 'wx', PRIVATE_FILE).catch((cause: unknown) => {
    throw cannotBegin(draft, cause)
  })
  try {
    let waiting = ''
    for await (const part of parts) {
      waiting += part
      if (waiting.length < CHUNK_CHARS) continue
      await handle.write(waiting)
      waiting = ''
    }
    await handle.write(waiting)
    await handle.sync()
    await handle.close()
    await link(draft, to) // unlike a rename, a link replaces nothing
    await rm(draft)
  } catch (cause) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw cause instanceof MunimentError ? cause : cannotWrite(to, cause)
  }
}

async function writeFolder(to: string, memories: AsyncIterable<OutMemory>): Promise<void> {
  const draft = `${to}.part`
  try {
    await mkdir(draft, { mode: PRIVATE_FOLDER })
  } catch (cause) {
    throw cannotBegin(draft, cause)
  }
  try {
    for await (const memory of memories) {
      const { name, text } = markdownFile(memory)
      const file = path.join(draft, name)
      await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER })
      const handle = await open(file, 'wx', PRIVATE_FILE)
      await handle.writeFile(text)
      await handle.close()
    }
    await rename(draft, to)
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    throw cause instanceof MunimentError ? cause : cannotWrite(to, cause)
  }
}

const cannotBegin = (draft: string, cause: unknown): MunimentError =>
  cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    ? new MunimentError('store_unavailable', `${draft} is there already.`, {
        hint: `An export that was cut off left it, or another export is at work. Remove ${draft}, or name another file.`,
        cause,
      })
    : cannotWrite(draft, cause)

const cannotWrite = (place: string, cause: unknown): MunimentError =>
  new MunimentError('store_unavailable', `${place} cannot be written.`, {
    hint: 'Name a file or a folder that is not there yet, in a folder that is.',
    cause,
  })
