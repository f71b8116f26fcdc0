import path from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import type { FileHead, Format } from './formats/format.ts'
import { FORMATS } from './formats/table.ts'
import type { ReadItem } from './record.ts'
import { filesIn, headOf, isFolder, realPath, type SourceFile, sourceFile } from './source-file.ts'

/** Files of one format in one place. A run takes each source as a batch of its own. */
export interface Source {
  readonly format: Format
  /** The real path of the file or the folder. */
  readonly place: string
  readonly files: readonly FileHead[]
  readonly bytes: number
}

export interface Recognised {
  readonly sources: readonly Source[]
  /** Files of no known format, links, and places that cannot be read. */
  readonly passed: readonly string[]
}

/** The sources in a file or a folder. A named format is trusted, without a look at the file. */
export async function sourcesAt(place: string, named?: Format): Promise<Recognised> {
  const real = await realPath(place)
  const isLink = path.resolve(place) !== real && (await isOwnLink(place, real))
  if (isLink) {
    throw new MunimentError('invalid_input', `${place} is a link, and links are not followed.`, {
      hint: `Name the target itself: ${real}`,
    })
  }
  if (!(await isFolder(real))) {
    const file = await sourceFile(real)
    const head = await fileHead(file, false)
    const format = named ?? formatOf(head)
    return format
      ? { sources: [{ format, place: real, files: [head], bytes: file.size }], passed: [] }
      : { sources: [], passed: [`${real}${unreadable(head)}`] }
  }
  return sourcesInFolder(real, named)
}

/** The first bytes of ZIP and GZIP, as text. */
const ARCHIVES = ['PK\u0003\u0004', '\u001F\uFFFD']

/** The reason where a whole file is of no use as it is. */
function unreadable({ text, file: { size } }: FileHead): string {
  if (size === 0) return ' is empty'
  if (ARCHIVES.some((head) => text.startsWith(head)))
    return ' is an archive: unpack it and name the folder'
  return text.startsWith('\uFFFD') ? ' is not UTF-8 text' : ''
}

/** A folder above may be a link, as on many systems; the named place itself may not. */
const isOwnLink = async (place: string, real: string): Promise<boolean> => {
  const parent = await realPath(path.dirname(path.resolve(place)))
  return path.join(parent, path.basename(path.resolve(place))) !== real
}

const wantedBy =
  (formats: readonly Format[]) =>
  (name: string): boolean =>
    formats.some((format) => format.wants(name))

async function sourcesInFolder(folder: string, named: Format | undefined): Promise<Recognised> {
  const formats = named === undefined ? FORMATS : [named]
  const { files, passed } = await filesIn(folder, wantedBy(formats))
  const byFormat = new Map<Format, FileHead[]>()
  const unknown: string[] = []
  const isInVault = await isFolder(path.join(folder, '.obsidian'))
  for (const file of files) {
    const head = await fileHead(file, isInVault)
    const format = named ?? formatOf(head)
    if (format === undefined) unknown.push(file.path)
    else byFormat.set(format, [...(byFormat.get(format) ?? []), head])
  }
  const sources = [...byFormat].map(([format, heads]) => ({
    format,
    place: folder,
    files: heads,
    bytes: heads.reduce((sum, { file }) => sum + file.size, 0),
  }))
  return { sources, passed: [...passed, ...unknown] }
}

const fileHead = async (file: SourceFile, isInVault: boolean): Promise<FileHead> => ({
  file,
  place: file.path.replaceAll('\\', '/'),
  text: await headOf(file),
  isInVault,
})

const formatOf = (head: FileHead): Format | undefined =>
  FORMATS.find((format) => format.recognises(head))

/** An item with the file of its place. */
export interface FileItem {
  readonly file: SourceFile
  readonly item: ReadItem
}

/** All items of a source, file by file. A file that cannot be read on is one bad item. */
export async function* itemsIn(
  { format, files }: Source,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<FileItem, void> {
  for (const head of files) {
    const file = { ...head.file, ...(onBytes ? { onBytes } : {}) }
    try {
      for await (const item of format.read(file, head)) yield { file, item }
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      yield { file, item: { type: 'bad', position: 'the file', why: cause.message } }
    }
  }
}
