import type { SelfNarrativeInput } from '../../domain/kinds/self-narrative.ts'
import type { Accepted } from '../../domain/outcome.ts'
import type { EngineCore } from '../core.ts'
import type { Memory } from '../read/memory-view.ts'
import {
  type BeginEpochOptions,
  beginEpoch,
  type EndEpochOptions,
  type EndedEpoch,
  endEpoch,
  openEpoch,
} from './epochs.ts'
import { type NarrateOptions, narrate } from './narratives.ts'
import { type UsePlaybookOptions, usePlaybook } from './playbooks.ts'
import { type Summarised, type SummariseOptions, summarise } from './summaries.ts'

/** Stretches of time, summaries of them, the agent's narrative of itself, and its playbooks. */
export class Epochs {
  readonly #core: EngineCore
  #turning: Promise<unknown> = Promise.resolve()

  constructor(core: EngineCore) {
    this.#core = core
  }

  /** The epoch that is open; null when none is. Routed writes bear it. */
  async current(): Promise<Memory<'epoch'> | null> {
    return openEpoch(this.#core.uses)
  }

  /** Begins an epoch, numbered on; the one that was open ends. */
  async begin(name: string, options?: BeginEpochOptions | null): Promise<Accepted> {
    return this.#inTurn(() => beginEpoch(this.#core.uses, name, options))
  }

  /** Ends the open epoch: what it is remembered by, and a summary that cites its memories. */
  async end(options?: EndEpochOptions | null): Promise<EndedEpoch> {
    return this.#inTurn(() => endEpoch(this.#core.uses, options))
  }

  /** One turn of epochs at a time, so that each ends the one before it and is numbered on. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turning.then(work)
    this.#turning = turn.catch(() => {}) // told to whoever asked for it
    return turn
  }

  /** A stretch of time in one telling that cites what it tells of; null where there is nothing. */
  async summarise(options: SummariseOptions): Promise<Summarised | null> {
    return summarise(this.#core.uses, options)
  }

  /** Who one is, told anew; earlier tellings stay as revisions. */
  async narrate(told: SelfNarrativeInput, options: NarrateOptions): Promise<Accepted> {
    return narrate(this.#core.uses, told, options)
  }

  /** One more use of a playbook: how often, how well, and what mastery that makes. */
  async usePlaybook(ref: string, options: UsePlaybookOptions): Promise<Memory<'playbook'>> {
    return usePlaybook(this.#core.uses, ref, options)
  }
}
