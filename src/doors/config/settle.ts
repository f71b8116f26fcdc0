import { existsSync } from 'node:fs'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Values,
} from '../../operations/settings.ts'
import { bindingFor, realFolder } from '../projects/project-folder.ts'
import { type Binding, type Registry, readRegistry } from '../projects/registry.ts'
import type { ConfigFile, Said } from './config-file.ts'
import { BadValue, fromVariable } from './read-setting.ts'

/** Sources of a value. Earlier sources win. */
export type From = 'flag' | 'environment' | 'file' | 'project' | 'default'

export interface Origin {
  readonly from: From
  /** The option, the variable, the file or the project folder; null for a default. */
  readonly where: string | null
  readonly line: number | null
}

export interface Settings {
  readonly values: Values
  readonly origins: Readonly<Record<SettingName, Origin>>
  /** Settings files, the winning file first. */
  readonly files: readonly string[]
  /** The binding that chose the stack; null for any other source. */
  readonly binding: Binding | null
  /** The folder whose project was asked for. */
  readonly projectFolder: string
  /** A project's stack was required, and the folder has no binding. */
  readonly isUnbound: boolean
  /** The stack named by a file in the folder, without the person's consent. */
  readonly unagreed: Unagreed | null
  /** A file in the folder that is not taken, with the reason. */
  readonly ignored: Ignored | null
}

export interface Ignored {
  readonly file: string
  readonly why: string
}

/** A stack named by a project's settings file; ignored until a person agrees. */
export interface Unagreed {
  readonly file: string
  readonly stack: string
}

export interface SettingsRequest {
  /** Settings from the command line. */
  readonly flags: Partial<Record<SettingName, string>>
  /** The named file; no other file is read then. */
  readonly configFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /**
   * The folder of the project whose stack must be used; without a folder, a binding may still
   * apply.
   */
  readonly project: string | undefined
  /** The project folder that a client names to its hooks. */
  readonly clientFolder: string | undefined
  /** A bad file in the folder is left aside: the project must not switch capture off. */
  readonly ignoresBadFile: boolean
  /** Throws where the environment names no home. */
  readonly defaultHome: () => string
  readonly parseJson: () => Promise<(text: string) => unknown>
}

const NAMES = ['muniment.config.ts', 'muniment.config.json'] as const
const NOBODY: Origin = { from: 'default', where: null, line: null }

/** Flag, then environment, then file, then default: the same order for every setting. */
export async function settle(asked: SettingsRequest): Promise<Settings> {
  const given = filesFor(asked)
  const { said, unagreed, ignored } = await saidIn(given, asked)
  const files = given.filter(({ file }) => file !== ignored?.file)
  const values: Record<string, unknown> = {}
  const origins: Partial<Record<SettingName, Origin>> = {}
  for (const name of SETTING_NAMES) {
    const [value, origin] = one(name, { ...asked, said })
    values[name] = value
    origins[name] = origin
  }
  const settled = {
    values: values as unknown as Values, // every name of the table, each read by its own row
    origins: origins as Settings['origins'],
  }
  return {
    ...(await withProject(settled, asked, files)),
    files: files.map(({ file }) => file),
    unagreed,
    ignored,
  }
}

type Settled = Pick<Settings, 'values' | 'origins'>
type WithProject = Settled & Pick<Settings, 'binding' | 'projectFolder' | 'isUnbound'>

/**
 * A binding chooses the stack where this call names none; the binding wins over the file in the
 * home.
 */
async function withProject(
  { values, origins }: Settled,
  asked: SettingsRequest,
  files: readonly ConfigFile[],
): Promise<WithProject> {
  const { from, where } = origins.stack
  const isUsual =
    from === 'default' || files.some(({ file, isAtHome }) => isAtHome && file === where)
  const projectFolder = projectFolderOf(asked)
  if (!isUsual) return { values, origins, binding: null, projectFolder, isUnbound: false }
  const { bindings } = await registryFor(asked)
  const binding = bindingFor(bindings, projectFolder)
  if (binding === null) {
    return { values, origins, binding, projectFolder, isUnbound: asked.project !== undefined }
  }
  return {
    values: { ...values, stack: null },
    origins: { ...origins, stack: { from: 'project', where: binding.path, line: null } },
    binding,
    projectFolder,
    isUnbound: false,
  }
}

