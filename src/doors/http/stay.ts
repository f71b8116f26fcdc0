import { setTimeout as sleep } from 'node:timers/promises'
import { MunimentError } from '../../domain/errors.ts'

/**
 * What a request holds until what it asked for is over. That may be long after its answer: whoever has
 * waited long enough is told so, and the work keeps its place until it ends, so that asking again and
 * again piles up nothing.
 */
export class Stay {
  readonly #leave: (() => void)[] = []
  readonly #late = new AbortController()
  #work: Promise<unknown> | null = null

  /** Aborted once nobody waits for the answer any more. */
  get late(): AbortSignal {
    return this.#late.signal
  }

  /** Called once, when it is over. */
  holds(leave: () => void): void {
    this.#leave.push(leave)
  }

  /** Waits for work, and no longer than this; what comes later is handed over as it goes on. */
  async within(
    ms: number,
    work: Promise<void>,
    onLate: (work: Promise<void>) => void,
  ): Promise<void> {
    const waiting = new AbortController()
    const limit = sleep(ms, true, { signal: waiting.signal }).catch(() => false)
    const isLate = await Promise.race([work.then(() => false), limit])
    waiting.abort()
    if (!isLate) return
    this.#work = work
    const told = tooLate(ms)
    this.#late.abort(told)
    onLate(work)
    throw told
  }

  /** The request is answered; what it holds is let go now, or when its work is done. */
  end(): void {
    const leave = (): void => {
      for (const each of this.#leave) each()
    }
    if (this.#work === null) leave()
    else this.#work.then(leave, leave)
  }
}

const tooLate = (ms: number): MunimentError =>
  new MunimentError('deadline_exceeded', `There was no answer within ${ms / 1000} seconds.`, {
    hint:
      'What writes goes on and is finished. Sent again with the same Idempotency-Key, it is answered ' +
      'with what came of it; a question is best asked again for less.',
  })
