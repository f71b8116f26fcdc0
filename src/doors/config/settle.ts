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

/** Who gave a value. What stands earlier wins. */
export type From = 'flag' | 'environment' | 'file' | 'project' | 'default'

export interface Origin {
  readonly from: From
  /** The option, the variable, the file or the project folder; null for what nobody gave. */
  readonly where: string | null
  readonly line: number | null
}

/** Every setting of this call, and where each came from. */
export interface Settings {
  readonly values: Values
  readonly origins: Readonly<Record<SettingName, Origin>>
  /** Files that were read, the one that wins first. */
  readonly files: readonly string[]
  /** The binding that chose the stack; null where something else did. */
  readonly binding: Binding | null
  /** The folder whose project was asked for. */
  readonly projectFolder: string
  /** A project's stack was required, and no project is bound there. */
  readonly isUnbound: boolean
  /** The stack that a file in the folder names without the person's consent. */
  readonly unagreed: Unagreed | null
}

/** A stack that a settings file of a project names; ignored until a person agrees. */
export interface Unagreed {
  readonly file: string
  readonly stack: string
}

export interface Asked {
  /** What the command line said, by setting. */
  readonly flags: Partial<Record<SettingName, string>>
  /** The file that was named; it is then the only one. */
  readonly configFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** The folder of the project whose stack must be used; without one, a bound project may be. */
  readonly project: string | undefined
  /** The project folder that a client names to its hooks. */
  readonly clientFolder: string | undefined
  /** Throws where nobody says which it is. */
  readonly defaultHome: () => string
  readonly parseJson: () => Promise<(text: string) => unknown>
}

const NAMES = ['muniment.config.ts', 'muniment.config.json'] as const
const NOBODY: Origin = { from: 'default', where: null, line: null }

/** Flag, then environment, then file, then what is usual: one order for every setting. */
export async function settle(asked: Asked): Promise<Settings> {
  const files = filesFor(asked)
  const { said, unagreed } = await saidIn(files, asked)
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
  }
}

type Settled = Pick<Settings, 'values' | 'origins'>
type WithProject = Settled & Pick<Settings, 'binding' | 'projectFolder' | 'isUnbound'>

/** A binding chooses the stack where this call names none; it wins over the file in the home. */
async function withProject(
  { values, origins }: Settled,
  asked: Asked,
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

/** Some clients leave a variable such as `${workspaceFolder}` as it is: the folder itself is meant. */
function projectFolderOf({ project = '.', clientFolder, folder }: Asked): string {
  const base = clientFolder || folder
  return path.resolve(base, project.startsWith('${') ? '.' : project)
}

const homeFor = ({ flags, env, folder, defaultHome }: Asked): string | null => {
  const home = flags.home ?? (env.MUNIMENT_HOME || orNone(defaultHome))
  return home === null ? null : path.resolve(folder, home)
}

async function registryFor(asked: Asked): Promise<Pick<Registry, 'bindings' | 'consents'>> {
  const home = homeFor(asked)
  return home === null ? { bindings: [], consents: [] } : readRegistry(home)
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
function filesFor(asked: Asked): readonly ConfigFile[] {
  const { configFile, env, folder } = asked
  const named = configFile ?? (env.MUNIMENT_CONFIG || undefined)
  if (named !== undefined)
    return [{ file: path.resolve(folder, named), isChosen: true, isAtHome: false }]
  const here = fileIn(folder)
  const home = homeFor(asked)
  const atHome = home === null ? null : fileIn(home)
  return [
    ...(here === null || here === atHome ? [] : [{ file: here, isChosen: false, isAtHome: false }]),
    ...(atHome === null ? [] : [{ file: atHome, isChosen: true, isAtHome: true }]),
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

interface SaidInFiles {
  readonly said: ReadonlyMap<SettingName, Said>
  readonly unagreed: Unagreed | null
}

/** The code that reads files is loaded where there is one. */
async function saidIn(files: readonly ConfigFile[], asked: Asked): Promise<SaidInFiles> {
  const all = new Map<SettingName, Said>()
  let unagreed: Unagreed | null = null
  if (files.length === 0) return { said: all, unagreed }
  const [{ readConfigFile }, parse] = await Promise.all([
    import('./config-file.ts'),
    asked.parseJson(),
  ])
  for (const file of files) {
    for (const [name, said] of await readConfigFile(file, parse)) {
      if (name === 'stack' && !file.isChosen && !(await isAgreed(said, asked))) {
        unagreed = { file: said.file, stack: String(said.value) }
      } else if (!all.has(name)) all.set(name, said)
    }
  }
  return { said: all, unagreed }
}

/** A person agreed to this stack, named by this very file. */
async function isAgreed({ file, value }: Said, asked: Asked): Promise<boolean> {
  const { consents } = await registryFor(asked)
  const real = realFolder(file)
  return consents.some((consent) => consent.file === real && consent.stack === value)
}
