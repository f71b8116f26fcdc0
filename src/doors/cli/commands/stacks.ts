import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { MunimentError } from '../../../domain/errors.ts'
import { toInstant } from '../../../domain/time.ts'
import type { Page } from '../../../operations/text/page.ts'
import { table } from '../../../operations/text/table.ts'
import { age, oneLine, plural } from '../../../operations/text/words.ts'
import { stacksFolder } from '../../access/home.ts'
import {
  agreeTo,
  assertProjectFolder,
  bindFolder,
  letReadPersonal,
  renameStack,
  stackNamed,
  unbindFolder,
  withdrawConsent,
} from '../../projects/bindings.ts'
import { PERSONAL_STACK } from '../../projects/personal-stack.ts'
import { bindingFor, realFolder } from '../../projects/project-folder.ts'
import { type Registry, readRegistry, stackNameIn } from '../../projects/registry.ts'
import { assertPerson } from '../caller.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, CommandInput, Option } from '../spec/command.ts'
import { ok } from '../spec/command.ts'

type Act = 'list' | 'bind' | 'unbind' | 'rename' | 'agree' | 'personal'

const ACTS: Readonly<
  Record<Act, (session: Session, input: CommandInput['input']) => Promise<Answer>>
> = {
  list,
  bind,
  unbind,
  rename,
  agree,
  personal,
}

const option = (field: string, help: string, reading: Option['reading']): Option => ({
  ...{ field, flag: field, aliases: [], reading, many: false, group: 'body', help },
})

export const stacks: Command = {
  name: 'stacks',
  group: 'first',
  summary: 'List the stacks, and say which project uses which; bind and rename them.',
  positionals: [
    {
      field: 'act',
      reading: { type: 'choice', of: Object.keys(ACTS) },
      required: false,
      help: 'Without one, list.',
    },
    {
      field: 'which',
      reading: { type: 'text' },
      required: false,
      help: 'The stack, by its id or its name.',
    },
    { field: 'name', reading: { type: 'text' }, required: false, help: 'The new name of a stack.' },
  ],
  options: [
    option('new', 'bind: make a new stack for this project.', { type: 'flag', sets: true }),
    option('name', 'bind: the name that people see; without one, the name of the folder.', {
      type: 'text',
    }),
    option('undo', 'agree, personal: take the consent back.', { type: 'flag', sets: true }),
  ],
  examples: [
    'muniment stacks',
    'muniment stacks --json',
    'muniment stacks bind --new --name shop',
    'muniment stacks bind shop --project ../shop-moved',
    'muniment stacks rename p-0f3c9a7be0d24c58 "Web shop"',
    'muniment stacks unbind',
    'muniment stacks agree',
    'muniment stacks personal',
  ],
  notes: [
    'A binding lies in your home folder, never in the project. Only a person at a terminal changes it.',
    'personal: this project may read your personal stack, which only you write: --stack personal.',
    'agree: a muniment.config.json in this folder may name the stack that it names now.',
    'Moved, copied and nested folders, worktrees and links: docs/cli.md, “Projects and stacks”.',
  ],
  takesInput: false,
  run: async (session, { input }) => ACTS[(input.act ?? 'list') as Act](session, input), // parsed as a choice
}

const textIn = (input: CommandInput['input'], field: string): string | null =>
  typeof input[field] === 'string' ? input[field] : null

/** Every stack on disk or in the registry. */
async function knownIds(session: Session, registry: Registry): Promise<readonly string[]> {
  const ids = new Set([
    ...(await session.host.stacks.list(session)),
    ...registry.bindings.map(({ stack }) => stack),
    ...registry.names.map(({ stack }) => stack),
    'default',
  ])
  return [...ids].sort()
}

