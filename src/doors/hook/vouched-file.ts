import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TrustedTool } from './capture-settings.ts'
import type { HookEvent } from './event.ts'
import { phrasesOf, sharesOne } from './repeated.ts'
import { pathsGiven, recentRecords, type SessionRecord } from './session-record.ts'

const GIT_MS_MAX = 3_000
const FILE_BYTES_MAX = 4_194_304

const run = promisify(execFile)

/**
 * Runs git on the folder alone: no variable of the client, and no replaced object, changes the
 * answer.
 */
async function git(folder: string, args: readonly string[]): Promise<Buffer | null> {
  const env = { PATH: process.env.PATH, GIT_NO_REPLACE_OBJECTS: '1', GIT_OPTIONAL_LOCKS: '0' }
  const options = {
    env,
    encoding: 'buffer',
    timeout: GIT_MS_MAX,
    maxBuffer: FILE_BYTES_MAX,
  } as const
  try {
    return (await run('git', ['-C', folder, ...args], options)).stdout
  } catch {
    return null // no git, no repository, no such object: nothing vouches for the file
  }
}

/** The current commit of each trusted folder. */
export async function commitsOf(
  trusted: readonly TrustedTool[],
): Promise<ReadonlyMap<string, string>> {
  const commits = new Map<string, string>()
  for (const root of new Set(trusted.map((each) => each.root))) {
    const commit = (await git(root, ['rev-parse', '--verify', 'HEAD^{commit}']))?.toString().trim()
    if (commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit)) commits.set(root, commit)
  }
  return commits
}

interface Reading {
  readonly client: string
  readonly event: HookEvent
  /** The result as the tool gave it. */
  readonly result: string
  readonly record: SessionRecord | null
  readonly home: string
}

/**
 * A person trusts this tool here, the file equals its committed version from the session's
 * beginning, and the result is all of it: no word of the result is the session's, whatever the
 * session edited, committed or put back since.
 */
export async function isVouched(
  trusted: readonly TrustedTool[],
  { client, event, result, record, home }: Reading,
): Promise<boolean> {
  const [file, ...others] = pathsGiven(event)
  if (file === undefined || others.length > 0 || record === null || record.isFull) return false
  if (record.writtenPaths.has(file)) return false
  for (const { root, ...each } of trusted) {
    const commit = record.commits.get(root)
    const isNamed = each.client === client && each.tool === event.tool && isInside(root, file)
    if (!isNamed || commit === undefined) continue
    const at = { root, file, commit, result }
    if (await isAsCommitted(at)) return !(await mayBeOfSession(at, home))
  }
  return false
}

/**
 * True where words of a recent session stand in the file, and the file had other words when that
 * session began: the session may have written the file and committed it.
 */
async function mayBeOfSession({ root, file, result }: Committed, home: string): Promise<boolean> {
  const phrases = phrasesOf(result)
  for await (const record of recentRecords(home)) {
    const isSuspect =
      record.isFull || record.writtenPaths.has(file) || sharesOne(phrases, record.phrases)
    if (!isSuspect) continue
    const commit = record.commits.get(root)
    if (commit === undefined || !(await isAsCommitted({ root, file, commit, result }))) return true
  }
  return false
}

function isInside(root: string, file: string): boolean {
  const rest = path.relative(root, file)
  return rest !== '' && !rest.startsWith('..') && !path.isAbsolute(rest)
}

interface Committed {
  readonly root: string
  readonly file: string
  readonly commit: string
  readonly result: string
}

async function isAsCommitted(at: Committed): Promise<boolean> {
  const { root, file, commit, result } = at
  const rest = path.relative(root, file).split(path.sep).join('/')
  const committed = await git(root, ['cat-file', 'blob', `${commit}:./${rest}`])
  const present = await readFile(file).catch(() => null)
  if (committed === null || present === null || !committed.equals(present)) return false
  const whole = committed.toString('utf8').trim() // a part may say the opposite of the whole
  return whole !== '' && [result, withoutLineNumbers(result)].some((text) => text.trim() === whole)
}

const LINE_NUMBER = /^ *\d+(?:→|\t)/

/** Some versions of a client put a number before each line. */
function withoutLineNumbers(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  if (!lines.every((line) => LINE_NUMBER.test(line))) return text
  return lines.map((line) => line.replace(LINE_NUMBER, '')).join('\n')
}
