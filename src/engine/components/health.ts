import type { Caller } from '../../domain/doors.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { Instant } from '../../domain/time.ts'
import type { HostAnswer, HostQuestion } from '../../ports/component.ts'
import { noteDormant } from '../change/changes.ts'
import { lapseContests } from '../claims/verdict.ts'
import type { EngineCore } from '../core.ts'
import type { Engine } from '../engine.ts'
import { finishErasures } from '../erase/erase.ts'
import { expireCaptures } from '../erase/erasures.ts'
import type { StackParts } from '../parts.ts'
import { type Budget, Purse } from '../processing/prompt.ts'
import { type ProcessOptions, type ProcessReport, process } from '../processing/run/process.ts'
import { type CountedLess, countedLess, type Overview, overview } from '../read/overview.ts'
import { expireSuggestions } from '../review/suggestions.ts'
import { given, libCaller, nameOf } from '../write/arguments.ts'
import { type ClockCorrection, type ClockStatus, clockStatus, statusOf } from '../write/clock.ts'
import type { HookErrors } from './component-calls.ts'
import { hostFor } from './component-host.ts'
import { BUDGET_PER_DAY, ModelCalls } from './model-calls.ts'
import { type Failing, failingIn } from './reports.ts'

/** The condition of a stack: an overview, its clock, its components. */
export class Health {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Counts, recent memories and open reviews at a glance.
   * @example const { total, review } = await stack.health.overview()
   */
  async overview(): Promise<Overview> {
    return overview(this.#engine)
  }

  /**
   * Memories that count for a lower tier today than when they were recorded.
   * @example const { count } = await stack.health.countedLess()
   */
  async countedLess(): Promise<CountedLess> {
    return countedLess(this.#engine)
  }

  /**
   * The reading of the stack's clock.
   * @example const now = await stack.health.now()
   */
  async now(): Promise<Instant> {
    return this.#engine.now()
  }

  /**
   * The clock of this machine and the last entry: whether new entries can be dated.
   * @example const clock = await stack.health.clock()
   */
  async clock(): Promise<ClockStatus> {
    return clockStatus(this.#engine)
  }

  /**
   * A person confirms the clock of this machine. Where the last entry has another date, one entry
   * records the correction, and times follow the clock again; earlier entries keep their dates.
   * @example const { entry } = await stack.health.correctClock()
   */
  async correctClock(caller: Caller = libCaller('clock')): Promise<ClockCorrection> {
    const { host: actor } = this.#engine
    const { reading, last, entry } = (await this.#engine.submit('clock', { actor, caller })).result
    return { ...statusOf(reading, last), entry }
  }

  /**
   * The report of a component, such as memory health or known subjects.
   * @example const report = await stack.health.componentReport('anxiety')
   */
  async componentReport(name: string, question: JsonObject = {}): Promise<JsonObject | null> {
    return this.#engine.registry.report(nameOf('component', name), question)
  }

  /**
   * Failures in components since the stack was opened: a failure breaks nothing else.
   * @example const errors = await stack.health.componentErrors()
   */
  async componentErrors(): Promise<Readonly<Record<string, readonly HookErrors[]>>> {
    return this.#engine.registry.errors()
  }

  /**
   * Components that were failing when a process last looked.
   * @example const failing = await stack.health.failingComponents()
   */
  async failingComponents(): Promise<Failing> {
    return failingIn(this.#engine)
  }
}

/** The progress of maintenance. */
export interface MaintenanceProgress {
  /** The working component, or `stack` for the stack's own part. */
  readonly component: string
  readonly done: number
  readonly total: number
}

/** Progress of maintenance, and how long captures are kept. */
export interface MaintenanceOptions {
  /** Uncited captures of hooks are erased after this many days; kept for ever by default. */
  readonly capturesKeptDays?: number
  readonly onProgress?: (progress: MaintenanceProgress) => void
}

/** Work that a stack does on its own memories: processing of captures, and maintenance. */
export class Upkeep {
  readonly #core: EngineCore
  readonly #calls: ModelCalls
  readonly #watching = new Set<Watcher>()
  #processing: Promise<unknown> = Promise.resolve()

  constructor(core: EngineCore, parts: StackParts) {
    this.#core = core
    this.#calls = new ModelCalls({
      engine: this.#core,
      timer: parts.world.timer,
      model: () => this.#core.registry.inference,
      perDay: parts.modelBudget ?? BUDGET_PER_DAY,
    })
    this.#core.registry.connect((name) =>
      hostFor(this.#core, name, {
        process: (options) => this.process(options),
        ask: (task, question) => this.#askFor(task, question),
        reindex: async (progress) =>
          this.#core.recollection.reindex(this.#core, await this.#core.moment(), progress),
        useEmbedder: (embedder) => this.#core.recollection.use(embedder),
        progress: (component, done, total) => this.#progressed({ component, done, total }),
      }),
    )
  }

  /**
   * Makes suggestions of waiting captures, episodes and notes, with a model where one is attached
   * and by rule where a rule can. No suggestion becomes a memory unasked.
   */
  async process(options?: ProcessOptions | null): Promise<ProcessReport> {
    const serve = (session: string, served: Parameters<EngineCore['serving']['serve']>[2]) =>
      this.#core.serving.serve(
        'process',
        { session, caller: libCaller('process', { session }) },
        served,
      )
    // One run at a time, because parallel runs over equal captures would propose duplicates.
    const run = this.#processing.then(() =>
      process({ engine: this.#core, calls: this.#calls, serve }, options),
    )
    this.#processing = run.catch(() => {}) // the caller receives the error
    return run
  }

  async #askFor(task: string, question: HostQuestion): Promise<HostAnswer | null> {
    if (this.#calls.model === null) return null
    const { text, model } = await this.#calls.ask({ task, ...question }, new Purse(QUESTION_BUDGET))
    return { text, model }
  }

  #progressed(progress: MaintenanceProgress): void {
    for (const tell of this.#watching) tell(progress)
  }

  /** Runs due work in the stack and in every component; statistics by component. */
  async maintenance(
    options?: MaintenanceOptions | null,
  ): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const { onProgress, capturesKeptDays } = given(options)
    const watcher = watching(onProgress)
    this.#watching.add(watcher.tell)
    try {
      return await this.#maintained(capturesKeptDays ?? null)
    } finally {
      this.#watching.delete(watcher.tell)
      watcher.rethrow()
    }
  }

