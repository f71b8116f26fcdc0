import { ERASE_BASES, LIMITS_OF_RETENTION } from '../../domain/erasure.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef, type Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { toInstant, toMs } from '../../domain/time.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { ERASURE_FORMAT, NOT_COVERED, SCRUBBED, statementText } from '../../ledger/erasure.ts'
import { readEntry } from '../../ledger/ledger.ts'
import { utf8 } from '../../ledger/sha256.ts'
import type { Timer } from '../../ports/world.ts'
import type { EngineCore } from '../core.ts'
import type { Engine } from '../engine.ts'
import { ELSEWHERE_MIN } from '../parts.ts'
import type { Ledger } from '../proofs/ledger.ts'
import { type ActOptions, wrong } from '../write/arguments.ts'
import {
  type Erased,
  type EraseOptions,
  type EraseWhat,
  type ErasuresPending,
  erase,
  erasuresPending,
  expire,
  finishErasures,
  planFor,
  type ReadmitWhat,
  readmit,
  repeatErasures,
} from './erase.ts'
import { type ErasurePlan, planErasure } from './erasure-plan.ts'
import { ScrubRetry } from './scrub-retry.ts'

const PAGE = 500
const DAY_MS = 86_400_000

/** The result of one retention run over captures of hooks. */
interface CapturesExpired {
  readonly erased: number
  /** Remaining expired captures, because a run erases a bounded number. */
  readonly waiting: number
}

/**
 * Captures of hooks past their retention, oldest first. Captures that a memory cites, quotes or
 * counts as evidence stay, and so do memories of other doors.
 */
async function expiredCaptures(engine: Engine, days: number): Promise<readonly Ref[]> {
  if (!Number.isSafeInteger(days) || days < 1 || days > LIMITS_OF_RETENTION.daysMax) {
    throw wrong(
      'capturesKeptDays',
      `a whole number of days from 1 to ${LIMITS_OF_RETENTION.daysMax}`,
    )
  }
  const { now } = await engine.moment()
  const before = toInstant(toMs(now) - days * DAY_MS)
  const found: Ref[] = []
  const cited = new Set<Ref>()
  for await (const state of statesOf(engine)) {
    if (state.erased !== null) continue
    for (const ref of citedBy(state)) cited.add(ref)
    if (isCapture(state) && state.bornAt < before) found.push(state.ref)
  }
  return found.filter((ref) => !cited.has(ref))
}

/** Erases a bounded number of expired captures, an entry each; the caller cleans the files. */
export async function expireCaptures(engine: Engine, days: number): Promise<CapturesExpired> {
  const refs = await expiredCaptures(engine, days)
  let erased = 0
  for (const ref of refs.slice(0, LIMITS_OF_RETENTION.perRunMax)) {
    // A capture stays when its erasure would touch any other memory.
    const plan = await planErasure(engine, [ref], false)
    if (plan.refs.length !== 1 || plan.derived.length > 0) continue
    await expire(engine, ref)
    erased += 1
  }
  return { erased, waiting: refs.length - erased }
}

const isCapture = ({ kind, door, isProtected }: MemoryState): boolean =>
  kind === 'raw' && door === 'hook' && !isProtected

const citedBy = ({
  parents,
  evidence,
  anchors,
  claim,
  rewordingOf,
}: MemoryState): readonly Ref[] => [
  ...parents,
  ...evidence,
  ...anchors,
  ...(claim?.quotes === undefined ? [] : [claim.quotes]),
  ...(rewordingOf === null ? [] : [rewordingOf]),
]

