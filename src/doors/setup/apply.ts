import { rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { isPrivate, modeOf, modeText } from '../access/home.ts'
import { hooksFile, withHooks, withoutHooks } from './claude-code.ts'
import {
  CLIENTS,
  type Client,
  type ClientName,
  type Launcher,
  type Places,
  type Scope,
  serverFile,
} from './clients.ts'
import {
  assertStill,
  backupOf,
  type JsonFile,
  type Members,
  naming,
  type ParseJson,
  readJsonFile,
  textFor,
  textOf,
  writeWhole,
} from './json-file.ts'
import {
  isOverHttp,
  isTaken,
  withoutServer,
  withoutTrace,
  withServer,
  withToken,
} from './server-entry.ts'
import { readTomlFile, tomlTextFor } from './toml-file.ts'

export interface Setup {
  readonly client: ClientName
  readonly scope: Scope
  readonly places: Places
  readonly launcher: Launcher
  readonly hooks: boolean
  readonly undo: boolean
  readonly dryRun: boolean
  readonly parseJson: ParseJson
  /**
   * The token for programs, for a client that reaches `muniment serve` over HTTP; null before the
   * first start.
   */
  readonly programToken: string | null
  /** Replaces a foreign entry under our name. */
  readonly force: boolean
}

/** The change of a file, made or planned. */
export interface FileChange {
  readonly file: string
  readonly what: 'server' | 'hooks'
  readonly action: 'create' | 'change' | 'restore' | 'remove' | 'none'
  readonly backup: string | null
  /** The new text; null where the file is removed. */
  readonly text: string | null
}

/** A change with the file's text at the time of the decision. */
interface Planned extends FileChange {
  readonly before: string | null
}

interface Part {
  readonly file: string
  readonly what: FileChange['what']
  readonly read: (file: string) => Promise<JsonFile>
  readonly textFor: (found: JsonFile, members: Members) => string
  readonly add: (settings: Members) => Members
  readonly remove: (settings: Members) => Members
  /** Removes our members, and any foreign entry under our name. */
  readonly clear: (settings: Members) => Members
}

/** Merges into existing settings; every file is read before any is written. */
export async function setUp(setup: Setup): Promise<readonly FileChange[]> {
  const changes: Planned[] = []
  const { programToken } = setup
  for (const part of partsOf(setup)) {
    const change = await planned(part, setup.undo)
    if (programToken !== null && change.action !== 'none' && change.text?.includes(programToken)) {
      await assertPrivate(change.file)
    }
    changes.push(change)
  }
  if (!setup.dryRun) for (const change of changes) await apply(change)
  const masked = (text: string | null): string | null =>
    programToken === null ? text : (text?.replaceAll(programToken, 'mun_…') ?? null)
  return changes.map(({ before: _, ...change }) => ({ ...change, text: masked(change.text) }))
}

/** A secret goes into no file other users can read. */
async function assertPrivate(file: string): Promise<void> {
  const mode = await modeOf(file)
  if (mode === undefined || isPrivate(mode)) return
  const message = `${file} is left as it is. Other users can read it (${modeText(mode)}), and the token for programs would lie in it.`
  throw new ScopeError(message, { hint: `chmod 600 ${file}, then again.` })
}

/** Undoing looks at both files: an earlier use of hooks is not recorded. */
function partsOf({ client: name, parseJson, scope, places, ...setup }: Setup): readonly Part[] {
  const { launcher, hooks, undo, force, programToken } = setup
  const client: Client = CLIENTS[name]
  const file = serverFile(name, scope, places)
  if (file === null) throw noSuchScope(client, scope)
  const json = { read: (from: string) => readJsonFile(from, parseJson), textFor }
  const format = client.format === 'json' ? json : { read: readTomlFile, textFor: tomlTextFor }
  const server: Part = {
    ...format,
    file,
    what: 'server',
    add: (settings) => {
      // A project's file is shared with others: no secret is written there.
      const keepsHttp = scope === 'user' && client.format === 'json' && !force
      if (keepsHttp && isOverHttp(settings, client)) {
        if (programToken === null) throw noProgramToken()
        return withToken(settings, client, programToken)
      }
      if (isTaken(settings, client) && !force) throw taken()
      return withServer(settings, launcher, { ...client, scope })
    },
    remove: (settings) => withoutServer(settings, client),
    clear: (settings) => withoutTrace(settings, client),
  }
  const hooking: Part = {
    ...json,
    file: hooksFile(scope, places),
    what: 'hooks',
    add: (settings) => withHooks(settings, launcher, scope),
    remove: withoutHooks,
    clear: withoutHooks,
  }
  return name === 'claude-code' && (hooks || undo) ? [server, hooking] : [server]
}

const noSuchScope = ({ title }: Client, scope: Scope): MunimentError =>
  new MunimentError('invalid_input', `${title} has no settings for a ${scope}.`, {
    hint: 'Leave out --scope.',
  })

const noProgramToken = (): MunimentError =>
  new MunimentError('not_found', 'It reaches muniment serve, which has made no token yet.', {
    hint: 'Start muniment serve once, then call this again; or with --force the client starts the program itself.',
  })

const taken = (): MunimentError =>
  new MunimentError('refused', 'It has a server “muniment” that is not of our making.', {
    hint: 'With --force ours takes its place, and the file as it was is kept beside it.',
  })

async function planned(part: Part, undo: boolean): Promise<Planned> {
  const found = await part.read(part.file)
  const { file, what } = part
  const change = undo ? part.remove : part.add
  const members = naming(file, () => change(found.members))
  const before = found.text
  const same = { file, what, action: 'none', backup: null, text: before, before } as const
  if (before === null && undo) return same
  if (isDeepStrictEqual(members, found.members)) return same
  const plan = undo ? undoing : merging
  return { ...(await plan(part, found, members)), before }
}

/** Backs up the file from before our first change; an older backup stays. */
async function merging(part: Part, found: JsonFile, members: Members): Promise<FileChange> {
  const { file, what } = part
  const isFirst = holdsNoneOfOurs(part, found) || (await textOf(backupOf(file))) === null
  return {
    file,
    what,
    action: found.text === null ? 'create' : 'change',
    backup: found.text !== null && isFirst ? backupOf(file) : null,
    text: part.textFor(found, members),
  }
}

const holdsNoneOfOurs = ({ remove }: Part, { members }: JsonFile): boolean =>
  isDeepStrictEqual(remove(members), members)

/**
 * A file nobody else has changed since gets its backup back byte for byte; a file changed by others
 * only loses our entries.
 */
async function undoing(part: Part, found: JsonFile, members: Members): Promise<FileChange> {
  const { file, what, clear } = part
  const backup = await part.read(backupOf(file)).catch(() => null)
  const isOfBefore = backup !== null && backup.text !== null && holdsNoneOfOurs(part, backup)
  if (isOfBefore && isDeepStrictEqual(clear(backup.members), clear(members))) {
    return { file, what, action: 'restore', backup: backup.path, text: backup.text }
  }
  const isEmpty = Object.keys(members).length === 0 && !isOfBefore
  const text = isEmpty ? null : part.textFor(found, members)
  return { file, what, action: isEmpty ? 'remove' : 'change', backup: null, text }
}

async function apply({ file, action, backup, text, before }: Planned): Promise<void> {
  if (action === 'none') return
  if (text === null) {
    await assertStill(file, before)
    await rm(file)
    // The folder was made for this file, unless other files lie there.
    if (path.basename(path.dirname(file)).startsWith('.')) {
      await rmdir(path.dirname(file)).catch(() => undefined)
    }
    return
  }
  if (action === 'change' && backup !== null && before !== null) {
    await writeWhole(backup, before, await textOf(backup))
  }
  await writeWhole(file, text, before)
  if (action === 'restore' && backup !== null) await rm(backup, { force: true })
}
