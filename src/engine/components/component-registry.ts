import { MunimentError } from '../../domain/errors.ts'
import type { RecordKind } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type {
  ComponentHost,
  Fields,
  SaveEvent,
  SearchQuery,
  SearchResult,
  StackComponent,
  Stats,
} from '../../ports/component.ts'
import type { InferencePort } from '../../ports/models.ts'
import type { Clock, Timer } from '../../ports/world.ts'
import {
  AttachedCores,
  ComponentCalls,
  type Hook,
  type HookErrors,
  type HookLimits,
  type Member,
  memberOf,
  whileIn,
} from './component-calls.ts'
import {
  frozenCopy,
  shownTo,
  takeAdditions,
  takeObject,
  takeResults,
  type Vouch,
} from './component-values.ts'

export interface RegistryParts {
  readonly clock: Clock
  readonly timer: Timer
  readonly components?: readonly StackComponent[]
  readonly limitsMs?: Partial<HookLimits>
}

type ByName<T> = Readonly<Record<string, T>>

const nothing = (): null => null

/**
 * The components of one stack. Hooks run one after the other in the order of registration, and no
 * hook can break, change or block the stack for long.
 */
export class ComponentRegistry {
  readonly #members = new Map<string, Member>()
  readonly #told = new WeakMap<Member, InferencePort>()
  readonly #cores = new AttachedCores()
  readonly #calls: ComponentCalls
  readonly #removed = new Set<string>()
  #hostFor: ((name: string) => ComponentHost) | null = null

  constructor({ components = [], ...parts }: RegistryParts) {
    this.#calls = new ComponentCalls(parts)
    for (const component of components) this.add(component)
  }

