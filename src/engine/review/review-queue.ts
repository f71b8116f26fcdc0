import type { Disposition } from '../../domain/dispositions.ts'
import type { Caller } from '../../domain/doors.ts'
import { parseRef } from '../../domain/ids.ts'
import type { EntryPointer } from '../../domain/outcome.ts'
import type { Upkeep } from '../components/upkeep.ts'
import type { EngineCore } from '../core.ts'
import type { ProcessOptions, ProcessReport } from '../processing/run/process.ts'
import { type ReadBy, servedByReview } from '../read/served.ts'
import { given } from '../write/arguments.ts'
import { gatedReview } from './gated-review.ts'
import {
  getReview,
  type ResolveOptions,
  type ReviewAnswer,
  type ReviewItem,
  type ReviewOptions,
  type Settled,
  settleReview,
} from './review.ts'

/** The queue of everything waiting for a person. */
export class ReviewQueue {
  readonly #core: EngineCore
  readonly #upkeep: Upkeep

  constructor(core: EngineCore, upkeep: Upkeep) {
    this.#core = core
    this.#upkeep = upkeep
  }

  /** The open items, newest first. */
  async list(options?: (ReviewOptions & ReadBy) | null): Promise<readonly ReviewItem[]> {
    const all = await getReview(this.#core.uses, options)
    const items = await gatedReview(this.#core.uses, all, given(options))
    await this.#core.serving.serve('review', options, items.flatMap(servedByReview))
    return items
  }

  /** Resolves one item for a person; true if the answer was taken. */
  async resolve(ref: string, answer: ReviewAnswer, how?: ResolveOptions | null): Promise<boolean> {
    return (await this.settle(ref, answer, how)).taken
  }

  /** Resolves one item for a person, and returns the result. */
  async settle(ref: string, answer: ReviewAnswer, how?: ResolveOptions | null): Promise<Settled> {
    const options = given(how)
    const { caller } = options
    const reject = (of: string) =>
      caller === undefined ? this.reject(of) : this.reject(of, caller)
    const release = (of: string) =>
      caller === undefined ? this.release(of) : this.release(of, caller)
    return settleReview(this.#core.uses, parseRef(ref), { answer, options, reject, release })
  }

  /** Rejects a quarantined memory: the memory stays visible, and the same words stay out. */
  async reject(ref: string, caller?: Caller): Promise<EntryPointer> {
    return this.#core.rejectQuarantined(ref, caller)
  }

  /** Releases a quarantined memory: the gate decides anew, without the quarantine. */
  async release(
    ref: string,
    caller?: Caller,
  ): Promise<{ readonly entry: EntryPointer; readonly disposition: Disposition }> {
    return this.#core.releaseQuarantined(ref, caller)
  }

  /**
   * Makes suggestions of waiting captures, with a model where attached and by rule where possible.
   * No suggestion becomes a memory unasked.
   */
  async process(options?: ProcessOptions | null): Promise<ProcessReport> {
    return this.#upkeep.process(options)
  }
}
