import { type FieldIssue, MunimentError, ScopeError } from '../../domain/errors.ts'
import { isRecordKind, type RecordKind } from '../../domain/ids.ts'
import { type Instant, toInstant } from '../../domain/time.ts'
import { type ComponentHost, isTrusted, type StackComponent } from '../../ports/component.ts'
import type { InferencePort } from '../../ports/models.ts'
import type { Clock, Timer } from '../../ports/world.ts'
import { nameOf } from '../write/arguments.ts'

const HOOKS = [
  'attach',
  'onInference',
  'onSave',
  'onSearch',
  'onLoad',
  'onMaintenance',
  'report',
] as const

export type Hook = (typeof HOOKS)[number]

/** The longest wait for each hook in milliseconds; null is unlimited. */
export type HookLimits = Readonly<Record<Hook, number | null>>

const HOOK_MS_MAX = 5_000

const DEFAULT_LIMITS: HookLimits = {
  attach: null, // no caller waits
  onInference: HOOK_MS_MAX,
  onSave: HOOK_MS_MAX,
  onSearch: HOOK_MS_MAX,
  onLoad: HOOK_MS_MAX,
  onMaintenance: null, // background work without a limit
  report: null, // only the caller of the report waits
}

/** Failures of one hook of a component since the stack was opened. */
export interface HookErrors {
  readonly hook: Hook
  readonly count: number
  readonly lastMessage: string
  readonly lastAt: Instant
}

/** The hooks of a component, read once and bound. */
type Hooks = Pick<StackComponent, Hook>

export interface Member {
  readonly name: string
  readonly component: StackComponent
  readonly isRequired: boolean
  readonly isTrusted: boolean
  readonly needsInference: boolean
  /** Kinds for onSave; null is all kinds. */
  readonly saves: ReadonlySet<RecordKind> | null
  readonly hooks: Hooks
  /** Hooks with a call over time and still running. */
  readonly overdue: Set<Hook>
}

type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly cause: unknown }

/** One call of one hook: `take` validates the returned value, or throws. */
interface Call<T> {
  readonly hook: Hook
  readonly run: (hooks: Hooks) => unknown
  readonly take: (value: unknown) => T | Promise<T>
}

const MESSAGE_CHARS_MAX = 500

/**
 * Calls hooks and never throws. A blocked thread cannot be interrupted. A late hook is abandoned,
 * its result is dropped, and the hook is skipped until its call ends: otherwise every operation
 * would wait again.
 */
export class ComponentCalls {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #limits: HookLimits
  readonly #errors = new Map<string, Map<Hook, HookErrors>>()
  /** Hooks with a failed last call, by component. */
  readonly #failing = new Map<string, Set<Hook>>()
  /** Hooks with a successful last call, by component. */
  readonly #working = new Map<string, Set<Hook>>()
  #hasNewFailures = false

  constructor(parts: {
    readonly clock: Clock
    readonly timer: Timer
    readonly limitsMs?: Partial<HookLimits>
  }) {
    this.#clock = parts.clock
    this.#timer = parts.timer
    this.#limits = { ...DEFAULT_LIMITS, ...parts.limitsMs }
  }

  async call<T>(member: Member, { hook, run, take }: Call<T>): Promise<Outcome<T>> {
    try {
      if (member.overdue.has(hook)) throw new Error('is still busy with an earlier call')
      const given = run(member.hooks)
      // A synchronous result needs no timer.
      const back = isPromised(given) ? await this.#inTime(given, member, hook) : given
      const value = await take(back)
      this.worked(member.name, hook)
      return { ok: true, value }
    } catch (cause) {
      const message = messageOf(cause)
      this.#count(member.name, hook, message)
      return { ok: false, message, cause }
    }
  }

