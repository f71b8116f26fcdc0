import { existsSync } from 'node:fs'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, type Values } from '../../protocol/settings.ts'
import type { ConfigFile, Said } from './config-file.ts'
import { BadValue, fromVariable } from './read-setting.ts'

/** Who gave a value. What stands earlier wins. */
export type From = 'flag' | 'environment' | 'file' | 'default'

export interface Origin {
  readonly from: From
  /** The option, the variable, or the file; null for what nobody gave. */
  readonly where: string | null
  readonly line: number | null
}

/** Every setting of this call, and where each came from. */
export interface Settings {
  readonly values: Values
  readonly origins: Readonly<Record<SettingName, Origin>>
  /** Files that were read, the one that wins first. */
  readonly files: readonly string[]
}

export interface Asked {
  /** What the command line said, by setting. */
  readonly flags: Partial<Record<SettingName, string>>
  /** The file that was named; it is then the only one. */
  readonly configFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** Throws where nobody says which it is. */
  readonly defaultHome: () => string
  readonly parseJson: () => Promise<(text: string) => unknown>
}

const NAMES = ['muniment.config.ts', 'muniment.config.json'] as const
const NOBODY: Origin = { from: 'default', where: null, line: null }

/** Flag, then environment, then file, then what is usual: one order for every setting. */
export async function settle(asked: Asked): Promise<Settings> {
  const files = filesFor(asked)
  const said = await saidIn(files, asked)
  const values: Record<string, unknown> = {}
  const origins: Partial<Record<SettingName, Origin>> = {}
  for (const name of SETTING_NAMES) {
    const [value, origin] = one(name, { ...asked, said })
    values[name] = value
    origins[name] = origin
  }
  return {
    values: values as unknown as Values, // every name of the table, each read by its own row
    origins: origins as Settings['origins'],
    files: files.map(({ file }) => file),
  }
}

function one(
  name: SettingName,
  { flags, env, said }: Asked & { readonly said: ReadonlyMap<SettingName, Said> },
): readonly [Values[SettingName], Origin] {
  const { variable, reads, usual } = SETTINGS[name]
  const flag = flags[name]
  if (flag !== undefined) return [flag, { from: 'flag', where: `--${name}`, line: null }]
  // Set but empty is how a shell says "not set".
  const text = env[variable] || undefined
  if (text !== undefined) {
    return [
      varied(variable, reads, text),
      { from: 'environment', where: `$${variable}`, line: null },
    ]
  }
  const found = said.get(name)
  if (found) return [found.value, { from: 'file', where: found.file, line: found.line }]
  return [usual, NOBODY]
}

function varied(
  variable: string,
  reads: Parameters<typeof fromVariable>[0],
  text: string,
): Values[SettingName] {
  try {
    return fromVariable(reads, text)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    throw new MunimentError('invalid_input', `$${variable} ${error.message}.`, {
      issues: [{ path: variable, message: error.message }],
      hint: 'muniment help environment',
    })
  }
}

/** One that was named; otherwise the folder's and the home's, the nearer one first. */
function filesFor({ configFile, env, folder, flags, defaultHome }: Asked): readonly ConfigFile[] {
  const named = configFile ?? (env.MUNIMENT_CONFIG || undefined)
  if (named !== undefined) return [{ file: path.resolve(folder, named), isChosen: true }]
  const here = fileIn(folder)
  const home = flags.home ?? (env.MUNIMENT_HOME || orNone(defaultHome))
  const atHome = home === null ? null : fileIn(path.resolve(folder, home))
  return [
    ...(here === null ? [] : [{ file: here, isChosen: here === atHome }]),
    ...(atHome === null || atHome === here ? [] : [{ file: atHome, isChosen: true }]),
  ]
}

/** What needs a home says so itself, and not everything does. */
function orNone(defaultHome: () => string): string | null {
  try {
    return defaultHome()
  } catch (error) {
    if (error instanceof MunimentError) return null
    throw error
  }
}

function fileIn(folder: string): string | null {
  const found = NAMES.map((name) => path.join(folder, name)).filter((file) => existsSync(file))
  if (found.length < 2) return found[0] ?? null
  throw new MunimentError('invalid_input', `There are two files of settings in ${folder}.`, {
    hint: `Keep one of ${NAMES.join(' and ')}, or name one: --config <file>`,
    facts: { folder },
  })
}

/** The code that reads files is loaded where there is one. */
async function saidIn(
  files: readonly ConfigFile[],
  { parseJson }: Asked,
): Promise<ReadonlyMap<SettingName, Said>> {
  const all = new Map<SettingName, Said>()
  if (files.length === 0) return all
  const [{ readConfigFile }, parse] = await Promise.all([import('./config-file.ts'), parseJson()])
  for (const file of files) {
    for (const [name, said] of await readConfigFile(file, parse)) {
      if (!all.has(name)) all.set(name, said)
    }
  }
  return all
}