  asRecord(): ByName<StackComponent> {
    return byName([...this.#members.values()].map(({ name, component }) => [name, component]))
  }

  get(name: string): StackComponent | null {
    return this.#members.get(name)?.component ?? null
  }

  add(component: StackComponent): void {
    const member = memberOf(component)
    if (this.#members.has(member.name)) {
      throw new MunimentError('invalid_input', `There is a component ${member.name} already.`)
    }
    this.#members.set(member.name, member)
    this.#removed.delete(member.name)
    this.#introduce(member)
    void this.#tell(member)
  }

  remove(name: string): void {
    const member = this.#members.get(name)
    if (!member) throw new MunimentError('not_found', `There is no component ${name}.`)
    if (member.isRequired) {
      throw new MunimentError('invalid_input', `The component ${name} is required: it stays.`)
    }
    this.#members.delete(name)
    this.#removed.add(name)
    this.#calls.left(name)
    void this.#tell(member)
  }

  /** Gives every present and later component its own view of the stack. */
  connect(hostFor: (name: string) => ComponentHost): void {
    this.#hostFor = hostFor
    for (const member of this.#members.values()) this.#introduce(member)
  }

  #introduce(member: Member): void {
    const lent = this.#hostFor?.(member.name)
    if (!lent || !member.hooks.attach) return
    const host = whileIn(lent, () => this.#members.get(member.name) === member)
    void this.#calls.call(member, {
      hook: 'attach',
      run: ({ attach }) => attach?.(host),
      take: nothing,
    })
  }

  /** True if any component has the hook, so that its arguments are needed. */
  listens(hook: Hook): boolean {
    return this.#listening(hook).length > 0
  }

  /** True if any component wants saves of the kind. */
  wantsSaved(kind: RecordKind): boolean {
    return this.#listening('onSave').some(({ saves }) => saves === null || saves.has(kind))
  }

  #listening(hook: Hook): readonly Member[] {
    return [...this.#members.values()].filter(({ hooks }) => hooks[hook] !== undefined)
  }

  /** The fields to keep with the memory, by component, or null. */
  async dispatchSave(given: SaveEvent): Promise<ByName<Fields> | null> {
    const members = this.#listening('onSave').filter(
      ({ saves }) => saves === null || saves.has(given.kind),
    )
    if (members.length === 0) return null
    let copy: SaveEvent | null = null
    const kept: [string, Fields][] = []
    for (const member of members) {
      if (!member.isTrusted) copy ??= frozenCopy(given)
      const event = member.isTrusted || copy === null ? given : copy
      const outcome = await this.#calls.call(member, {
        hook: 'onSave',
        run: ({ onSave }) => onSave?.(event),
        take: optionalFrom(member),
      })
      if (outcome.ok && outcome.value) kept.push([member.name, outcome.value])
    }
    return kept.length === 0 ? null : byName(kept)
  }

  /**
   * Each component receives the results of the component before; a value that breaks the rules of
   * `takeResults` is dropped whole. Without `vouch` no component can add a memory: only the stack
   * decides about shown memories.
   */
  async dispatchSearch(
    found: readonly SearchResult[],
    query: SearchQuery,
    vouch: Vouch = async () => null,
  ): Promise<readonly SearchResult[]> {
    let results = found
    for (const member of this.#listening('onSearch')) {
      const given = { name: member.name, results, query, vouch }
      const outcome = await this.#calls.call(member, {
        hook: 'onSearch',
        run: ({ onSearch }) => onSearch?.(structuredClone([...given.results]), frozenCopy(query)),
        take: (value) => takeResults(value, given),
      })
      if (outcome.ok) results = outcome.value
    }
    return results
  }

  /** The context with added members; each component adds all of its members or none. */
  async dispatchLoad(context: ByName<unknown>): Promise<ByName<unknown>> {
    const members = this.#listening('onLoad')
    if (members.length === 0) return context
    const shown = shownTo(context)
    const additions: Record<string, unknown> = {}
    for (const member of members) {
      const before = { ...additions }
      const open: Record<string, unknown> = member.isTrusted
        ? { ...context, ...before }
        : Object.assign(Object.defineProperties({}, shown), before)
      const outcome = await this.#calls.call(member, {
        hook: 'onLoad',
        run: ({ onLoad }) => onLoad?.(open),
        take: () =>
          member.isTrusted
            ? added(open, { ...context, ...before })
            : takeAdditions(open, shown, before),
      })
      if (outcome.ok) Object.assign(additions, outcome.value)
    }
    return { ...context, ...additions }
  }

  /** Statistics of each component by name; `{ error }` after a failure. */
  async dispatchMaintenance(): Promise<ByName<Stats>> {
    const stats: [string, Stats][] = []
    for (const member of this.#listening('onMaintenance')) {
      const outcome = await this.#calls.call(member, {
        hook: 'onMaintenance',
        run: ({ onMaintenance }) => onMaintenance?.(),
        take: optionalFrom(member),
      })
      if (!outcome.ok) stats.push([member.name, { error: outcome.message }])
      else if (outcome.value) stats.push([member.name, outcome.value])
    }
    return byName(stats)
  }

  /** The report of one component; null without a component or a report. */
  async report(name: string, question: JsonObject): Promise<JsonObject | null> {
    const member = this.#members.get(name)
    if (!member?.hooks.report) return null
    const outcome = await this.#calls.call(member, {
      hook: 'report',
      run: ({ report }) => report?.(member.isTrusted ? question : frozenCopy(question)),
      take: optionalFrom(member),
    })
    if (outcome.ok) return outcome.value
    const { cause } = outcome
    if (cause instanceof MunimentError && cause.code === 'data_loss') throw cause // no component is at fault
    throw new MunimentError('refused', `The component ${name} failed: ${outcome.message}`)
  }

  /** Counts a failure outside of hook calls under a hook. */
  fault(name: string, hook: Hook, cause: unknown): void {
    this.#calls.fault(name, hook, cause)
  }

  worked(name: string, hook: Hook): void {
    this.#calls.worked(name, hook)
  }

  /**
   * True if this process knows that a failure is over: the hook worked here, the hook no longer
   * exists, or the component was removed. Components that are not registered here are unknown.
   */
  isOver(name: string, hook: string): boolean {
    if (this.#calls.isWorking(name, hook)) return true
    const member = this.#members.get(name)
    return member ? !Object.hasOwn(member.hooks, hook) : this.#removed.has(name)
  }

  get hasNewFailures(): boolean {
    return this.#calls.hasNewFailures
  }

  takeFailing(): ReadonlyMap<string, ReadonlySet<Hook>> {
    return this.#calls.takeFailing()
  }

  /** The model of the latest core with a model. */
  get inference(): InferencePort | null {
    return this.#cores.inference
  }

  /** Failures since the stack was opened. Messages are the components' own words. */
  errors(): ByName<readonly HookErrors[]> {
    return this.#calls.errors()
  }

  async attached(coreId: string, inference: InferencePort | null): Promise<void> {
    this.#cores.attach(coreId, inference)
    await this.#tellAll()
  }

  async detached(coreId: string): Promise<void> {
    this.#cores.detach(coreId)
    await this.#tellAll()
  }

  /** Changes the model of the latest core, unless `coreId` names another. */
  async modelChanged(inference: InferencePort | null, coreId?: string): Promise<void> {
    this.#cores.changeModel(inference, coreId)
    await this.#tellAll()
  }

  async #tellAll(): Promise<void> {
    for (const member of [...this.#members.values()]) await this.#tell(member)
  }

  /** Reads the model at the time of the call, so that the later of two changes wins. */
  async #tell(member: Member): Promise<void> {
    if (!member.needsInference || !member.hooks.onInference) return
    const isIn = this.#members.get(member.name) === member
    const model = isIn ? this.#cores.inference : null
    if ((this.#told.get(member) ?? null) === model) return
    if (model === null) this.#told.delete(member)
    else this.#told.set(member, model)
    await this.#calls.call(member, {
      hook: 'onInference',
      run: ({ onInference }) => onInference?.(model),
      take: nothing,
    })
  }
}

/** Values of the stack's own components are taken as they are. */
const optionalFrom =
  ({ isTrusted }: Member) =>
  (value: unknown): JsonObject | null => {
    if (value === null || value === undefined) return null
    return isTrusted ? (value as JsonObject) : takeObject(value) // of a type that the compiler checked
  }

const added = (open: ByName<unknown>, before: ByName<unknown>): ByName<unknown> =>
  Object.fromEntries(Object.entries(open).filter(([name]) => !Object.hasOwn(before, name)))

const byName = <T>(entries: readonly (readonly [string, T])[]): ByName<T> =>
  Object.freeze(Object.fromEntries(entries))
