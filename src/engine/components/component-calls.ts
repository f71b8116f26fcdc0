import type { RecordKind } from '../../domain/kind-names.ts'
import { type Instant, toInstant } from '../../domain/time.ts'
import type { StackComponent } from '../../ports/component.ts'
import type { Clock, Timer } from '../../ports/world.ts'

export const HOOKS = [
  'attach',
  'onInference',
  'onSave',
  'onSearch',
  'onLoad',
  'onMaintenance',
  'report',
] as const

export type Hook = (typeof HOOKS)[number]

/** How long a hook may keep the stack waiting; null is as long as it likes. */
export type HookLimits = Readonly<Record<Hook, number | null>>

const HOOK_MS_MAX = 5_000

export const DEFAULT_LIMITS: HookLimits = {
  attach: null, // nobody waits for it
  onInference: HOOK_MS_MAX,
  onSave: HOOK_MS_MAX,
  onSearch: HOOK_MS_MAX,
  onLoad: HOOK_MS_MAX,
  onMaintenance: null, // background work takes its time
  report: null, // whoever asks waits
}

/** What went wrong in one hook of one component since the stack was opened. */
export interface HookErrors {
  readonly hook: Hook
  readonly count: number
  readonly lastMessage: string
  readonly lastAt: Instant
}

/** The component's own hooks, read once and bound to it. */
export type Hooks = Pick<StackComponent, Hook>

export interface Member {
  readonly name: string
  readonly component: StackComponent
  readonly isRequired: boolean
  readonly needsInference: boolean
  /** Kinds whose saving it wants to hear of; null is all of them. */
  readonly saves: ReadonlySet<RecordKind> | null
  readonly hooks: Hooks
  /** Hooks with a call that exceeded its time and has not come back yet. */
  readonly overdue: Set<Hook>
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

/** One call of one hook: `take` turns what came back into what is kept, or throws. */
export interface Call<T> {
  readonly hook: Hook
  readonly run: (hooks: Hooks) => unknown
  readonly take: (value: unknown) => T | Promise<T>
}

const MESSAGE_CHARS_MAX = 500

/**
 * Calls hooks and never throws. A hook that blocks the thread cannot be interrupted; one that hangs
 * is left behind after its time, what it brings later is dropped, and until it comes back it is not
 * called again: otherwise every operation would wait for it anew.
 */
export class ComponentCalls {
  readonly #clock: Clock
  readonly #timer: Timer
  readonly #limits: HookLimits
  readonly #errors = new Map<string, Map<Hook, HookErrors>>()
  /** Hooks whose last call failed, by component. */
  readonly #failing = new Map<string, Set<Hook>>()
  /** Hooks whose last call did not. */
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
      // What is there already needs no watch set on it.
      const back = isPromised(given) ? await this.#inTime(given, member, hook) : given
      const value = await take(back)
      this.worked(member.name, hook)
      return { ok: true, value }
    } catch (cause) {
      const message = messageOf(cause)
      this.#count(member.name, hook, message)
      return { ok: false, message }
    }
  }

  #inTime(given: PromiseLike<unknown>, { overdue }: Member, hook: Hook): Promise<unknown> {
    const limitMs = this.#limits[hook]
    const work = Promise.resolve(given)
    if (limitMs === null) return work
    return new Promise((resolve, reject) => {
      const callOff = this.#timer(limitMs, () => {
        // A changed model must be told even to one that dawdled over the last.
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

  /** It works, as far as its last call tells. */
  worked(name: string, hook: Hook): void {
    this.#failing.get(name)?.delete(hook)
    const working = this.#working.get(name)
    if (working) working.add(hook)
    else this.#working.set(name, new Set([hook]))
  }

  /** It was taken out: what failed of it fails no more. What was counted stays counted. */
  left(name: string): void {
    this.#failing.delete(name)
    this.#working.delete(name)
  }

  isWorking(name: string, hook: string): boolean {
    return [...(this.#working.get(name) ?? [])].some((each) => each === hook)
  }

  /** Counts what failed outside of a call of ours. */
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

  /** Whether a hook began to fail since somebody last asked what fails. */
  get hasNewFailures(): boolean {
    return this.#hasNewFailures
  }

  takeFailing(): ReadonlyMap<string, ReadonlySet<Hook>> {
    this.#hasNewFailures = false
    return new Map([...this.#failing].map(([name, hooks]) => [name, new Set(hooks)]))
  }

  /** By component, including those that were taken out since. */
  errors(): Readonly<Record<string, readonly HookErrors[]>> {
    return Object.fromEntries(
      [...this.#errors].map(([name, hooks]) => [name, [...hooks.values()]] as const),
    )
  }
}

const isPromised = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<PromiseLike<unknown>>).then === 'function' // asked as awaiting asks it

/** Anything can be thrown, even something that throws when it is looked at. */
function messageOf(cause: unknown): string {
  try {
    const text = String(cause instanceof Error ? cause.message : cause)
    return text.slice(0, MESSAGE_CHARS_MAX).toWellFormed()
  } catch {
    return 'threw something that cannot be read'
  }
}
