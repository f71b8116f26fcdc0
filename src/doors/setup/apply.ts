import { rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  hooksFile,
  type Launcher,
  type Places,
  type Scope,
  serverFile,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from './claude-code.ts'
import {
  backupOf,
  type JsonFile,
  type Members,
  readJsonFile,
  textFor,
  writeWhole,
} from './json-file.ts'

export interface Setup {
  readonly scope: Scope
  readonly places: Places
  readonly launcher: Launcher
  readonly hooks: boolean
  readonly undo: boolean
  readonly dryRun: boolean
}

/** What becomes, or would become, of one file. */
export interface FileChange {
  readonly file: string
  readonly what: 'server' | 'hooks'
  readonly action: 'create' | 'change' | 'restore' | 'remove' | 'none'
  readonly backup: string | null
  /** The file as it will be; null where it goes. */
  readonly text: string | null
}

interface Part {
  readonly file: string
  readonly what: FileChange['what']
  readonly add: (settings: Members) => Members
  readonly remove: (settings: Members) => Members
}

/** Merges into what is there; every file is read before any is written. */
export async function setUp(setup: Setup): Promise<readonly FileChange[]> {
  const changes: FileChange[] = []
  for (const part of partsOf(setup)) changes.push(await planned(part, setup.undo))
  if (!setup.dryRun) for (const change of changes) await apply(change)
  return changes
}

/** Undoing looks at both files: nobody remembers whether hooks were asked for. */
function partsOf({ scope, places, launcher, hooks, undo }: Setup): readonly Part[] {
  const server: Part = {
    file: serverFile(scope, places),
    what: 'server',
    add: (settings) => withServer(settings, launcher),
    remove: withoutServer,
  }
  const hooking: Part = {
    file: hooksFile(scope, places),
    what: 'hooks',
    add: (settings) => withHooks(settings, launcher),
    remove: withoutHooks,
  }
  return hooks || undo ? [server, hooking] : [server]
}

async function planned(part: Part, undo: boolean): Promise<FileChange> {
  const found = await readJsonFile(part.file)
  const { file, what } = part
  const members = undo ? part.remove(found.members) : part.add(found.members)
  const same = { file, what, action: 'none', backup: null, text: found.text } as const
  if (found.text === null && undo) return same
  if (isDeepStrictEqual(members, found.members)) return same
  return undo ? undoing(part, found, members) : merging(part, found, members)
}

/** The backup is of the file before we came: what holds something of ours is kept nowhere. */
function merging({ file, what, remove }: Part, found: JsonFile, members: Members): FileChange {
  const isFirst = isDeepStrictEqual(remove(found.members), found.members)
  return {
    file,
    what,
    action: found.text === null ? 'create' : 'change',
    backup: found.text !== null && isFirst ? backupOf(file) : null,
    text: textFor(found, members),
  }
}

/**
 * Where nobody else has changed the file since, its backup is put back byte for byte; where somebody
 * has, only what is ours is taken out.
 */
async function undoing(
  { file, what }: Part,
  found: JsonFile,
  members: Members,
): Promise<FileChange> {
  const backup = await readJsonFile(backupOf(file)).catch(() => null)
  if (backup && backup.text !== null && isDeepStrictEqual(backup.members, members)) {
    return { file, what, action: 'restore', backup: backup.path, text: backup.text }
  }
  const isEmpty = Object.keys(members).length === 0 && (backup?.text ?? null) === null
  const text = isEmpty ? null : textFor(found, members)
  return { file, what, action: isEmpty ? 'remove' : 'change', backup: null, text }
}

async function apply({ file, action, backup, text }: FileChange): Promise<void> {
  if (action === 'none') return
  if (text === null) return rm(file)
  if (action === 'change' && backup !== null) {
    const { text: before } = await readJsonFile(file)
    if (before !== null) await writeWhole(backup, before)
  }
  await writeWhole(file, text)
  if (action === 'restore' && backup !== null) await rm(backup, { force: true })
}
