import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Stack } from '../../stack.ts'
import { ensureHome } from '../access/home.ts'
import { realFolder } from '../projects/project-folder.ts'
import type { HookEvent } from './event.ts'
import { phrasesOf, sharesOne, textsIn } from './repeated.ts'

/** The model's writes in a session, as far as its tool calls show. */
export interface SessionRecord {
  readonly writtenPaths: ReadonlySet<string>
  readonly phrases: ReadonlySet<string>
  /** The commit of each trusted root at the session's beginning. */
  readonly commits: ReadonlyMap<string, string>
  /** A full record takes no more lines, so every later result may contain the model's words. */
  readonly isFull: boolean
}

/** The place of a session's record: the home and the client's session id. */
export interface RecordPlace {
  readonly home: string
  readonly session: string
}

const BYTES_MAX = 1_048_576

const KEPT_MS = 30 * 86_400_000

const PATH = 'path '

const PHRASE = 'phrase '

const COMMIT = 'commit '

const folderOf = (home: string): string => path.join(home, 'sessions')

/** A hash as the file's name keeps client-chosen names out of paths. */
const fileOf = ({ home, session }: RecordPlace): string =>
  path.join(folderOf(home), `${createHash('sha256').update(session).digest('hex')}.log`)

export async function readSessionRecord(place: RecordPlace): Promise<SessionRecord | null> {
  const text = await readFile(fileOf(place), 'utf8').catch(() => null)
  return text === null ? null : recordIn(text)
}

/** Records of every session of the last weeks, the current session included. */
export async function* recentRecords(home: string): AsyncGenerator<SessionRecord, void, undefined> {
  const folder = folderOf(home)
  for (const name of await readdir(folder).catch(() => [])) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => null)
    if (text !== null) yield recordIn(text)
  }
}

function recordIn(text: string): SessionRecord {
  const lines = text.split('\n')
  const behind = (mark: string): readonly string[] =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length))
  const commits = behind(COMMIT).map((line): [string, string] => {
    const [commit = ''] = line.split(' ')
    return [line.slice(commit.length + 1), commit]
  })
  return {
    writtenPaths: new Set(behind(PATH)),
    phrases: new Set(behind(PHRASE)),
    // The first commit counts: a later line cannot move the beginning of a session.
    commits: new Map(commits.reverse()),
    isFull: text.length >= BYTES_MAX,
  }
}

/** Begins a session's record; an existing record keeps its beginning. */
export async function beginSessionRecord(
  place: RecordPlace,
  commits: ReadonlyMap<string, string>,
): Promise<void> {
  await append(
    place,
    [...commits].map(([root, commit]) => `${COMMIT}${commit} ${root}`),
  )
  await sweep(folderOf(place.home))
}

/** Adds a tool call's input: written paths, and the phrases of its words. */
export async function recordToolCall(place: RecordPlace, event: HookEvent): Promise<void> {
  const known = await readSessionRecord(place)
  if (known?.isFull) return
  const paths = writtenBy(event).filter((each) => !known?.writtenPaths.has(each))
  const phrases = new Set(textsIn(event.toolInput).flatMap((text) => [...phrasesOf(text)]))
  const fresh = [...phrases].filter((each) => !known?.phrases.has(each))
  await append(place, [
    // Also recorded without words or paths: from now on the session may have written.
    ...(known === null ? ['begun'] : []),
    ...paths.filter((each) => !each.includes('\n')).map((each) => `${PATH}${each}`),
    ...fresh.map((each) => `${PHRASE}${each}`),
  ])
}

/** Lines are appended in one write, because calls of one session report at the same time. */
async function append(place: RecordPlace, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  ensureHome(place.home)
  await mkdir(folderOf(place.home), { recursive: true, mode: 0o700 })
  const text = `${lines.join('\n')}\n`.slice(0, BYTES_MAX)
  await appendFile(fileOf(place), text, { mode: 0o600 })
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => null)
    if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(file, { force: true })
  }
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'target_file', 'filename'] as const

const WRITING = /^(?:Write|Edit|MultiEdit|NotebookEdit)$|(?:write|edit|create|append|save|move)/i

const TARGETS =
  /(?:>>?\|?|\btee(?:\s+-a)?|\bof=|\s-[oO]|--output(?:-document)?[\s=])\s*['"]?([^\s'"|;&<>()]+)/g

const MOVES =
  /\b(?:cp|mv|ln|rsync|install|sed\s+-i|perl\s+-\S*i)\b[^|;&\n]*?['"]?([^\s'"|;&<>()]+)['"]?\s*(?=$|[|;&\n])/g

/** The path without symbolic links, also for a missing file. */
function realPathOf(file: string, cwd: string | null): string {
  const whole = path.resolve(cwd ?? '/', file)
  const real = realFolder(whole)
  return real === whole ? path.join(realFolder(path.dirname(whole)), path.basename(whole)) : real
}

export const pathsGiven = ({ toolInput, cwd }: HookEvent): readonly string[] =>
  PATH_FIELDS.map((name) => toolInput[name])
    .filter((value) => typeof value === 'string')
    .map((file) => realPathOf(file, cwd))

function writtenBy(event: HookEvent): readonly string[] {
  const { tool, toolInput, cwd } = event
  const given = WRITING.test(tool ?? '') ? pathsGiven(event) : []
  const { command } = toolInput
  if (typeof command !== 'string') return given
  const targets = [...command.matchAll(TARGETS), ...command.matchAll(MOVES)]
  return [...given, ...targets.map(([, file = '']) => realPathOf(file, cwd))]
}

/** A result may contain words written by this session's model. */
export function holdsOwnWords(event: HookEvent, result: string, record: SessionRecord): boolean {
  if (record.isFull) return true
  if (pathsGiven(event).some((each) => record.writtenPaths.has(each))) return true
  const { command } = event.toolInput
  if (typeof command === 'string' && namesOne(command, record.writtenPaths)) return true
  return sharesOne(phrasesOf(result), record.phrases)
}

/** Compares file names only: a command may change the folder first. */
function namesOne(command: string, paths: ReadonlySet<string>): boolean {
  const names = new Set([...paths].map((each) => path.basename(each)))
  return (command.match(/[^\s'"|;&<>()=/\\]+/g) ?? []).some((word) => names.has(word))
}

const PAGE = 100

/** Captures of a kind in a session, newest first: all pages, whatever came in between. */
export async function* keptIn<K extends 'raw' | 'note'>(
  stack: Stack,
  kind: K,
  session: string,
): AsyncGenerator<Memory<K>, void, undefined> {
  const asked = { inSession: session, limit: PAGE, includeSetAside: false }
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after }
    const page: readonly Memory<K>[] = await stack.list(kind, { ...asked, ...from })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** The current turn: each prompt begins a turn, even a prompt no person typed. */
export async function turnOf(stack: Stack, session: string): Promise<string | null> {
  const asked = { inSession: session, byPerson: true, limit: 1, includeSetAside: false } as const
  const [last] = await stack.list('raw', asked)
  if (last) return last.provenance.turn
  for await (const raw of keptIn(stack, 'raw', session)) {
    if (PROMPT_PATHS.has(raw.provenance.ingestionPath)) return raw.provenance.turn
  }
  return null
}

const PROMPT_PATHS: ReadonlySet<string> = new Set(['hook:user_prompt', 'hook:pasted'])
