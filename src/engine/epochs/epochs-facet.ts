import type { SelfNarrativeInput } from '../../domain/kinds/self-narrative.ts'
import type { Accepted } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
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

/** Epochs, summaries, the agent's narrative of itself, and its playbooks. */
export class Epochs {
  readonly #engine: Engine
  #turning: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The open epoch, or null. Routed writes carry the id of the open epoch. */
  async current(): Promise<Memory<'epoch'> | null> {
    return openEpoch(this.#engine)
  }

  /** Begins an epoch with the next number; the open epoch ends. */
  async begin(name: string, options?: BeginEpochOptions | null): Promise<Accepted> {
    return this.#inTurn(() => beginEpoch(this.#engine, name, options))
  }

  /** Ends the open epoch with key memories and a summary. */
  async end(options?: EndEpochOptions | null): Promise<EndedEpoch> {
    return this.#inTurn(() => endEpoch(this.#engine, options))
  }

  /** Runs epoch changes one at a time, so that numbers stay dense. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turning.then(work)
    this.#turning = turn.catch(() => {}) // the caller receives the error
    return turn
  }

  /** Summarises a period and cites its memories; null for an empty period. */
  async summarise(options: SummariseOptions): Promise<Summarised | null> {
    return summarise(this.#engine, options)
  }

  /** Writes a new revision of the self-narrative; earlier revisions stay. */
  async narrate(told: SelfNarrativeInput, options: NarrateOptions): Promise<Accepted> {
    return narrate(this.#engine, told, options)
  }

  /** Counts one use of a playbook, its success, and the resulting mastery. */
  async usePlaybook(ref: string, options: UsePlaybookOptions): Promise<Memory<'playbook'>> {
    return usePlaybook(this.#engine, ref, options)
  }
}
