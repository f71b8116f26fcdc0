import type { Stack } from '../../stack.ts'

const POLL_MS = 250 // other programs write to the same stack without a signal

/** Reports growth of a stack's ledger; polls only while a reader waits. */
export class Feed {
  readonly #stack: Stack
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | null = null
  #seen = -1
  #isClosed = false

  constructor(stack: Stack) {
    this.#stack = stack
  }

  /** Waits for an entry after `seq`, the timeout, or an abort. */
  async grown(seq: number, { timeoutMs, signal }: Waiting): Promise<void> {
    if (this.#isClosed || signal.aborted || this.#seen > seq) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        clearTimeout(limit)
        signal.removeEventListener('abort', done)
        if (this.#waiting.size === 0) this.#rest()
        resolve()
      }
      const limit = setTimeout(done, timeoutMs)
      signal.addEventListener('abort', done)
      this.#waiting.add(done)
      this.#look()
    })
  }

  #look(): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS)
  }

  async #poll(): Promise<void> {
    this.#timer = null
    const head = await this.#stack.ledger.head().catch(() => null) // a closing stack has no more news
    if (head !== null && head.seq > this.#seen) {
      this.#seen = head.seq
      for (const done of [...this.#waiting]) done()
    }
    if (this.#waiting.size > 0) this.#look()
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  close(): void {
    this.#isClosed = true
    this.#rest()
    for (const done of [...this.#waiting]) done()
  }
}

interface Waiting {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}
