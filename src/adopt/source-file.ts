import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import { ADOPT_LIMITS } from './record.ts'

/** A regular file to read, with the path inside its source folder. */
export interface SourceFile {
  readonly path: string
  /** The path inside the folder that was named; the file's name where a file was named. */
  readonly name: string
  readonly size: number
  readonly changedMs: number
  /** Called with the number of bytes of each chunk that is read. */
  readonly onBytes?: (bytes: number) => void
}

const refusal = (message: string, hint?: string, cause?: unknown): MunimentError =>
  new MunimentError('invalid_input', message, { ...(hint ? { hint } : {}), cause })

/** The file at a path. Links, devices and files over the limit are refused. */
export async function sourceFile(file: string, name = path.basename(file)): Promise<SourceFile> {
  const stats = await lstat(file).catch((cause: unknown) => {
    throw refusal(`${file} cannot be read.`, 'Give a file or a folder that exists.', cause)
  })
  if (stats.isSymbolicLink()) {
    throw refusal(`${file} is a link, and links are not followed.`, 'Name the file itself.')
  }
  if (!stats.isFile()) throw refusal(`${file} is not a regular file.`)
  if (stats.size > ADOPT_LIMITS.fileBytesMax) {
    throw refusal(`${file} holds more than ${ADOPT_LIMITS.fileBytesMax} bytes.`)
  }
  return { path: file, name, size: stats.size, changedMs: stats.mtimeMs }
}

export const isFolder = async (place: string): Promise<boolean> =>
  (await lstat(place).catch(() => null))?.isDirectory() === true

/** Opens without following a link that took the file's place meanwhile. */
export const openFile = (file: string): Promise<FileHandle> =>
  open(file, constants.O_RDONLY | constants.O_NOFOLLOW)

/** The first bytes of a file, as text; bytes that are not UTF-8 show as U+FFFD. */
export async function headOf({ path: file }: SourceFile): Promise<string> {
  const handle = await openFile(file)
  try {
    const buffer = Buffer.alloc(ADOPT_LIMITS.headBytes)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return new TextDecoder().decode(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/** Chunks of a file as it was opened; a file that grows meanwhile ends at the size of its start. */
export async function* chunksOf({
  path: file,
  size,
  onBytes,
}: SourceFile): AsyncGenerator<Buffer, void> {
  if (size === 0) return
  const handle = await openFile(file)
  try {
    const stream = handle.createReadStream({ start: 0, end: size - 1, autoClose: false })
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onBytes?.(chunk.length)
      yield chunk
    }
  } finally {
    await handle.close()
  }
}

/** A whole document as text. */
export async function documentText(file: SourceFile): Promise<string> {
  if (file.size > ADOPT_LIMITS.documentBytesMax) {
    throw refusal(`${file.name} holds more than ${ADOPT_LIMITS.documentBytesMax} bytes.`)
  }
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(file)) chunks.push(chunk)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw refusal(`${file.name} is not UTF-8 text.`, undefined, cause)
  }
}

/** A line with its number; `text` is null where the line is too long or not UTF-8. */
export interface FileLine {
  readonly number: number
  readonly text: string | null
  readonly why?: string
}

const LINE_FEED = 10

/** Lines of a file, within a fixed amount of memory whatever the file holds. */
export async function* linesOf(file: SourceFile): AsyncGenerator<FileLine, void> {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let number = 1
  let parts: Buffer[] = []
  let length = 0
  const line = (): FileLine => {
    if (length > ADOPT_LIMITS.lineBytesMax) {
      return { number, text: null, why: `holds more than ${ADOPT_LIMITS.lineBytesMax} bytes` }
    }
    try {
      return { number, text: strict.decode(Buffer.concat(parts)).replace(/\r$/, '') }
    } catch {
      return { number, text: null, why: 'is not UTF-8 text' }
    }
  }
  for await (const chunk of chunksOf(file)) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_FEED, start)
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end)
      length += piece.length
      if (length <= ADOPT_LIMITS.lineBytesMax) parts.push(piece)
      else parts = []
      if (end < 0) break
      yield line()
      number += 1
      parts = []
      length = 0
      start = end + 1
    }
  }
  if (length > 0) yield line()
}

/** Folders with nothing of a person's memory in them, and costly to walk. */
const PASSED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '.obsidian', '.trash'])

export interface FolderFiles {
  readonly files: readonly SourceFile[]
  /** Links and unreadable places, which were not entered. */
  readonly passed: readonly string[]
}

/** Regular files below a folder that `wants` by name, in the order of their names. */
export async function filesIn(
  folder: string,
  wants: (name: string) => boolean,
): Promise<FolderFiles> {
  const files: SourceFile[] = []
  const passed: string[] = []
  const walk = async (place: string, depth: number): Promise<void> => {
    if (depth > ADOPT_LIMITS.folderDepthMax) {
      passed.push(`${place} lies too deep`)
      return
    }
    const entries = await readdir(place, { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const at = path.join(place, entry.name)
      if (entry.isSymbolicLink()) passed.push(`${at} is a link`)
      else if (entry.isDirectory()) {
        if (!PASSED_FOLDERS.has(entry.name)) await walk(at, depth + 1)
      } else if (entry.isFile() && wants(path.relative(folder, at))) {
        if (files.length >= ADOPT_LIMITS.filesMax) {
          throw refusal(`${folder} holds more than ${ADOPT_LIMITS.filesMax} files.`)
        }
        files.push(await sourceFile(at, path.relative(folder, at)))
      }
    }
  }
  await walk(folder, 0)
  return { files, passed }
}

/** The real path of a place; a place reached through a link is named by its target. */
export const realPath = (place: string): Promise<string> =>
  realpath(place).catch((cause: unknown) => {
    throw refusal(`${place} cannot be read.`, 'Give a file or a folder that exists.', cause)
  })
