import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import { isPersonalName } from './personal-stack.ts'
import { realFolder } from './project-folder.ts'
import { type Binding, changeRegistry, isName, type Registry, stackNameIn } from './registry.ts'

const ID_BYTES = 8

/** Random, so the stack of a project cannot be guessed or derived from a folder's name. */
const newStackId = (): string => `p-${randomBytes(ID_BYTES).toString('hex')}`

export interface BindRequest {
  /** The real path of the project. */
  readonly folder: string
  /** An existing stack, or the id for a first write; null for a new stack with a random id. */
  readonly stack: string | null
  /** The name shown to people; null for the folder's name. */
  readonly name: string | null
  readonly at: string
}

export interface Bound {
  readonly binding: Binding
  readonly name: string
}

/** Binds a folder to a stack. A folder has one stack; an earlier binding is replaced. */
export function bindFolder(home: string, request: BindRequest): Promise<Bound> {
  const { folder, at } = request
  const stack = request.stack === null ? newStackId() : projectStackId(request.stack)
  const given = request.name === null ? null : parseName(request.name)
  return changeRegistry(home, (registry) => {
    const before = registry.bindings.find((binding) => binding.path === folder)
    const readsPersonal = before?.readsPersonal ?? false
    const binding: Binding = { path: folder, stack, boundAt: at, readsPersonal }
    const bindings = [...registry.bindings.filter((each) => each.path !== folder), binding]
    const name = given ?? (request.stack === null ? nameOfFolder(folder) : null)
    const named = name === null ? registry : withName(registry, stack, name)
    const next = { ...named, bindings }
    return { registry: next, answer: { binding, name: stackNameIn(next, stack) } }
  })
}

/** Removes the binding of exactly this folder; the stack stays. */
export function unbindFolder(home: string, folder: string): Promise<Binding> {
  return changeRegistry(home, (registry) => {
    const answer = registry.bindings.find((binding) => binding.path === folder)
    if (!answer) throw notBoundHere(folder)
    const bindings = registry.bindings.filter((binding) => binding !== answer)
    return { registry: { ...registry, bindings }, answer }
  })
}

/** Lets a project read the personal stack, or ends the permission. */
export function letReadPersonal(
  home: string,
  folder: string,
  readsPersonal: boolean,
): Promise<Binding> {
  return changeRegistry(home, (registry) => {
    const before = registry.bindings.find((binding) => binding.path === folder)
    if (!before) throw notBoundHere(folder)
    const answer: Binding = { ...before, readsPersonal }
    const bindings = registry.bindings.map((each) => (each === before ? answer : each))
    return { registry: { ...registry, bindings }, answer }
  })
}

/** Agents write to a project's stack; the personal stack is never bound. */
function projectStackId(text: string): string {
  const stack = parseStackId(text)
  if (!isPersonalName(stack)) return stack
  throw new MunimentError('invalid_input', 'The personal stack cannot be the stack of a project.', {
    hint: 'To let this project read it: muniment stacks personal',
  })
}

export function renameStack(home: string, stack: string, name: string): Promise<void> {
  const given = parseName(name)
  return changeRegistry(home, (registry) => ({
    registry: withName(registry, stack, given),
    answer: undefined,
  }))
}

export interface Choice {
  readonly file: string
  readonly stack: string
}

/** Stores a person's consent to the stack named by a file; a file has a single consent. */
export function agreeTo(home: string, { file, stack }: Choice, at: string): Promise<void> {
  const real = realFolder(file)
  const consent = { file: real, stack: projectStackId(stack), agreedAt: at }
  return changeRegistry(home, (registry) => ({
    registry: { ...registry, consents: [...otherConsents(registry, real), consent] },
    answer: undefined,
  }))
}

/** Withdraws a consent; false where none was given. */
export function withdrawConsent(home: string, file: string): Promise<boolean> {
  const real = realFolder(file)
  return changeRegistry(home, (registry) => {
    const consents = otherConsents(registry, real)
    const answer = consents.length < registry.consents.length
    return { registry: { ...registry, consents }, answer }
  })
}

const otherConsents = ({ consents }: Registry, file: string) =>
  consents.filter((consent) => consent.file !== file)

/** A stack by its id, or by its name if unique. */
export function stackNamed(registry: Registry, text: string, ids: readonly string[]): string {
  if (ids.includes(text)) return text
  const named = registry.names.filter(({ name }) => name === text)
  const [only] = named
  if (only && named.length === 1) return only.stack
  if (named.length === 0) {
    throw new MunimentError('not_found', `There is no stack “${text}” here.`, {
      hint: 'muniment stacks lists those that are.',
    })
  }
  throw new MunimentError('invalid_input', `${named.length} stacks are called “${text}”.`, {
    hint: `Give the id: ${named.map(({ stack }) => stack).join(', ')}`,
  })
}

/** A folder that contains all of a person's projects would share one stack among them. */
export function assertProjectFolder(folder: string, userFolder: string | null): void {
  const user = userFolder === null ? null : realFolder(userFolder)
  const within = user === null ? '..' : path.relative(folder, user)
  const isAbove = !within.startsWith('..') && !path.isAbsolute(within)
  if (path.dirname(folder) !== folder && !isAbove) return
  throw new MunimentError(
    'invalid_input',
    `${folder} holds all your projects: a stack bound to it would be shared by all of them.`,
    { hint: 'Go to the folder of a project. For all projects: --scope user' },
  )
}

function nameOfFolder(folder: string): string {
  const name = path.basename(folder)
  if (!isName(name)) return 'project'
  return isPersonalName(name) ? `${name} project` : name
}

function withName(registry: Registry, stack: string, name: string): Registry {
  const others = registry.names.filter((each) => each.stack !== stack)
  return { ...registry, names: [...others, { stack, name }] }
}

function parseName(name: string): string {
  if (isPersonalName(name)) {
    throw new MunimentError(
      'invalid_input',
      `“${name}” is a reserved name: your personal stack has it.`,
      {
        hint: 'Give the stack another name.',
        issues: [{ path: 'name', message: 'is reserved' }],
      },
    )
  }
  if (isName(name)) return name
  throw new MunimentError('invalid_input', 'A stack’s name is one line of 1 to 100 characters.', {
    issues: [{ path: 'name', message: 'not a name' }],
  })
}

const notBoundHere = (folder: string): MunimentError =>
  new MunimentError('not_found', `No stack is bound to ${folder}.`, {
    hint: 'muniment stacks lists every binding with its folder.',
  })