async function bind(session: Session, input: CommandInput['input']): Promise<Answer> {
  assertPerson(session, 'binds a project to a stack')
  const { home, host, settings } = session
  const folder = realFolder(settings.projectFolder)
  if (!existsSync(folder)) {
    throw new MunimentError('not_found', `There is no folder ${folder}.`, {
      hint: 'Give the project’s folder: --project <dir>',
    })
  }
  assertProjectFolder(folder, host.userFolder())
  const which = textIn(input, 'which') ?? session.stackOfCall
  if ((which === null) !== (input.new === true)) {
    throw usageError('Give a stack, or --new for a new one.', 'muniment stacks bind --new')
  }
  const registry = await readRegistry(home)
  const stack =
    which === null ? null : stackNamed(registry, which, await knownIds(session, registry))
  const at = toInstant(host.now())
  const bound = await bindFolder(home, { folder, stack, name: textIn(input, 'name'), at })
  const { binding, name } = bound
  return ok({ folder, stack: binding.stack, name }, ({ ink }) => [
    `${ink.good('Bound')} ${folder} to the stack “${oneLine(name)}” (${binding.stack}).`,
    'Clients that are open go on with the stack they began with: restart them.',
  ])
}

async function unbind(session: Session): Promise<Answer> {
  assertPerson(session, 'unbinds a project')
  const { home, settings } = session
  const { path: folder, stack } = await unbindFolder(home, realFolder(settings.projectFolder))
  return ok({ folder, stack }, () => [
    `Unbound ${folder}. The stack ${stack} stays, with its memories.`,
    `To take it up again: muniment stacks bind ${stack}`,
  ])
}

async function rename(session: Session, input: CommandInput['input']): Promise<Answer> {
  assertPerson(session, 'renames a stack')
  const [which, name] = [textIn(input, 'which'), textIn(input, 'name')]
  if (which === null || name === null) {
    throw usageError('Give the stack and its new name.', 'muniment stacks rename <stack> <name>')
  }
  const registry = await readRegistry(session.home)
  const stack = stackNamed(registry, which, await knownIds(session, registry))
  await renameStack(session.home, stack, name)
  return ok({ stack, name }, () => [`The stack ${stack} is now called “${oneLine(name)}”.`])
}

async function agree(session: Session, { undo }: CommandInput['input']): Promise<Answer> {
  const { home, host, settings } = session
  const file = path.join(host.folder, 'muniment.config.json')
  assertPerson(session, 'agrees to a stack that a file names')
  if (undo === true) {
    const wasAgreed = await withdrawConsent(home, file)
    return ok({ file, withdrawn: wasAgreed }, () => [
      wasAgreed ? `The consent to ${file} is taken back.` : `There was no consent to ${file}.`,
    ])
  }
  const { unagreed } = settings
  if (unagreed === null) {
    const { from, where } = settings.origins.stack
    const isAgreed = from === 'file' && where === file
    return ok({ file, stack: isAgreed ? session.stackId : null }, () => [
      isAgreed
        ? `You agreed already: ${file} names the stack “${session.stackId}”.`
        : `No settings file in ${host.folder} names a stack.`,
    ])
  }
  await agreeTo(home, unagreed, toInstant(host.now()))
  return ok({ file: unagreed.file, stack: unagreed.stack }, ({ ink }) => [
    `${ink.good('Agreed')}: ${unagreed.file} may name the stack “${oneLine(unagreed.stack)}”.`,
    'If the file names another stack later, you are asked again.',
    'To take this back: muniment stacks agree --undo',
  ])
}

/** A person lets the project of this folder read the personal stack, or ends the permission. */
async function personal(session: Session, { undo }: CommandInput['input']): Promise<Answer> {
  assertPerson(session, 'lets a project read the personal stack')
  const { home, settings } = session
  const { bindings } = await readRegistry(home)
  const bound = bindingFor(bindings, settings.projectFolder)
  const readsPersonal = undo !== true
  if (bound === null) {
    throw new MunimentError('not_found', 'No project is bound to this folder.', {
      hint: 'First: muniment setup <client>, or muniment stacks bind --new. To write to the personal stack: --stack personal',
    })
  }
  const { path: folder } = await letReadPersonal(home, bound.path, readsPersonal)
  return ok({ folder, stack: PERSONAL_STACK, readsPersonal }, ({ ink }) => [
    readsPersonal
      ? `${ink.good('Agreed')}: search, load and ask in ${folder} also read your personal stack.`
      : `${folder} no longer reads your personal stack.`,
    ...(readsPersonal
      ? [
          'Only you write to it: muniment note "I prefer trains" --stack personal',
          'To take this back: muniment stacks personal --undo',
        ]
      : []),
    'Clients that are open go on as they began: restart them.',
  ])
}

