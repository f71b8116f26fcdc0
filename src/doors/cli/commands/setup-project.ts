import { existsSync } from 'node:fs'
import path from 'node:path'
import { ScopeError } from '../../../domain/errors.ts'
import { toInstant } from '../../../domain/time.ts'
import type { Ink } from '../../../operations/text/page.ts'
import { oneLine } from '../../../operations/text/words.ts'
import { stacksFolder } from '../../access/home.ts'
import { assertProjectFolder, type BindRequest, bindFolder } from '../../projects/bindings.ts'
import { bindingFor, realFolder } from '../../projects/project-folder.ts'
import { readRegistry, registryFile, stackNameIn } from '../../projects/registry.ts'
import type { FileChange } from '../../setup/apply.ts'
import type { Places } from '../../setup/clients.ts'
import { backupOf } from '../../setup/json-file.ts'
import { registered } from '../../setup/registered.ts'
import type { Session } from '../session.ts'
import type { CommandInput } from '../spec/command.ts'

export interface SetUpProject {
  readonly folder: string
  /** Null in a dry run with a new stack: the id is drawn at binding. */
  readonly stack: string | null
  readonly name: string
  readonly isNew: boolean
  /** The stack in the project's settings before; null without settings. */
  readonly before: string | null
}

interface Plan extends Pick<SetUpProject, 'folder' | 'before'> {
  /** The existing binding, if kept; null where a new binding is made. */
  readonly kept: { readonly stack: string; readonly name: string } | null
  readonly request: BindRequest
}

/** Decides on the binding before any file is written, so a refusal changes nothing. */
export async function projectPlan(
  session: Session,
  { name }: CommandInput['input'],
  places: Places,
): Promise<Plan> {
  const { host, home, stackOfCall } = session
  const folder = realFolder(host.folder)
  assertProjectFolder(folder, host.userFolder())
  const registry = await readRegistry(home)
  const here = registry.bindings.find((binding) => binding.path === folder)
  const isKept = here !== undefined && (stackOfCall === null || stackOfCall === here.stack)
  if (!isKept && stackOfCall !== null) await assertMayBind(session, stackOfCall, here !== undefined)
  const given = typeof name === 'string' ? name : null
  const at = toInstant(host.now())
  const stack = isKept ? here.stack : stackOfCall
  const isSame = isKept && given === null
  return {
    folder,
    before: here === undefined ? await stackBefore(session, places) : null,
    kept: isSame ? { stack: here.stack, name: stackNameIn(registry, here.stack) } : null,
    request: { folder, stack, name: given, at },
  }
}

/** A program may make a stack; only a person points a project at existing memories. */
async function assertMayBind(session: Session, stack: string, isBound: boolean): Promise<void> {
  const { person, because } = session.whoWithout()
  if (person) return
  const { bindings } = await readRegistry(session.home)
  const isUsed = bindings.some((binding) => binding.stack === stack)
  if (!isBound && !isUsed && !(await session.host.stacks.exists(stack, session))) return
  throw new ScopeError(
    `A person binds a project to the stack “${stack}”, and this call is a program’s: ${because}.`,
    { hint: `In a terminal of your own, in this folder: muniment stacks bind ${stack}` },
  )
}

/** The project's own files may have come with a clone: they give a hint, and never a binding. */
async function stackBefore({ host }: Session, places: Places): Promise<string | null> {
  const found = await registered(places, await host.jsonParser())
  const old = found.find(({ scope, line }) => scope === 'project' && !line.includes('--project'))
  if (!old) return null
  const at = old.line.indexOf('--stack')
  return (at < 0 ? undefined : old.line[at + 1]) ?? 'default'
}

export async function boundProject(
  session: Session,
  { folder, before, kept, request }: Plan,
  dryRun: boolean,
): Promise<SetUpProject> {
  if (kept !== null) return { folder, ...kept, isNew: false, before: null }
  if (dryRun) {
    const name = request.name ?? (request.stack === null ? path.basename(folder) : request.stack)
    return { folder, stack: request.stack, name, isNew: true, before }
  }
  const { binding, name } = await bindFolder(session.home, request)
  return { folder, stack: binding.stack, name, isNew: true, before }
}

export function projectLines(project: SetUpProject, ink: Ink): readonly string[] {
  const { folder, stack, name, isNew, before } = project
  const id = stack === null ? '' : ` (${stack})`
  const verb = isNew ? 'is bound to' : 'stays bound to'
  return [
    `${ink.strong('stack')}  ${folder} ${verb} the stack “${oneLine(name)}”${id}`,
    ...(before === null || before === stack
      ? []
      : [
          `  Before, this project’s settings asked for the stack “${oneLine(before)}”. Its memories stay there.`,
          `  To go on with them here: muniment stacks bind ${oneLine(before)}`,
        ]),
  ]
}

/** All that stays on disk after an undo, each with the way to remove it. */
export interface LeftBehind {
  readonly home: string
  /** The folder's binding, and the stack with its memories. */
  readonly binding: {
    readonly path: string
    readonly stack: string
    readonly name: string
    /** Null for stacks in a database. */
    readonly file: string | null
  } | null
  /** Backups of settings files that others have changed since. */
  readonly backups: readonly string[]
}

export async function leftBehind(
  { home, host, store }: Session,
  changes: readonly FileChange[],
): Promise<LeftBehind> {
  const registry = await readRegistry(home)
  const found = bindingFor(registry.bindings, host.folder)
  const files = [...new Set(changes.map(({ file }) => backupOf(file)))]
  return {
    home,
    binding: found && {
      path: found.path,
      stack: found.stack,
      name: stackNameIn(registry, found.stack),
      file: store !== null ? null : path.join(stacksFolder(home), `${found.stack}.db`),
    },
    backups: files.filter((file) => existsSync(file)),
  }
}

export const leftLines = ({ home, binding, backups }: LeftBehind): readonly string[] => [
  'Left in place:',
  ...(binding === null
    ? []
    : [
        `  the stack “${oneLine(binding.name)}” (${binding.stack}) with its memories`,
        ...(binding.file === null
          ? ['    in the database']
          : [
              `    to remove: rm ${binding.file}*   (first, for a copy: muniment stack backup <file>)`,
            ]),
        `  its binding to ${binding.path}, in ${registryFile(home)}`,
        '    to remove: muniment stacks unbind',
      ]),
  `  the home folder ${home}: all other stacks, keys, tokens and settings`,
  `    to remove everything that muniment keeps: rm -r ${home}`,
  ...backups.flatMap((file) => [
    `  settings as they were before, which others have changed since: ${file}`,
    `    to remove: rm ${file}`,
  ]),
]
