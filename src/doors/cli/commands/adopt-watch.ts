import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FileHistory, type FileVersion } from '../../../adopt/file-history.ts'
import { type KeptVersion, keepChanges, watchedAt, watchPlace } from '../../../adopt/watch.ts'
import { MunimentError, ScopeError } from '../../../domain/errors.ts'
import type { Page } from '../../../operations/text/page.ts'
import { oneLine } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import { identityKey } from '../../access/identity-key.ts'
import { cliCaller } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { quoted, type Session } from '../session.ts'
import { type Answer, ok } from '../spec/command.ts'

interface Watching {
  readonly place: string
  /** The editor, as the caller names the editor. */
  readonly who: string | null
  /** Looks once and ends. */
  readonly isOnce: boolean
}

const partsOf = async (session: Session) => ({
  key: await identityKey(session.home),
  redact: session.redact,
  by: cliCaller('adopt', { ...(await session.who()), session: session.sessionId }),
})

/** Keeps each edit of a file or a folder, until somebody stops the program. */
export async function watchAnswer(
  session: Session,
  { place, who, isOnce }: Watching,
): Promise<Answer> {
  const { host, page } = session
  const watched = await watchedAt(path.resolve(host.folder, place))
  const parts = await partsOf(session)
  let known: ReadonlySet<string> = new Set()
  const all: KeptVersion[] = []
  const told = new Set<string>()
  const look = async (): Promise<void> => {
    const work = (stack: Stack) =>
      keepChanges(stack, watched, known, { ...parts, who, nowMs: host.now() })
    const { kept, seen, problems } = await session.withStack('made', work)
    known = seen
    all.push(...kept)
    const news = problems.filter((problem) => !told.has(problem))
    for (const problem of news) told.add(problem)
    session.say([
      ...kept.flatMap((each) => keptLines(each, page)),
      ...news.map((problem) => page.ink.bad(`Not kept: ${oneLine(problem)}`)),
    ])
  }
  await look()
  if (isOnce) {
    const versions = all.map(({ path: file, version }) => ({ file, ...shownOf(version) }))
    const isQuiet = all.length === 0 && told.size === 0
    return {
      json: { place: watched.place, versions, problems: [...told] },
      text: () => (isQuiet ? [`Nothing changed in ${oneLine(watched.place)}.`] : []),
      exit: told.size === 0 ? EXIT.ok : EXIT.refused,
    }
  }
  session.say([page.ink.hint(`Watching ${oneLine(watched.place)}. Ctrl-C ends it.`)])
  host.onInterrupt(() => '\nNo longer watching. What was kept stays.\n')
  await watchPlace(watched, look, new AbortController().signal) // until the process ends
  return ok(undefined, () => [])
}

const shownOf = ({ number, ref, who, from, time, isGone, patch }: FileVersion) => ({
  version: number,
  ref,
  who,
  from,
  time,
  isGone,
  patch,
})

const DIFF_LINES_MAX = 20

function keptLines(
  { path: file, version, isFirst }: KeptVersion,
  { ink }: Page,
): readonly string[] {
  const { number, who, from, isGone, patch } = version
  const by = who === null ? 'an unknown program' : oneLine(who)
  const what = isGone ? ink.bad('deleted') : isFirst ? 'kept' : 'changed'
  const head = `${oneLine(file)} ${what}, version ${number}, by ${by}${who !== null && from !== null ? ` (${oneLine(from)})` : ''}`
  if (isFirst) return [head]
  const lines = patch.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@')) // behind the names of the file
  const changes = start < 0 ? [] : lines.slice(start).filter((line) => /^[+-]/.test(line))
  const shown = changes.slice(0, DIFF_LINES_MAX).map((line) => {
    const text = `    ${oneLine(line)}`
    return line.startsWith('-') ? ink.bad(text) : ink.good(text)
  })
  const left = changes.length - shown.length
  return [
    head,
    ...shown,
    ...(left > 0 ? [`    … and ${left} more lines`] : []),
    ink.faint(`    to put it back: muniment adopt --put-back ${quoted(oneLine(file))}`),
  ]
}

interface PuttingBack {
  readonly place: string
  /** The version to restore; the last but one unless given. */
  readonly version: number | null
}

/** Writes an earlier version of a watched file back, and keeps the restored state. */
export async function putBackAnswer(
  session: Session,
  { place, version }: PuttingBack,
): Promise<Answer> {
  const who = await session.who()
  if (!who.person) {
    throw new ScopeError(
      `Only a person puts a file back, and this call is a program’s: ${who.because}.`,
    )
  }
  const watched = await watchedAt(path.resolve(session.host.folder, place))
  if (watched.isFolder)
    throw usageError('--put-back takes a file.', 'muniment blame <file> shows its versions')
  const parts = await partsOf(session)
  return session.withStack('existing', async (stack) => {
    const options = { ...parts, who: null, nowMs: session.host.now() }
    // The state on the disk is kept first, so that putting back loses nothing.
    const [problem] = (await keepChanges(stack, watched, new Set(), options)).problems
    if (problem !== undefined) {
      throw new MunimentError('refused', `The file as it is cannot be kept: ${problem}`, {
        hint: 'Move it away by hand, and put back then.',
      })
    }
    const now = await readFile(watched.place, 'utf8').catch(() => '')
    if (parts.redact(now) !== now) {
      throw new MunimentError('refused', 'The file holds secrets, which no version keeps.', {
        hint: 'Move it away by hand, and put back then.',
      })
    }
    const history = new FileHistory(stack, { ...parts, path: watched.place })
    const wanted = wantedVersion(await history.versions(), version)
    await replaceFile(watched.place, wanted.text)
    const by = 'put back by a person'
    await keepChanges(stack, watched, new Set(), { ...options, who: by })
    const answer = { file: watched.place, version: wanted.number, ref: wanted.ref }
    return ok(answer, ({ ink }) => [
      `${ink.good('Put back')}: ${oneLine(watched.place)} is as in version ${wanted.number}, of ${wanted.time}.`,
    ])
  })
}

function wantedVersion(
  versions: readonly FileVersion[],
  number: number | null,
): FileVersion & { readonly text: string } {
  const found =
    number === null ? versions.at(-2) : versions.find((version) => version.number === number)
  if (found === undefined) {
    throw new MunimentError('not_found', 'This file has no such version here.', {
      hint: 'muniment adopt <file> --watch keeps versions; muniment blame <file> shows them.',
    })
  }
  if (found.isRedacted) {
    throw new MunimentError(
      'refused',
      `Version ${found.number} held secrets, which were left out.`,
      {
        hint: `Put back by hand what the version shows: muniment show ${found.ref}`,
      },
    )
  }
  const { text } = found
  if (text === null) {
    throw new MunimentError(
      'refused',
      `In version ${found.number} the file was gone, or the version was erased.`,
      {
        hint: 'Name another one: --version <number>',
      },
    )
  }
  return { ...found, text }
}

/** Writes the whole file or nothing, and follows no link. */
async function replaceFile(file: string, text: string): Promise<void> {
  const before = await lstat(file).catch(() => null)
  if (before !== null && !before.isFile()) {
    throw new MunimentError('refused', `${file} is no regular file now, and is left as it is.`)
  }
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  try {
    await writeFile(draft, text, {
      mode: before === null ? 0o600 : before.mode & 0o777,
      flag: 'wx',
      flush: true,
    })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
