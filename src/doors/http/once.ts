import { createHash } from 'node:crypto'
import { MunimentError } from '../../domain/errors.ts'

const KEPT_MS = 24 * 3_600_000
const KEPT_MAX = 10_000

interface Done {
  readonly print: string
  readonly at: number
  readonly answer: Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly body: string
}

/**
 * What was answered under an idempotency key is answered again, not done again: for a day, while
 * this server runs. One that failed may be tried anew.
 */
export class Once {
  readonly #done = new Map<string, Done>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async run(
    key: string,
    body: string,
    work: () => Promise<Answered>,
  ): Promise<Answered & { readonly isReplay: boolean }> {
    this.#forget()
    const print = createHash('sha256').update(body).digest('hex')
    const known = this.#done.get(key)
    if (known && known.print !== print) {
      throw new MunimentError('id_exists', 'That idempotency key was used for another request.', {
        hint: 'Take a new key for every request that says something else.',
      })
    }
    if (known) return { ...(await known.answer), isReplay: true }
    const answer = work()
    this.#done.set(key, { print, at: this.#now(), answer })
    answer.catch(() => this.#done.delete(key))
    return { ...(await answer), isReplay: false }
  }

  #forget(): void {
    const since = this.#now() - KEPT_MS
    for (const [key, { at }] of this.#done) {
      if (at >= since && this.#done.size < KEPT_MAX) return // oldest first
      this.#done.delete(key)
    }
  }
}
