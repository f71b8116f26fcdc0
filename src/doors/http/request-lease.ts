import { setTimeout as sleep } from 'node:timers/promises'
import { MunimentError } from '../../domain/errors.ts'

/**
 * Holds a request's places under the limits until its work ends. Work may outlast the answer: a
 * caller gets a timeout, and the work keeps its place, so repeated requests pile up nothing.
 */
export class RequestLease {
  readonly #leave: (() => void)[] = []
  readonly #late = new AbortController()
  #work: Promise<unknown> | null = null

  /** Aborted when the caller no longer waits. */
  get late(): AbortSignal {
    return this.#late.signal
  }

  /** Registers a release, called once at the end. */
  holds(leave: () => void): void {
    this.#leave.push(leave)
  }

  /** Waits for work up to `ms`; late work goes to a callback while running on. */
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

  /** Called after the answer; releases now, or when the late work ends. */
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