  async #maintained(capturesKeptDays: number | null) {
    const own = (done: number): void =>
      this.#progressed({ component: 'stack', done, total: OWN_PARTS })
    await this.#core.tidy()
    const dormant = await noteDormant(this.#core)
    own(1)
    const suggestionsExpired = await expireSuggestions(this.#core)
    own(2)
    const contestsLapsed = await lapseContests(this.#core)
    own(3)
    const captures =
      capturesKeptDays === null ? null : await expireCaptures(this.#core, capturesKeptDays)
    own(4)
    const { entries: scrubsPending } = await finishErasures(this.#core)
    own(OWN_PARTS)
    const stats = await this.#core.registry.dispatchMaintenance()
    await this.#core.failures.tellAll(this.#core)
    const expired =
      captures === null
        ? {}
        : { capturesErased: captures.erased, capturesWaiting: captures.waiting }
    const stack = { dormant, suggestionsExpired, contestsLapsed, ...expired, scrubsPending }
    return { ...stats, stack }
  }
}

const OWN_PARTS = 5
/** The budget of one question with its retries; the day has a budget of its own. */
const QUESTION_BUDGET: Budget = { calls: 3, tokens: 60_000 }

type Watcher = (progress: MaintenanceProgress) => void

/** An exception from onProgress stops no work; the caller receives the exception at the end. */
function watching(onProgress: Watcher = () => {}) {
  let thrown: { readonly cause: unknown } | null = null
  return {
    tell: (progress: MaintenanceProgress): void => {
      if (thrown !== null) return
      try {
        onProgress(progress)
      } catch (cause) {
        thrown = { cause }
      }
    },
    rethrow: (): void => {
      if (thrown !== null) throw thrown.cause
    },
  }
}
