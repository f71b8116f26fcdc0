import { MunimentError } from '../../domain/errors.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import { consistencyRanges, inclusionRanges, rootOf } from '../../ledger/merkle.ts'
import { toHex, utf8 } from '../../ledger/sha256.ts'
import {
  type Checkpoint,
  checkpointText,
  formatNote,
  formatVerifierKey,
  isOfStack,
  keyIdOf,
  originOf,
} from '../../ledger/signed-note.ts'
import type { CheckpointShelf, Signer } from '../../ports/world.ts'
import type { AuditProblem } from '../audit/codes.ts'
import type { Engine } from '../engine.ts'
import { assertCommitted } from '../read/written-words.ts'
import { lastHead } from './signed-heads.ts'
import { TreeTiles } from './tree-tiles.ts'

const decoder = new TextDecoder()

/** A self-contained proof of one memory for an auditor elsewhere. */
export interface ProvedReceipt {
  readonly format: 'muniment/receipt/1'
  readonly entry: string
  readonly sealed: { readonly salt: string; readonly text: string } | null
  readonly erasedBy: ProvedEntries['entries'][number] | null
  readonly proof: readonly Hash[]
  readonly checkpoint: string
}

/** A signed head of the ledger. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: string
  /** Pin this: it checks every later head of this signer. */
  readonly key: string
}

/** Entries with their inclusion proofs to one head. */
export interface ProvedEntries {
  readonly origin: string
  readonly checkpoint: string
  readonly entries: readonly { readonly entry: string; readonly proof: readonly Hash[] }[]
}

/** A signed head, and the proof that the head extends an earlier size. */
export interface ProvedExtension {
  readonly from: number
  readonly checkpoint: string
  readonly proof: readonly Hash[]
}

export interface ProveOptions {
  /** Prove the entry without its content. */
  readonly withhold?: boolean
}

interface Against {
  readonly name: string
  /** True to compute the root again from all covered entries. */
  readonly isRoot: boolean
}

/** Signs heads and proves entries against them. */
export class Proving {
  readonly #engine: Engine
  readonly #signer: Signer
  readonly #shelf: CheckpointShelf
  readonly #tiles: TreeTiles
  #latest: { readonly hash: Hash; readonly signed: SignedCheckpoint } | null = null

  constructor(engine: Engine, { signer, shelf }: { signer: Signer; shelf: CheckpointShelf }) {
    this.#engine = engine
    this.#signer = signer
    this.#shelf = shelf
    this.#tiles = new TreeTiles(engine, engine.sha256)
  }