  #inTime(given: PromiseLike<unknown>, { overdue }: Member, hook: Hook): Promise<unknown> {
    const limitMs = this.#limits[hook]
    const work = Promise.resolve(given)
    if (limitMs === null) return work
    return new Promise((resolve, reject) => {
      const callOff = this.#timer(limitMs, () => {
        // A late onInference is still called for the next model.
        if (hook !== 'onInference') overdue.add(hook)
        reject(new Error(`took longer than ${limitMs} ms`))
      })
      const settle = (): void => {
        callOff()
        overdue.delete(hook)
      }
      work.finally(settle).then(resolve, reject)
    })
  }

  /** Records a successful call. */
  worked(name: string, hook: Hook): void {
    this.#failing.get(name)?.delete(hook)
    const working = this.#working.get(name)
    if (working) working.add(hook)
    else this.#working.set(name, new Set([hook]))
  }

  /** Clears failures of a removed component; the counts stay. */
  left(name: string): void {
    this.#failing.delete(name)
    this.#working.delete(name)
  }

  isWorking(name: string, hook: string): boolean {
    return [...(this.#working.get(name) ?? [])].some((each) => each === hook)
  }

  /** Counts a failure outside of a hook call. */
  fault(name: string, hook: Hook, cause: unknown): void {
    this.#count(name, hook, messageOf(cause))
  }

  #count(name: string, hook: Hook, lastMessage: string): void {
    const known = this.#errors.get(name) ?? new Map<Hook, HookErrors>()
    const count = (known.get(hook)?.count ?? 0) + 1
    known.set(hook, { hook, count, lastMessage, lastAt: toInstant(this.#clock.now()) })
    this.#errors.set(name, known)
    this.#working.get(name)?.delete(hook)
    const failing = this.#failing.get(name) ?? new Set()
    if (!failing.has(hook)) this.#hasNewFailures = true
    this.#failing.set(name, failing.add(hook))
  }

  /** True if a hook began to fail since the last takeFailing. */
  get hasNewFailures(): boolean {
    return this.#hasNewFailures
  }

  takeFailing(): ReadonlyMap<string, ReadonlySet<Hook>> {
    this.#hasNewFailures = false
    return new Map([...this.#failing].map(([name, hooks]) => [name, new Set(hooks)]))
  }

  /** By component, removed components included. */
  errors(): Readonly<Record<string, readonly HookErrors[]>> {
    return Object.fromEntries(
      [...this.#errors].map(([name, hooks]) => [name, [...hooks.values()]] as const),
    )
  }
}

const isPromised = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<PromiseLike<unknown>>).then === 'function' // the same test that `await` uses

/** Any value can be thrown, even an object whose members throw. */
function messageOf(cause: unknown): string {
  try {
    const text = String(cause instanceof Error ? cause.message : cause)
    return text.slice(0, MESSAGE_CHARS_MAX).toWellFormed()
  } catch {
    return 'threw something that cannot be read'
  }
}

const NAME = /^[a-z][a-z0-9_-]{0,63}$/

/** Reads a component once: its name and hooks cannot change while registered. */
export function memberOf(component: StackComponent): Member {
  if (typeof component !== 'object' || component === null) {
    throw new MunimentError('invalid_input', 'A component is an object.')
  }
  const { name, version, required, needsInference, saves } = component
  const hooks = HOOKS.map((hook) => [hook, component[hook] as unknown] as const)
  const issues = [
    issue('name', isName(name), 'a-z, then a-z, 0-9, _ or -; and not what the stack is called'),
    issue('version', typeof version === 'string', 'expected a text'),
    issue('required', typeof required === 'boolean', 'expected true or false'),
    issue('needsInference', typeof needsInference === 'boolean', 'expected true or false'),
    issue('saves', saves === undefined || areKinds(saves), 'expected a list of kinds'),
    ...hooks.map(([hook, value]) =>
      issue(hook, value === undefined || typeof value === 'function', 'expected a function'),
    ),
  ].flat()
  if (issues.length > 0) {
    throw new MunimentError('invalid_input', 'That is no component.', { issues })
  }
  const bound = hooks.flatMap(([hook, value]) =>
    typeof value === 'function' ? [[hook, value.bind(component)] as const] : [],
  )
  return {
    name,
    component,
    isRequired: required,
    isTrusted: isTrusted(component),
    needsInference,
    saves: saves === undefined ? null : new Set(saves),
    hooks: Object.fromEntries(bound) as Hooks, // functions under their hook names
    overdue: new Set(),
  }
}

/** Reserved: the stack reports its own maintenance under this name. */
const STACK = 'stack'

const isName = (name: unknown): boolean =>
  typeof name === 'string' && NAME.test(name) && name !== STACK

const areKinds = (value: unknown): boolean => Array.isArray(value) && value.every(isRecordKind)

const issue = (path: string, isGood: boolean, message: string): readonly FieldIssue[] =>
  isGood ? [] : [{ path, message }]

/** A host that refuses calls once its component is removed. */
export function whileIn(host: ComponentHost, isIn: () => boolean): ComponentHost {
  const assertIn = (): void => {
    if (!isIn()) throw new ScopeError('The component was taken out of this stack.')
  }
  const guarded = Object.entries(host).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member] as const
    const call = (...given: readonly unknown[]): unknown => {
      // A removed component may still withdraw its embedder.
      if (name !== 'useEmbedder' || given[0] !== null) assertIn()
      return member(...given)
    }
    return [name, call] as const
  })
  return Object.freeze(Object.fromEntries(guarded)) as unknown as ComponentHost // member for member
}

/** The attached cores of a stack, the latest last, each with a model or null. */
export class AttachedCores {
  readonly #models = new Map<string, InferencePort | null>()

  /** A repeated attach moves the core to the end. */
  attach(coreId: string, inference: InferencePort | null): void {
    nameOf('coreId', coreId)
    this.#models.delete(coreId)
    this.#models.set(coreId, inference)
  }

  detach(coreId: string): void {
    this.#models.delete(coreId)
  }

  /** Changes the model of a core, by default the latest. The order of cores stays. */
  changeModel(inference: InferencePort | null, coreId = [...this.#models.keys()].at(-1)): void {
    if (coreId === undefined || !this.#models.has(coreId)) {
      throw new MunimentError('not_found', 'That core is not attached to this stack.', {
        hint: 'await entity.attachStack(stack)',
      })
    }
    this.#models.set(coreId, inference)
  }

  /** The model of the latest core with a model. */
  get inference(): InferencePort | null {
    return [...this.#models.values()].findLast((model) => model !== null) ?? null
  }
}
