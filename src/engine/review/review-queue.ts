import type { Caller } from '../../domain/doors.ts'
import { parseRef } from '../../domain/ids.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { EntryPointer } from '../../domain/write.ts'
import type { Upkeep } from '../components/upkeep.ts'
import type { Engine } from '../engine.ts'
import type { ProcessOptions, ProcessReport } from '../processing/run/process.ts'
import type { ReadBy } from '../read/served.ts'
import { given } from '../write/arguments.ts'
import { gatedReview } from './gated-review.ts'
import { rejectQuarantined, releaseQuarantined } from './quarantine.ts'
import {
  getReview,
  type ResolveOptions,
  type ReviewItem,
  type ReviewOptions,
  type Settled,
  settleReview,
} from './review.ts'
import type { ReviewAnswer } from './review-answer.ts'

/** The queue of everything waiting for a person. */
export class ReviewQueue {
  readonly #engine: Engine
  readonly #upkeep: Upkeep

  constructor(engine: Engine, upkeep: Upkeep) {
    this.#engine = engine
    this.#upkeep = upkeep
  }

  /** The open items, newest first. */
  async list(options?: (ReviewOptions & ReadBy) | null): Promise<readonly ReviewItem[]> {
    const all = await getReview(this.#engine, options)
    const items = await gatedReview(this.#engine, all, given(options))
    await this.#engine.serving.serve(
      'review',
      options,
      items.flatMap(({ memory, against }) => [memory, ...against]),
    )
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
    const reject = (of: string) => this.reject(of, caller)
    const release = (of: string) => this.release(of, caller)
    return settleReview(this.#engine, parseRef(ref), { answer, options, reject, release })
  }

  /** Rejects a quarantined memory: the memory stays visible, and the same words stay out. */
  async reject(ref: string, caller?: Caller): Promise<EntryPointer> {
    return rejectQuarantined(this.#engine, ref, caller)
  }

  /** Releases a quarantined memory: the gate decides anew, without the quarantine. */
  async release(
    ref: string,
    caller?: Caller,
  ): Promise<{ readonly entry: EntryPointer; readonly disposition: Disposition }> {
    return releaseQuarantined(this.#engine, ref, caller)
  }

  /**
   * Makes suggestions of waiting captures, with a model where attached and by rule where possible.
   * No suggestion becomes a memory unasked.
   */
  async process(options?: ProcessOptions | null): Promise<ProcessReport> {
    return this.#upkeep.process(options)
  }
}