async function* statesOf({ read }: Engine): AsyncGenerator<MemoryState> {
  for (let after = -1; ; ) {
    const page = await read({ type: 'memories', as: 'state', order: 'oldest', after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.seq
  }
}

/** Proof of an erasure, checked anywhere with `muniment/verify`. */
export interface ErasureCertificate {
  readonly format: typeof ERASURE_FORMAT
  /** The statement as a note, signed by the key that signs heads. */
  readonly statement: string
  readonly entries: readonly { readonly entry: string; readonly proof: readonly Hash[] }[]
  readonly checkpoint: string
}

/** The erased memories and the certificate. */
export interface Erasure extends Erased {
  /** Null until every file is clean, and also without an erasure or a signer. */
  readonly certificate: ErasureCertificate | null
}

/** Destroys content for good and proves that it was destroyed. */
export class Erasures {
  readonly #engine: Engine
  readonly #core: Pick<EngineCore, 'whole'>
  readonly #ledger: Ledger

  readonly #retry: ScrubRetry

  constructor(core: EngineCore, ledger: Ledger, timer: Timer) {
    this.#engine = core
    this.#core = core
    this.#ledger = ledger
    this.#retry = new ScrubRetry(core, timer)
    core.onClosing.push(() => this.#retry.close())
  }

  /**
   * Destroys memories for good: `erase(ref)`, `erase({ actor })`, `erase({ subject })`.
   * @example
   * const { erased, certificate } = await stack.erasure.erase(note, { basis: 'requested' })
   */
  async erase(what: EraseWhat, options?: EraseOptions | null): Promise<Erasure> {
    // Refuses an unprovable erasure while all content exists; the error names the remedy.
    if (this.#ledger.canSign) await this.#ledger.signing().assertExtends()
    const erased = await erase(this.#engine, what, options)
    const seqs = erased.entries.map(({ seq }) => seq)
    if (!erased.scrubbed) this.#retry.schedule()
    const isDone = erased.scrubbed && seqs.length > 0 && this.#ledger.canSign
    return { ...erased, certificate: isDone ? await this.#certify(seqs) : null }
  }

  /**
   * Lists the memories of an erasure and their derived memories, without a change.
   * @example const { refs, derived } = await stack.erasure.plan({ subject: 'user' })
   */
  async plan(
    what: EraseWhat,
    options?: Pick<EraseOptions, 'derived'> | null,
  ): Promise<ErasurePlan> {
    return planFor(this.#engine, what, options)
  }

  /**
   * The certificate of an erased memory and its unit, signed again.
   * @example
   * await stack.erasure.erase(note)
   * const certificate = await stack.erasure.certificate(note)
   */
  async certificate(ref: string): Promise<ErasureCertificate> {
    const parsed = parseRef(ref)
    const stored = await this.#engine.read({ type: 'memory', ref: parsed })
    const mark = stored?.state.erased ?? null
    if (mark === null) throw new MunimentError('not_found', `${ref} was not erased here.`)
    const { entries, fault } = await finishErasures(this.#engine)
    if (entries > 0) {
      const why = fault ?? 'a reader still engine an older state of the stack'
      throw new MunimentError('store_busy', `Not every file is clean yet: ${why}.`, {
        hint: 'Try again when no other process reads the stack; muniment doctor shows what is left.',
        facts: { entries },
      })
    }
    return this.#certify(await this.#unitOf(mark.seq, parsed))
  }

  /**
   * A person readmits erased or rejected words.
   * @example
   * await stack.erasure.erase(note)
   * await stack.erasure.readmit(note)
   */
  async readmit(what: ReadmitWhat, options?: ActOptions | null): Promise<EntryPointer | null> {
    return readmit(this.#engine, what, options)
  }

  /**
   * Repeats erasures after a restore, before any read, and finishes erasures after a crash: at once
   * in a small stack, later in a large one. Unclean files never block the opening of a stack.
   * Returns the number of repeated erasures.
   * @example const finished = await stack.erasure.resume()
   */
  async resume(): Promise<number> {
    const repeated = await repeatErasures(this.#engine)
    const { tip } = await this.#engine.read({ type: 'standing' })
    const isSmall = tip.head.seq < ELSEWHERE_MIN
    const { entries } = await (isSmall ? finishErasures : erasuresPending)(this.#engine)
    if (entries > 0) this.#retry.schedule()
    return repeated
  }

  /**
   * Erasures whose bytes may still lie in files, and the reason of the last failure.
   * @example const { entries, fault } = await stack.erasure.pending()
   */
  async pending(): Promise<ErasuresPending> {
    return erasuresPending(this.#engine)
  }

  /**
   * Captures of hooks for an erasure by maintenance with the same number of days.
   * @example const refs = await stack.erasure.expiredCaptures(90)
   */
  async expiredCaptures(days: number): Promise<readonly Ref[]> {
    return expiredCaptures(this.#engine, days)
  }

  async #unitOf(seq: number, ref: Ref): Promise<readonly number[]> {
    const [row] = await this.#engine.read({ type: 'entries', from: seq, limit: 1 })
    if (!row) throw new MunimentError('data_loss', `The entry that erased ${ref} is missing.`)
    const { unit } = readEntry(row.bytes)
    const seqs: number[] = []
    for (let from = unit; ; from += 1) {
      const [next] = await this.#engine.read({ type: 'entries', from, limit: 1 })
      if (!next) return seqs
      const entry = readEntry(next.bytes)
      if (entry.unit !== unit) return seqs
      if (entry.op === 'memory.erased' || entry.op === 'actor.erased') seqs.push(from)
    }
  }

  async #certify(seqs: readonly number[]): Promise<ErasureCertificate> {
    const signing = this.#ledger.signing()
    const { origin, checkpoint, entries } = await signing.proveAll(seqs)
    const told = entries.map(({ entry }) => readEntry(utf8(entry)).decision.facts.basis)
    const text = statementText({
      origin,
      basis: ERASE_BASES.filter((basis) => told.includes(basis)),
      entries: seqs,
      issuedAt: this.#engine.now(),
      scrubbed: SCRUBBED,
      notCovered: [...NOT_COVERED, ...(this.#core.whole.store.notScrubbed ?? [])].sort(),
    })
    return { format: ERASURE_FORMAT, statement: signing.signText(text), entries, checkpoint }
  }
}
