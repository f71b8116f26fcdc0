import type { Fields } from '../fields.ts'
import type { ReadItem } from '../record.ts'
import type { SourceFile } from '../source-file.ts'

/** The head of a file, for a recogniser. */
export interface FileHead {
  readonly file: SourceFile
  /** The path as the person sees it, with forward slashes. */
  readonly place: string
  readonly text: string
  /** True in a folder that Obsidian has opened as a vault. */
  readonly isInVault: boolean
}

/** A place on a machine where a tool keeps its memory. */
export interface UsualPlace {
  readonly under: 'home' | 'folder'
  /** A path below, in parts; `*` stands for any folder. */
  readonly path: string
  /** A name inside by which the tool marks its folders; other folders are passed by. */
  readonly marked?: string
  /** Places that the file at the path names: it holds settings, as JSON. */
  readonly names?: (settings: Fields) => readonly unknown[]
}

/** Downloaded account exports of chats, unpacked. */
export const ACCOUNT_EXPORTS: readonly UsualPlace[] = [
  { under: 'folder', path: 'conversations.json' },
  { under: 'home', path: 'Downloads/conversations.json' },
  { under: 'home', path: 'Downloads/*', marked: 'conversations.json' },
]

/** A format of another tool. Each lies in a file of its own, and `table.ts` lists them. */
export interface Format {
  /** The name in commands, actors and batches. */
  readonly name: string
  /** The tool, as people call it. */
  readonly tool: string
  readonly usualPlaces: readonly UsualPlace[]
  /** Names of files that a folder of this tool may hold. */
  readonly wants: (name: string) => boolean
  /** True if the file is of this format, by its name and its first bytes alone. */
  readonly recognises: (head: FileHead) => boolean
  readonly read: (file: SourceFile, head: FileHead) => AsyncIterable<ReadItem> | Iterable<ReadItem>
}

export const endsIn =
  (...endings: readonly string[]) =>
  (name: string): boolean =>
    endings.some((ending) => name.toLowerCase().endsWith(ending))
