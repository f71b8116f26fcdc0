import { ERASE_BASES } from '../../domain/erasure.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef, type Ref } from '../../domain/ids.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { ERASURE_FORMAT, NOT_COVERED, SCRUBBED, statementText } from '../../ledger/erasure.ts'
import { readEntry } from '../../ledger/ledger.ts'
import { utf8 } from '../../ledger/sha256.ts'
import type { Engine } from '../engine.ts'
import type { Ledger } from '../proofs/ledger.ts'
import type { ActOptions } from '../write/speaker.ts'
import {
  type Erased,
  type EraseOptions,
  type EraseWhat,
  type ErasuresPending,
  erase,
  erasuresPending,
  finishErasures,
  planFor,
  type ReadmitWhat,
  readmit,
  repeatErasures,
} from './erase.ts'
import type { ErasurePlan } from './erasure-plan.ts'
import { expiredCaptures } from './expired-captures.ts'

/** Proof of an erasure, checked anywhere with `muniment/verify`. */
export interface ErasureCertificate {
  readonly format: typeof ERASURE_FORMAT
  /** The statement as a note, signed by the key that signs heads. */
  readonly statement: string
  /** The entries of the erasure with their proofs to the head. */
  readonly entries: readonly { readonly entry: string; readonly proof: readonly Hash[] }[]
  readonly checkpoint: string
}

export interface Erasure extends Erased {
  /** Null until every file is clean, and also without an erasure or a signer. */
  readonly certificate: ErasureCertificate | null
}

/** Destroys content for good and proves that it was destroyed. */
export class Erasures {
  readonly #engine: Engine
  readonly #ledger: Ledger

  constructor(engine: Engine, ledger: Ledger) {
    this.#engine = engine
    this.#ledger = ledger
  }

  /** Destroys memories for good: `erase(ref)`, `erase({ actor })`, `erase({ subject })`. */
  async erase(what: EraseWhat, options?: EraseOptions | null): Promise<Erasure> {
    // Refuses an unprovable erasure while all content exists; the error names the remedy.
    if (this.#ledger.canSign) await this.#ledger.signing().assertExtends()
    const erased = await erase(this.#engine, what, options)
    const seqs = erased.entries.map(({ seq }) => seq)
    const isDone = erased.scrubbed && seqs.length > 0 && this.#ledger.canSign
    return { ...erased, certificate: isDone ? await this.#certify(seqs) : null }
  }

  /** Lists the memories of an erasure and their derived memories, without a change. */
  async plan(
    what: EraseWhat,
    options?: Pick<EraseOptions, 'derived'> | null,
  ): Promise<ErasurePlan> {
    return planFor(this.#engine, what, options)
  }

  /** The certificate of an erased memory and its unit, signed again. */
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

  /** A person readmits erased or rejected words. */
  async readmit(what: ReadmitWhat, options?: ActOptions | null): Promise<EntryPointer | null> {
    return readmit(this.#engine, what, options)
  }

  /**
   * Finishes erasures after a crash, and repeats erasures after a restore, before any read. Unclean
   * files never block the opening of a stack. Returns the number of repeated erasures.
   */
  async resume(): Promise<number> {
    await finishErasures(this.#engine)
    const repeated = await repeatErasures(this.#engine)
    await finishErasures(this.#engine)
    return repeated
  }

  /** Erasures whose bytes may still lie in files, and the reason of the last failure. */
  async pending(): Promise<ErasuresPending> {
    return erasuresPending(this.#engine)
  }

  /** Captures of hooks for an erasure by maintenance with the same number of days. */
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
      notCovered: NOT_COVERED,
    })
    return { format: ERASURE_FORMAT, statement: signing.signText(text), entries, checkpoint }
  }
}