/**
 * Some clients pass a variable such as `${workspaceFolder}` unexpanded: the folder itself is meant.
 */
function projectFolderOf({ project = '.', clientFolder, folder }: SettingsRequest): string {
  const base = clientFolder || folder
  return path.resolve(base, project.startsWith('${') ? '.' : project)
}

const homeFor = ({ flags, env, folder, defaultHome }: SettingsRequest): string | null => {
  const home = flags.home ?? (env.MUNIMENT_HOME || orNone(defaultHome))
  return home === null ? null : path.resolve(folder, home)
}

async function registryFor(
  asked: SettingsRequest,
): Promise<Pick<Registry, 'bindings' | 'consents'>> {
  const home = homeFor(asked)
  return home === null ? { bindings: [], consents: [] } : readRegistry(home)
}

function one(
  name: SettingName,
  { flags, env, said }: SettingsRequest & { readonly said: ReadonlyMap<SettingName, Said> },
): readonly [Values[SettingName], Origin] {
  const { variable, reads, usual } = SETTINGS[name]
  const flag = flags[name]
  if (flag !== undefined) return [flag, { from: 'flag', where: `--${name}`, line: null }]
  // An empty variable counts as not set.
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

/** A named file alone; otherwise the folder's and the home's, nearest first. */
function filesFor(asked: SettingsRequest): readonly ConfigFile[] {
  const { configFile, env, folder } = asked
  const named = configFile ?? (env.MUNIMENT_CONFIG || undefined)
  if (named !== undefined)
    return [{ file: path.resolve(folder, named), isChosen: true, isAtHome: false }]
  const here = fileIn(folder, asked.ignoresBadFile)
  const home = homeFor(asked)
  const atHome = home === null ? null : fileIn(home)
  return [
    ...(here === null || here === atHome ? [] : [{ file: here, isChosen: false, isAtHome: false }]),
    ...(atHome === null ? [] : [{ file: atHome, isChosen: true, isAtHome: true }]),
  ]
}

/** Commands in need of a home fail later by themselves; many need none. */
function orNone(defaultHome: () => string): string | null {
  try {
    return defaultHome()
  } catch (error) {
    if (error instanceof MunimentError) return null
    throw error
  }
}

function fileIn(folder: string, isFirstEnough = false): string | null {
  const found = NAMES.map((name) => path.join(folder, name)).filter((file) => existsSync(file))
  if (found.length < 2 || isFirstEnough) return found[0] ?? null
  throw new MunimentError('invalid_input', `There are two files of settings in ${folder}.`, {
    hint: `Keep one of ${NAMES.join(' and ')}, or name one: --config <file>`,
    facts: { folder },
  })
}

interface SaidInFiles extends Pick<Settings, 'unagreed' | 'ignored'> {
  readonly said: ReadonlyMap<SettingName, Said>
}

/** Loads the code for files only where a file exists. */
async function saidIn(files: readonly ConfigFile[], asked: SettingsRequest): Promise<SaidInFiles> {
  const all = new Map<SettingName, Said>()
  let unagreed: Unagreed | null = null
  let ignored: Ignored | null = null
  if (files.length === 0) return { said: all, unagreed, ignored }
  const [{ readConfigFile }, parse] = await Promise.all([
    import('./config-file.ts'),
    asked.parseJson(),
  ])
  for (const file of files) {
    const read = await readConfigFile(file, parse).catch((error: unknown) => {
      if (file.isChosen || !asked.ignoresBadFile || !(error instanceof MunimentError)) throw error
      ignored = { file: file.file, why: error.message }
      return new Map<SettingName, Said>()
    })
    for (const [name, said] of read) {
      if (name === 'stack' && !file.isChosen && !(await isAgreed(said, asked))) {
        unagreed = { file: said.file, stack: String(said.value) }
      } else if (!all.has(name)) all.set(name, said)
    }
  }
  return { said: all, unagreed, ignored }
}

/** Tells if a person agreed to this stack for this very file. */
async function isAgreed({ file, value }: Said, asked: SettingsRequest): Promise<boolean> {
  const { consents } = await registryFor(asked)
  const real = realFolder(file)
  return consents.some((consent) => consent.file === real && consent.stack === value)
}