  get key(): string {
    const { name, publicKey } = this.#signer
    return formatVerifierKey(this.#engine.sha256, { name, publicKey })
  }

  /**
   * Signs the present head. The root is computed from the stored bytes first: a signed head that
   * contradicts the bytes would be permanent evidence against the stack.
   */
  async checkpoint(): Promise<SignedCheckpoint> {
    const { tip, stack } = await this.#engine.read({ type: 'standing' })
    const size = tip.head.seq + 1
    // Signs each head once, so that many proofs share one signature.
    if (this.#latest?.hash === tip.head.hash) return this.#latest.signed
    if (stack.uid === null) {
      throw new MunimentError('not_found', 'Nothing was ever written to this stack.')
    }
    const root = await this.#tiles.rootOf({ start: 0, end: size })
    if (root !== rootOf(this.#engine.sha256, tip.tree)) {
      throw new MunimentError('store_corrupt', 'The entries do not give the recorded root.', {
        hint: 'Nothing was signed. Run audit: it names the first bad entry.',
      })
    }
    const head = { origin: originOf(stack.uid, this.#engine.stackId), size, root }
    const last = await this.#mustExtend(head)
    const note = this.#sign(checkpointText(head))
    if (!last || last.root !== root || last.size !== size) await this.#shelf.put(note)
    const signed = { ...head, note, key: this.key }
    this.#latest = { hash: tip.head.hash, signed }
    return signed
  }

  /**
   * Signs the head of a stack that a person restored from an older copy. Later heads stay recorded;
   * the log must extend this head from now on.
   */
  async accept(): Promise<void> {
    const { tip, stack } = await this.#engine.asLeft.read({ type: 'standing' })
    if (stack.uid === null) return
    const root = rootOf(this.#engine.sha256, tip.tree)
    const origin = originOf(stack.uid, this.#engine.stackId)
    const size = tip.head.seq + 1
    const last = await lastHead(this.#shelf, origin)
    if (last?.origin === origin && last.size === size && last.root === root) return
    await this.#shelf.put(this.#sign(checkpointText({ origin, size, root })))
  }

  /** Throws unless the log extends the last head signed here: a forked log proves nothing. */
  async assertExtends(): Promise<void> {
    const { tip, stack } = await this.#engine.read({ type: 'standing' })
    if (stack.uid === null) return
    const root = rootOf(this.#engine.sha256, tip.tree)
    const origin = originOf(stack.uid, this.#engine.stackId)
    await this.#mustExtend({ origin, size: tip.head.seq + 1, root })
  }

  /** A head that does not extend the last signed head is a fork and is never signed. */
  async #mustExtend(head: Checkpoint): Promise<Checkpoint | null> {
    const last = await lastHead(this.#shelf, head.origin)
    if (last === null || last.origin !== head.origin) return last
    const isShorter = head.size < last.size
    const before = isShorter ? null : await this.#tiles.rootOf({ start: 0, end: last.size })
    if (before === last.root) return last
    throw new MunimentError(
      'store_corrupt',
      'The log is not an extension of the last signed head.',
      {
        hint: 'Entries were lost or rewritten since, or an older copy was put in its place by hand: muniment stack restore <copy> --replace does that, and sets later heads aside.',
        facts: { signed: last.size, now: head.size },
      },
    )
  }

  #sign(text: string): string {
    const { name, publicKey } = this.#signer
    const keyId = keyIdOf(this.#engine.sha256, { name, publicKey })
    const signature = this.#signer.sign(utf8(text))
    return formatNote({ text, signatures: [{ name, keyId, signature }] })
  }

  /** Every head signed here, oldest first. */
  async checkpoints(): Promise<readonly string[]> {
    return this.#shelf.all()
  }

  /** The number of entries under the last head signed here; 0 without a head. */
  async lastSize(): Promise<number> {
    return (await lastHead(this.#shelf, await this.#origin()))?.size ?? 0
  }

  async #origin(): Promise<string | null> {
    const { stack } = await this.#engine.asLeft.read({ type: 'standing' })
    return stack.uid === null ? null : originOf(stack.uid, this.#engine.stackId)
  }

  /** A receipt for the entry of a memory's current revision. */
  async prove(ref: Ref, { withhold = false }: ProveOptions = {}): Promise<ProvedReceipt> {
    const stored = await this.#engine.read({ type: 'memory', ref })
    if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    return this.proveEntry(stored.state.revisionSeq, { withhold })
  }

  async proveEntry(seq: number, { withhold = false }: ProveOptions = {}): Promise<ProvedReceipt> {
    const { note, size } = await this.checkpoint()
    const [row] = await this.#engine.read({ type: 'entries', from: seq, limit: 1 })
    if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
    const entry = readEntry(row.bytes)
    const { commitment } = entry
    const [sealed] =
      commitment === null
        ? []
        : await this.#engine.read({ type: 'table', name: 'sealed', from: seq, to: seq })
    const shown = sealed && !withhold
    if (shown) assertCommitted(this.#engine.sha256, entry, sealed)
    return {
      format: 'muniment/receipt/1',
      entry: decoder.decode(row.bytes),
      sealed: shown ? { salt: toHex(sealed.salt), text: decoder.decode(sealed.bytes) } : null,
      erasedBy: sealed || commitment === null ? null : await this.#erasureOf(seq, size),
      proof: await this.#roots(inclusionRanges(seq, { start: 0, end: size })),
      checkpoint: note,
    }
  }

  async #erasureOf(seq: number, size: number): Promise<ProvedReceipt['erasedBy']> {
    const erasures = await this.#engine.read({ type: 'table', name: 'erasures' })
    const by = erasures.find((each) => each.seq === seq)?.entry
    return by === undefined ? null : this.#pathOf(by, size)
  }

  /** Entries with their proofs to one head, signed now. */
  async proveAll(seqs: readonly number[]): Promise<ProvedEntries> {
    const { note, size, origin } = await this.checkpoint()
    const entries: ProvedEntries['entries'][number][] = []
    for (const seq of seqs) entries.push(await this.#pathOf(seq, size))
    return { origin, checkpoint: note, entries }
  }

  async #pathOf(seq: number, size: number): Promise<ProvedEntries['entries'][number]> {
    const [row] = await this.#engine.read({ type: 'entries', from: seq, limit: 1 })
    if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
    const proof = await this.#roots(inclusionRanges(seq, { start: 0, end: size }))
    return { entry: decoder.decode(row.bytes), proof }
  }

  /** Signs a text as a note, under the key that signs heads. */
  signText(text: string): string {
    return this.#sign(text)
  }

  /** Proves that the present log extends an earlier size. */
  async proveConsistency(oldSize: number): Promise<readonly Hash[]> {
    return (await this.proveExtension(oldSize)).proof
  }

  /** The consistency proof together with its head, because the log may grow between two calls. */
  async proveExtension(oldSize: number): Promise<ProvedExtension> {
    const { size, note } = await this.checkpoint()
    if (!Number.isInteger(oldSize) || oldSize < 1 || oldSize > size) {
      throw new MunimentError('invalid_input', `A size is from 1 to ${size}.`)
    }
    const proof = await this.#roots(consistencyRanges(oldSize, { start: 0, end: size }))
    return { from: oldSize, checkpoint: note, proof }
  }

  /** Compares the log with a head saved elsewhere; null when the log extends the head. */
  async disagreement(held: Checkpoint): Promise<AuditProblem | null> {
    return this.#against(held, { name: 'the head held elsewhere', isRoot: true })
  }

  /**
   * Compares the log with the last head signed here. Without `isRoot`, only name and length are
   * compared, and no covered entry is read.
   */
  async disagreementHere({ isRoot }: { readonly isRoot: boolean }): Promise<AuditProblem | null> {
    const held = await lastHead(this.#shelf, await this.#origin()) // read before the log, which only grows
    return held && this.#against(held, { name: 'the last head signed here', isRoot })
  }

  async #against(held: Checkpoint, { name, isRoot }: Against): Promise<AuditProblem | null> {
    const { tip, stack } = await this.#engine.asLeft.read({ type: 'standing' })
    const seq = Math.max(tip.head.seq, 0)
    if (stack.uid === null && held.size > 0 && isOfStack(held, this.#engine.stackId)) {
      const detail = `there is nothing here, and ${name} is of ${held.size} entries`
      return { code: 'head.rollback', seq, detail }
    }
    const origin = stack.uid === null ? null : originOf(stack.uid, this.#engine.stackId)
    if (held.origin !== origin) {
      return { code: 'head.foreign', seq, detail: `${name} is of another log` }
    }
    if (held.size > tip.head.seq + 1) {
      return { code: 'head.rollback', seq, detail: `the log was ${held.size} entries long` }
    }
    if (!isRoot) return null
    // Entries may have been rewritten since, so no cached hash is used.
    const { asLeft, yieldToEventLoop, sha256 } = this.#engine
    const tiles = new TreeTiles({ read: (query) => asLeft.read(query), yieldToEventLoop }, sha256)
    const root = await tiles.rootOf({ start: 0, end: held.size })
    if (root === held.root) return null
    const detail = `entries before ${name} were rewritten`
    return { code: 'head.rewritten', seq: held.size - 1, detail }
  }

  async #roots(ranges: ReturnType<typeof inclusionRanges>): Promise<readonly Hash[]> {
    const roots: Hash[] = []
    for (const range of ranges) roots.push(await this.#tiles.rootOf(range))
    return roots
  }
}