interface Row {
  readonly id: string
  readonly name: string
  readonly projects: readonly {
    readonly path: string
    readonly exists: boolean
    readonly readsPersonal: boolean
  }[]
  /** Null where the stack is not written yet, or cannot be read. */
  readonly memories: number | null
  /** Null for stacks in a database. */
  readonly bytes: number | null
  readonly lastWrite: string | null
  readonly isUsedHere: boolean
  readonly problem: string | null
}

async function list(session: Session): Promise<Answer> {
  const registry = await readRegistry(session.home)
  const { isUnbound, projectFolder } = session.settings
  const used = isUnbound ? null : session.stackId
  const ids = await knownIds(session, registry)
  const rows: Row[] = []
  for (const id of ids) {
    const row = await rowOf(id, { session, registry, used })
    const isThere = row.memories !== null || row.problem !== null || row.projects.length > 0
    if (isThere || row.isUsedHere) rows.push(row)
  }
  const here = {
    folder: realFolder(projectFolder),
    stack: used,
    name: used === null ? null : stackNameIn(registry, used),
    because: used === null ? 'no project is bound to this folder' : session.stackBecause,
  }
  return ok({ here, stacks: rows }, (page) => [
    ...listPage(rows, page),
    '',
    used === null
      ? `Used here: none, since ${here.because}.`
      : `Used here: “${oneLine(here.name ?? used)}”, since ${here.because}.`,
    ...(session.unagreedNotice === '' ? [] : [session.unagreedNotice.trimEnd()]),
  ])
}

async function rowOf(
  id: string,
  about: {
    readonly session: Session
    readonly registry: Registry
    readonly used: string | null
  },
): Promise<Row> {
  const { session, registry, used } = about
  const bound = registry.bindings.filter(({ stack }) => stack === id)
  return {
    id,
    name: stackNameIn(registry, id),
    projects: bound.map(({ path: folder, readsPersonal }) => ({
      path: folder,
      exists: existsSync(folder),
      readsPersonal,
    })),
    bytes: session.store === null ? bytesOf(session.home, id) : null,
    isUsedHere: id === used,
    ...(await contentsOf(session, id)),
  }
}

/** A stack that fails to open is listed with its problem: the others are still shown. */
async function contentsOf(
  session: Session,
  id: string,
): Promise<Pick<Row, 'memories' | 'lastWrite' | 'problem'>> {
  const { stacks: reach } = session.host
  try {
    if (!(await reach.exists(id, session)))
      return { memories: null, lastWrite: null, problem: null }
    const stack = await reach.open(id, session)
    try {
      const { total, head } = await stack.health.overview()
      return { memories: total, lastWrite: head?.time ?? null, problem: null }
    } finally {
      await stack.close()
    }
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    return { memories: null, lastWrite: null, problem: error.message }
  }
}

function bytesOf(home: string, id: string): number | null {
  return (
    statSync(path.join(stacksFolder(home), `${id}.db`), { throwIfNoEntry: false })?.size ?? null
  )
}

const KIB = 1_024

const sizeText = (bytes: number | null): string => {
  if (bytes === null) return ''
  return bytes < KIB * KIB
    ? `${Math.ceil(bytes / KIB)} KiB`
    : `${(bytes / KIB / KIB).toFixed(1)} MiB`
}

function listPage(rows: readonly Row[], { ink, now }: Page): readonly string[] {
  if (rows.length === 0) return ['There are no stacks yet. In a project: muniment setup <client>']
  return table(
    rows.map((row) => {
      const name = oneLine(row.name)
      const folders = row.projects.map(
        ({ path: folder, exists, readsPersonal }) =>
          `${folder}${exists ? '' : ' (the folder is gone)'}${readsPersonal ? ' (reads personal)' : ''}`,
      )
      const size = contentText(row)
      return [
        { text: row.isUsedHere ? '*' : ' ' },
        { text: name, shown: ink.strong(name) },
        { text: row.id },
        { text: size, shown: row.problem === null ? size : ink.bad(size) },
        { text: sizeText(row.bytes) },
        { text: row.lastWrite === null ? '' : age(row.lastWrite, now) },
        { text: oneLine(row.problem ?? folders.join(', ')) },
      ]
    }),
  )
}

function contentText({ problem, memories }: Row): string {
  if (problem !== null) return 'cannot be opened'
  return memories === null ? 'empty' : plural(memories, 'memory', 'memories')
}
