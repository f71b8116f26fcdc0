import { constants, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Values,
} from '../../operations/settings.ts'
import { BadValue, fromFile } from './read-setting.ts'

/** A file of settings. A chosen file may set everything; a file found in a folder may not. */
export interface ConfigFile {
  readonly file: string
  readonly isChosen: boolean
  /** The person's own file in the home folder, valid for every project. */
  readonly isAtHome: boolean
}

/** A setting's value in a file, with its line. */
export interface Said {
  readonly value: Values[SettingName]
  readonly file: string
  readonly line: number | null
}

type ParseJson = (text: string) => unknown

/** Reads a file, or lists all its errors. */
export async function readConfigFile(
  { file, isChosen }: Pick<ConfigFile, 'file' | 'isChosen'>,
  parse: ParseJson,
): Promise<ReadonlyMap<SettingName, Said>> {
  if (file.endsWith('.ts') && !isChosen) throw notChosen(file, 'It is a program')
  const text = isChosen ? await textOf(file) : await foundText(file)
  const config = file.endsWith('.ts') ? await exported(file) : parsed(file, text, parse)
  const said = new Map<SettingName, Said>()
  const issues: FieldIssue[] = []
  const guarded: string[] = []
  for (const { name, value } of membersOf(config)) {
    const line = lineOf(text, name)
    const bad = (what: string): unknown =>
      issues.push({ path: name, message: `${what} (${file}${line === null ? '' : `:${line}`})` })
    if (!isSetting(name)) {
      bad('is not a setting')
      continue
    }
    const { reads, outsideFiles, guarded: isGuarded, variable } = SETTINGS[name]
    if (outsideFiles) bad(`does not belong in a file: set $${variable}`)
    else if (isGuarded && !isChosen) guarded.push(name)
    else {
      try {
        said.set(name, { value: fromFile(reads, value), file, line })
      } catch (error) {
        if (!(error instanceof BadValue)) throw error
        bad(error.message)
      }
    }
  }
  if (issues.length > 0) throw badFile(file, issues)
  if (guarded.length > 0) throw notChosen(file, `It sets ${guarded.join(', ')}`)
  return said
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

/** Groups of settings: members with further members. */
const GROUPS: ReadonlySet<string> = new Set(
  SETTING_NAMES.flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
)

interface Member {
  readonly name: string
  readonly value: unknown
}

function membersOf(config: object, within = ''): readonly Member[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const name = `${within}${key}`
    if (value === undefined || (name === '$schema' && within === '')) return []
    const isGroup = within === '' && GROUPS.has(key) && isMembers(value)
    return isGroup ? membersOf(value, `${key}.`) : [{ name, value }]
  })
}

const isMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, 'Look at --config or $MUNIMENT_CONFIG.', cause)
  }
}

const FOUND_BYTES_MAX = 65_536

/** Reads a file that lies in the folder: a pipe would wait for ever, a device never end. */
async function foundText(file: string): Promise<string> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause) => {
    throw unreadable(file, 'It lies in this folder and was not chosen by you.', cause)
  })
  try {
    const found = await opened.stat()
    if (found.isFile() && found.size <= FOUND_BYTES_MAX) return await opened.readFile('utf8')
  } finally {
    await opened.close()
  }
  throw unreadable(file, 'Only a plain file of 64 kB at most is read from this folder.')
}

const unreadable = (file: string, hint: string, cause?: unknown): MunimentError =>
  new MunimentError('not_found', `The settings in ${file} cannot be read.`, {
    hint,
    facts: { file },
    cause,
  })

function parsed(file: string, text: string, parse: ParseJson): object {
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    const { position } = cause.facts
    const line = typeof position === 'number' ? lineAt(text, position) : 1
    throw new MunimentError('invalid_json', `${file}:${line} is no JSON. ${cause.message}`, {
      facts: { file, line },
      cause,
    })
  }
  return objectOf(file, value)
}

/** Node strips the types; no compiler runs here. */
async function exported(file: string): Promise<object> {
  let module: { readonly default?: unknown }
  try {
    module = await import(pathToFileURL(path.resolve(file)).href)
  } catch (cause) {
    throw notLoaded(file, cause)
  }
  return objectOf(file, module.default)
}

function notLoaded(file: string, cause: unknown): MunimentError {
  const { code, message, stack } = Object(cause) as NodeJS.ErrnoException // parsed loosely
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return new MunimentError('invalid_input', `${file}: this Node does not run TypeScript.`, {
      hint: 'Node 22.18 and 24 do. Or say the same in muniment.config.json.',
      facts: { file },
      cause,
    })
  }
  const at = (stack ?? '').split(file)[1]
  const line = Number(/^:(\d+)/.exec(at ?? '')?.[1] ?? Number.NaN)
  const where = Number.isNaN(line) ? file : `${file}:${line}`
  const first = String(message ?? cause).split('\n')[0]
  return new MunimentError('invalid_input', `${where} cannot be loaded: ${first}`, {
    facts: { file, ...(Number.isNaN(line) ? {} : { line }) },
    cause,
  })
}

function objectOf(file: string, value: unknown): object {
  if (isMembers(value)) return value
  throw new MunimentError('invalid_input', `${file} holds no settings.`, {
    hint: file.endsWith('.ts')
      ? "export default { stack: 'work' } satisfies Config"
      : '{ "stack": "work" }',
    facts: { file },
  })
}

const badFile = (file: string, issues: readonly FieldIssue[]): MunimentError =>
  new MunimentError(
    'invalid_input',
    `${file}: not valid: ${issues.map(({ path: name }) => name).join(', ')}.`,
    { issues, hint: 'Every setting: muniment stack config', facts: { file } },
  )

/** A file from a foreign project must not choose the memory's place, nor run. */
const notChosen = (file: string, why: string): MunimentError =>
  new MunimentError(
    'scope',
    `${file} lies in this folder and was not chosen by you. ${why}: nothing of it is taken.`,
    {
      hint: `If it is yours: --config ${path.basename(file)}, or MUNIMENT_CONFIG=${file}, or keep it in the home folder.`,
      facts: { file },
    },
  )

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length

/** The line of a member: looked for after its group's name, if any. */
function lineOf(text: string, name: string): number | null {
  let from = 0
  for (const key of name.split('.')) {
    const escaped = key.replace(/[^\w]/g, '\\$&')
    const found = new RegExp(`(?<![\\w$.])["']?${escaped}["']?\\s*:`, 'g')
    found.lastIndex = from
    const match = found.exec(text)
    if (!match) return null
    from = match.index
  }
  return lineAt(text, from)
}
