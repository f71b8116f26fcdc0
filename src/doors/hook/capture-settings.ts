import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LIMITS_OF_RETENTION } from '../../domain/erasure.ts'
import { MunimentError } from '../../domain/errors.ts'
import { ensureHome } from '../access/home.ts'
import { alone, assertOwnFile, replacePrivateFile } from '../access/private-file.ts'
import { isMembers } from './event.ts'

/** A person vouches for the output of this client's tool inside a folder. */
export interface TrustedTool {
  readonly client: string
  /** The exact name: a server's tool `mcp__files__Read` is not the client's `Read`. */
  readonly tool: string
  /** The real path of the folder. */
  readonly root: string
  readonly trustedAt: string
}

/** A person's settings for captures. The file lies in the home, so no project brings its own. */
export interface CaptureSettings {
  readonly isPaused: boolean
  readonly trusted: readonly TrustedTool[]
  /** Days until maintenance erases uncited captures; null keeps captures for ever. */
  readonly keepDays: number | null
}

const EMPTY: CaptureSettings = { isPaused: false, trusted: [], keepDays: null }
const VERSION = 1

const fileIn = (home: string): string => path.join(home, 'captures.json')

export async function readCaptureSettings(home: string): Promise<CaptureSettings> {
  const file = fileIn(home)
  let text: string
  try {
    text = readFileSync(file, 'utf8') // one small file: a thread would take longer
  } catch (cause) {
    if (Object(cause).code === 'ENOENT' || Object(cause).code === 'ENOTDIR') return EMPTY
    throw damaged(file, 'it cannot be read', cause)
  }
  await assertOwnFile(file, 'captures')
  return parse(file, text)
}

/** One process at a time reads, changes and writes the settings. */
export async function changeCaptureSettings(
  home: string,
  change: (before: CaptureSettings) => CaptureSettings,
): Promise<CaptureSettings> {
  ensureHome(home)
  return alone(fileIn(home), async (assertHeld) => {
    const after = change(await readCaptureSettings(home))
    const text = `${JSON.stringify({ v: VERSION, ...after }, null, 2)}\n`
    await replacePrivateFile(fileIn(home), text, assertHeld)
    return after
  })
}

function parse(file: string, text: string): CaptureSettings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw damaged(file, 'it is not JSON', cause)
  }
  if (!isMembers(value) || value.v !== VERSION) throw damaged(file, `“v” is not ${VERSION}`)
  const { isPaused, trusted, keepDays = null } = value
  if (typeof isPaused !== 'boolean') throw damaged(file, '“isPaused” is not valid')
  if (!Array.isArray(trusted) || !trusted.every(isTrustedTool)) {
    throw damaged(file, '“trusted” is not valid')
  }
  if (keepDays !== null && !isDays(keepDays)) throw damaged(file, '“keepDays” is not valid')
  return { isPaused, trusted, keepDays }
}

export const isDays = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LIMITS_OF_RETENTION.daysMax

const isTrustedTool = (value: unknown): value is TrustedTool =>
  isMembers(value) &&
  [value.client, value.tool, value.trustedAt].every((each) => typeof each === 'string') &&
  typeof value.root === 'string' &&
  path.isAbsolute(value.root)

const damaged = (file: string, why: string, cause?: unknown): MunimentError =>
  new MunimentError('store_corrupt', `${file} is damaged: ${why}. Nothing is captured.`, {
    hint: `Repair the file, or move it away and give your settings again: muniment trust captures`,
    facts: { file },
    cause,
  })
