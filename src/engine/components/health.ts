import type { Caller } from '../../domain/doors.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { Instant } from '../../domain/time.ts'
import type { Engine } from '../engine.ts'
import { type CountedLess, countedLess, type Overview, overview } from '../read/overview.ts'
import { libCaller, nameOf } from '../write/arguments.ts'
import { type ClockCorrection, type ClockStatus, clockStatus, statusOf } from '../write/clock.ts'
import type { HookErrors } from './component-calls.ts'
import { type Failing, failingIn } from './reports.ts'

/** The condition of a stack: an overview, its clock, its components. */
export class Health {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Counts, recent memories and open reviews at a glance. */
  async overview(): Promise<Overview> {
    return overview(this.#engine)
  }

  /** Memories that count for a lower tier today than when they were recorded. */
  async countedLess(): Promise<CountedLess> {
    return countedLess(this.#engine)
  }

  /** The reading of the stack's clock. */
  async now(): Promise<Instant> {
    return this.#engine.now()
  }

  /** The clock of this machine and the last entry: whether new entries can be dated. */
  async clock(): Promise<ClockStatus> {
    return clockStatus(this.#engine)
  }

  /**
   * A person confirms the clock of this machine. Where the last entry has another date, one entry
   * records the correction, and times follow the clock again; earlier entries keep their dates.
   */
  async correctClock(caller: Caller = libCaller('clock')): Promise<ClockCorrection> {
    const { host: actor } = this.#engine
    const { reading, last, entry } = (await this.#engine.submit('clock', { actor, caller })).result
    return { ...statusOf(reading, last), entry }
  }

  /** The report of a component, such as memory health or known subjects. */
  async componentReport(name: string, question: JsonObject = {}): Promise<JsonObject | null> {
    return this.#engine.registry.report(nameOf('component', name), question)
  }

  /** Failures in components since the stack was opened: a failure breaks nothing else. */
  async componentErrors(): Promise<Readonly<Record<string, readonly HookErrors[]>>> {
    return this.#engine.registry.errors()
  }

  /** Components that were failing when a process last looked. */
  async failingComponents(): Promise<Failing> {
    return failingIn(this.#engine)
  }
}
