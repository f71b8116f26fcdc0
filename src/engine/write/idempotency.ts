import { MunimentError } from '../../domain/errors.ts'
import type { MemoryId } from '../../domain/ids.ts'
import { DAY_MS, type Instant, toInstant, toMs } from '../../domain/time.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import { RECEIPT_LIMITS, type Receipts } from '../../ports/receipts.ts'

/** A request under an idempotency key; a repeat brings an equal request. */
export interface IdempotentCall {
  readonly key: string
  readonly request: string
}

export interface IdempotentAnswer {
  readonly answer: string
  /** True for a stored answer of an earlier call. */
  readonly isReplay: boolean
}

export interface IdempotencyParts {
  readonly receipts: Receipts | null
  readonly sha256: Sha256
  readonly now: () => Instant
  readonly nextId: () => MemoryId
}

/**
 * Answers a repeated idempotency key from storage instead of working again: for a day, in any
 * process with the stack. The key is stored before the work, with the id for the memory of the
 * work, so a repeat after a crash makes no second memory. Only digests are stored; the digest of
 * the request also covers the unstored key.
 */
export class Idempotency {
  readonly #parts: IdempotencyParts
  readonly #underWay = new Map<string, { readonly print: string; readonly done: Promise<string> }>()

  constructor(parts: IdempotencyParts) {
    this.#parts = parts
  }

  async run(
    { key, request }: IdempotentCall,
    work: (id: MemoryId) => Promise<string>,
  ): Promise<IdempotentAnswer> {
    const name = this.#digest(key)
    const print = this.#digest(JSON.stringify([key, request]))
    const known = this.#underWay.get(name)
    if (known) {
      if (known.print !== print) throw usedOtherwise()
      return { answer: await known.done, isReplay: true }
    }
    let isReplay = false
    const done = this.#done({ name, print }, (id) => work(id)).then((found) => {
      isReplay = found.isReplay
      return found.answer
    })
    this.#underWay.set(name, { print, done })
    const over = (): void => void this.#underWay.delete(name)
    done.then(over, over)
    const answer = await done
    return { answer, isReplay }
  }

  async #done(
    { name, print }: { readonly name: string; readonly print: string },
    work: (id: MemoryId) => Promise<string>,
  ): Promise<IdempotentAnswer> {
    const { receipts, now, nextId } = this.#parts
    if (receipts === null) return { answer: await work(nextId()), isReplay: false }
    const at = now()
    const since = toInstant(toMs(at) - RECEIPT_LIMITS.answersKeptDays * DAY_MS)
    const row = await receipts.begin({ key: name, print, id: nextId(), at }, since)
    if (row.print !== print) throw usedOtherwise()
    if (row.answer !== null) return { answer: row.answer, isReplay: true }
    const answer = await work(row.id).catch(async (error: unknown) => {
      if (leftNothing(error)) await receipts.drop(name)
      throw error
    })
    await receipts.answered(name, answer)
    return { answer, isReplay: false }
  }

  #digest(text: string): string {
    return this.#parts.sha256(text)
  }
}

/** After a failure of the store the result is unknown, so the key keeps its id. */
const leftNothing = (error: unknown): boolean =>
  error instanceof MunimentError && !/^(?:store_|data_loss|invariant|stack_closed)/.test(error.code)

const usedOtherwise = (): MunimentError =>
  new MunimentError('id_exists', 'That idempotency key was used for another request.', {
    hint: 'Take a new key for every request that says something else.',
  })
