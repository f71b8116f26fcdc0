import { type FSWatcher, watch } from 'node:fs'
import path from 'node:path'
import { type ErrorCode, MunimentError } from '../domain/errors.ts'
import type { Instant } from '../domain/time.ts'
import type { Stack } from '../stack.ts'
import { type Editor, editorOf } from './editor.ts'
import { FileHistory, type FileVersion, type HistoryParts } from './file-history.ts'
import { documentText, filesIn, isFolder, realPath, sourceFile } from './source-file.ts'

/** A file or a folder under watch, by its real path. */
export interface Watched {
  readonly place: string
  readonly isFolder: boolean
}

export async function watchedAt(place: string): Promise<Watched> {
  const folder = await isFolder(place)
  // A watched file may be gone for a while; its folder stays.
  const parent = await realPath(folder ? place : path.dirname(place))
  return { place: folder ? parent : path.join(parent, path.basename(place)), isFolder: folder }
}

export interface KeepOptions extends Omit<HistoryParts, 'path'> {
  /** The editor as the caller names it; otherwise hooks are asked. */
  readonly who: string | null
  /** The time of a deletion, which leaves no file to ask. */
  readonly nowMs: number
}

/** A version with the path of its file. */
export interface KeptVersion {
  readonly path: string
  readonly version: FileVersion
  readonly isFirst: boolean
}

const isMarkdown = (name: string): boolean => /\.(?:md|markdown)$/i.test(name)

/** The result of a look. */
export interface Look {
  readonly kept: readonly KeptVersion[]
  readonly seen: ReadonlySet<string>
  /** Files whose state cannot be kept, with the reason; the other files are kept all the same. */
  readonly problems: readonly string[]
}

/** Keeps every file that changed since the last look. `known` are files seen before. */
export async function keepChanges(
  stack: Stack,
  watched: Watched,
  known: ReadonlySet<string>,
  options: KeepOptions,
): Promise<Look> {
  const files = watched.isFolder
    ? (await filesIn(watched.place, isMarkdown)).files.map((file) => file.path)
    : [watched.place]
  const seen = new Set([...known, ...files])
  const kept: KeptVersion[] = []
  const problems: string[] = []
  for (const file of seen) {
    try {
      const version = await keepFile(stack, file, options)
      if (version) kept.push({ path: file, version, isFirst: version.number === 1 })
    } catch (cause) {
      if (!(cause instanceof MunimentError) || !OF_ONE_FILE.has(cause.code)) throw cause
      problems.push(`${file}: ${cause.message}`)
    }
  }
  return { kept, seen, problems }
}

/** Faults of a file; any other fault ends the watch. */
const OF_ONE_FILE: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'limit_exceeded', 'refused'])

async function keepFile(
  stack: Stack,
  file: string,
  options: KeepOptions,
): Promise<FileVersion | null> {
  const history = new FileHistory(stack, { ...options, path: file })
  const state = await stateOf(file)
  const { who, nowMs } = options
  // No client reports a deletion.
  const editor = async (keptAt: Instant | null): Promise<Editor> =>
    who !== null || state === null
      ? { who, from: null }
      : editorOf(stack, { file, changedMs: state.changedMs, keptAt })
  return history.keep({ text: state?.text ?? null, changedMs: state?.changedMs ?? nowMs, editor })
}

/** Null for a file that is gone; a link in its place counts as gone. */
async function stateOf(
  file: string,
): Promise<{ readonly text: string; readonly changedMs: number } | null> {
  const found = await sourceFile(file).catch((cause: unknown) => {
    if (cause instanceof MunimentError) return null
    throw cause
  })
  return found && { text: await documentText(found), changedMs: found.changedMs }
}

const SETTLE_MS = 1_000 // editors write a file in several steps, and hooks report afterwards
const RESCAN_MS = 10_000 // a look without an event, because events may be lost

/** Calls `look` after changes, and now and then without one, until the signal ends the watch. */
export async function watchPlace(
  { place, isFolder: folder }: Watched,
  look: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let wake: () => void = () => undefined
  let isChanged = false
  const note = (): void => {
    isChanged = true
    wake()
  }
  const watcher: FSWatcher = watch(
    folder ? place : path.dirname(place),
    { recursive: folder },
    (_, name) => {
      if (folder || name === null || name === path.basename(place)) note()
    },
  )
  watcher.on('error', () => undefined) // the rescan goes on
  signal.addEventListener('abort', note)
  try {
    while (!signal.aborted) {
      if (!isChanged) await wait(RESCAN_MS, (resolve) => (wake = resolve))
      if (signal.aborted) break
      if (isChanged) await wait(SETTLE_MS, () => undefined)
      isChanged = false
      await look()
    }
  } finally {
    watcher.close()
  }
}

const wait = (ms: number, early: (resolve: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    early(() => {
      clearTimeout(timer)
      resolve()
    })
  })
