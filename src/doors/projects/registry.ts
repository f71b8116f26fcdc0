import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import { ensureHome } from '../access/home.ts'
import { alone, assertOwnFile, replacePrivateFile } from '../access/private-file.ts'

/** The name of a stack, as people see it; its id never changes. */
export interface StackName {
  readonly stack: string
  readonly name: string
}

/** A project folder, by its real path, and the stack used inside. */
export interface Binding {
  readonly path: string
  readonly stack: string
  readonly boundAt: string
  /** A person allowed this project to read the personal stack. */
  readonly readsPersonal: boolean
}

/** A person agreed to the stack named by this settings file; another stack needs a new consent. */
export interface Consent {
  readonly file: string
  readonly stack: string
  readonly agreedAt: string
}

/**
 * The home's knowledge of projects. The registry never lies in a project, so no clone can bring its
 * own.
 */
export interface Registry {
  readonly names: readonly StackName[]
  readonly bindings: readonly Binding[]
  readonly consents: readonly Consent[]
}

const EMPTY: Registry = { names: [], bindings: [], consents: [] }
const VERSION = 1

export const registryFile = (home: string): string => path.join(home, 'projects.json')

export async function readRegistry(home: string): Promise<Registry> {
  const file = registryFile(home)
  let text: string
  try {
    text = readFileSync(file, 'utf8') // one small file: a thread would take longer
  } catch (cause) {
    if (Object(cause).code === 'ENOENT' || Object(cause).code === 'ENOTDIR') return EMPTY
    throw new MunimentError('store_unavailable', `${file} cannot be read.`, {
      hint: `Make it readable: chmod 600 ${file}`,
      cause,
    })
  }
  await assertOwnFile(file, 'projects')
  return parseRegistry(file, text)
}

/** One process at a time reads, changes and writes the registry. */
export async function changeRegistry<T>(
  home: string,
  change: (registry: Registry) => { readonly registry: Registry; readonly answer: T },
): Promise<T> {
  ensureHome(home)
  return alone(registryFile(home), async (assertHeld) => {
    const { registry, answer } = change(await readRegistry(home))
    const text = `${JSON.stringify({ v: VERSION, ...registry }, null, 2)}\n`
    await replacePrivateFile(registryFile(home), text, assertHeld)
    return answer
  })
}

/** The name of a stack, or the id of an unnamed stack. */
export const stackNameIn = ({ names }: Registry, id: string): string =>
  names.find(({ stack }) => stack === id)?.name ?? id

function parseRegistry(file: string, text: string): Registry {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw damaged(file, 'it is not JSON', cause)
  }
  const { v, ...members } = membersOf(value, () => damaged(file, 'it is not an object'))
  if (typeof v === 'number' && v > VERSION) {
    throw new MunimentError('schema_newer', `${file} was written by a newer muniment (v ${v}).`, {
      hint: 'Update muniment.',
    })
  }
  if (v !== VERSION) throw damaged(file, `“v” is not ${VERSION}`)
  const bad = (field: string): MunimentError => damaged(file, `“${field}” is not valid`)
  return {
    names: rowsOf(members.names, NAME, () => bad('names')),
    bindings: rowsOf(members.bindings, BINDING, () => bad('bindings')),
    consents: rowsOf(members.consents, CONSENT, () => bad('consents')),
  }
}

type Check = (value: unknown) => boolean

const NAME_CHARS_MAX = 100
const isText: Check = (value) => typeof value === 'string' && value !== ''
const isPath: Check = (value) => typeof value === 'string' && path.isAbsolute(value)
const isTime: Check = (value) => typeof value === 'string' && Number.isFinite(Date.parse(value))

/** One line of at most 100 characters, without control characters. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= NAME_CHARS_MAX &&
  value.isWellFormed() &&
  !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(value)

function isStackId(value: unknown): boolean {
  try {
    return isText(parseStackId(value))
  } catch {
    return false
  }
}

const NAME: Readonly<Record<keyof StackName, Check>> = { stack: isStackId, name: isName }
const BINDING: Readonly<Record<keyof Binding, Check>> = {
  path: isPath,
  stack: isStackId,
  boundAt: isTime,
  readsPersonal: (value) => typeof value === 'boolean',
}
const CONSENT: Readonly<Record<keyof Consent, Check>> = {
  file: isPath,
  stack: isStackId,
  agreedAt: isTime,
}

function rowsOf<T extends object>(
  value: unknown,
  checks: Readonly<Record<keyof T, Check>>,
  bad: () => MunimentError,
): readonly T[] {
  if (!Array.isArray(value)) throw bad()
  return value.map((given) => {
    const row = membersOf(given, bad)
    const isWhole = Object.entries<Check>(checks).every(([name, check]) => check(row[name]))
    if (!isWhole) throw bad()
    return row as T // every member was looked at
  })
}

function membersOf(value: unknown, bad: () => MunimentError): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad()
  return value as Readonly<Record<string, unknown>>
}

const damaged = (file: string, why: string, cause?: unknown): MunimentError =>
  new MunimentError(
    'store_corrupt',
    `${file} is damaged: ${why}. No stack is chosen by guessing.`,
    {
      hint: `Repair the file, or move it away and bind each project again: muniment stacks bind <stack>. For one call: --stack <id>`,
      facts: { file },
      cause,
    },
  )
