import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { StackState } from '../../domain/state.ts'
import type { Head } from '../../domain/waist.ts'
import { type Checkpoint, originOf, parseCheckpoint, parseNote } from '../../ledger/signed-note.ts'
import type { Answer, EntryRow, ReadQuery, Store, Witnessed } from '../../ports/store.ts'
import type { CheckpointShelf } from '../../ports/world.ts'

interface Ledger {
  readonly stackId: StackId
  readonly store: Pick<Store, 'read' | 'witnessed' | 'fileState'>
  readonly shelf?: CheckpointShelf | undefined
}

const NO_WITNESS: Witnessed = { seq: -1, hash: null, isDamaged: false }

/** Tells if another entry lies in the place of the one that the witness saw. */
export async function isReplaced(
  reading: {
    read(query: { type: 'entries'; from: number; limit: 1 }): Promise<readonly EntryRow[]>
  },
  { seq: from, hash }: Witnessed,
): Promise<boolean> {
  if (hash === null) return false
  const [row] = await reading.read({ type: 'entries', from, limit: 1 })
  return row?.seq === from && row.hash !== hash
}

/**
 * Refuses answers from a ledger that lost entries, because an agent would mistake the rest for the
 * whole (LEDGER-DETECT). A whole ledger is checked again only when its file may have been replaced.
 */
export class LossCheck {
  readonly #ledger: Ledger
  #isWhole: boolean
  /** The file as last found whole. */
  #wholeState: string | undefined

  constructor(ledger: Ledger, isWhole: boolean) {
    this.#ledger = ledger
    this.#isWhole = isWhole
    this.#wholeState = this.#fileState()
  }

  /** Reads after a check that no entry is lost. */
  async readWhole<Q extends ReadQuery>(query: Q): Promise<Answer<Q>> {
    if (!this.#isWhole || this.#wholeState !== this.#fileState()) await this.assertWhole()
    return this.read(query)
  }

  /** Reads without the check. */
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>> {
    const { store, stackId } = this.#ledger
    return store.read(stackId, query)
  }

  async witnessed(): Promise<Witnessed> {
    return (await this.#ledger.store.witnessed?.()) ?? NO_WITNESS
  }

  /** True if every witnessed or signed entry is present. */
  async isWhole(): Promise<boolean> {
    try {
      await this.assertWhole()
      return true
    } catch (cause) {
      if (cause instanceof MunimentError && cause.code === 'data_loss') return false
      throw cause
    }
  }

  async assertWhole(): Promise<void> {
    const state = this.#fileState()
    if (this.#wholeState !== state) this.#isWhole = false
    const seen = await this.witnessed() // read before the head, which only grows
    const { tip, stack } = await this.read({ type: 'standing' })
    if (seen.seq > tip.head.seq) throw entriesLost(seen.seq, tip.head.seq)
    if (await isReplaced(this, seen)) throw entryReplaced(seen.seq)
    await this.assertSigned({ stack, head: tip.head })
    if (stack.uid === null) return
    this.#isWhole = true
    this.#wholeState = state
  }

  #fileState(): string | undefined {
    return this.#ledger.store.fileState?.()
  }

  /** Stops a write to a ledger that ends before a signed head. */
  async assertSigned({ stack, head }: Standing): Promise<void> {
    const { shelf, stackId } = this.#ledger
    if (this.#isWhole || shelf === undefined) return
    const origin = stack.uid === null ? null : originOf(stack.uid, stackId)
    const signed = await lastHead(shelf, origin)
    if (lossAgainst(signed, { stackId, uid: stack.uid, seq: head.seq }) === null) return
    // Another process may have written and signed meanwhile: the ledger is read once more.
    const now = await this.read({ type: 'standing' })
    const loss = lossAgainst(signed, { stackId, uid: now.stack.uid, seq: now.tip.head.seq })
    if (loss !== null) throw loss
  }
}

interface Standing {
  readonly stack: Pick<StackState, 'uid'>
  readonly head: Pick<Head, 'seq'>
}

const entriesLost = (head: number, last: number): MunimentError =>
  last < 0 ? allLost(head) : someLost(head, last)

const allLost = (head: number): MunimentError =>
  new MunimentError(
    'data_loss',
    'The file of this stack is empty, and entries were written to it.',
    {
      hint: 'Nothing is read or written here. Restore a backup: muniment stack restore <copy> --replace. To begin a new stack instead, first remove the empty file, and the file that ends in -head.',
      facts: { head, last: -1 },
    },
  )

const someLost = (head: number, last: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entries are missing: entry ${head} was written, and the ledger ends at entry ${last}. An older copy was put in its place, or entries were lost.`,
    {
      hint: 'Nothing is read or written here. Put the newer file back, or restore a copy on purpose: muniment stack restore <copy> --replace. To go on with what is left, first move the file that ends in -head away.',
      facts: { head, last },
    },
  )

const entryReplaced = (seq: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entry ${seq} is not the one that was written: an older copy was put in the place of the stack, and written on.`,
    {
      hint: 'Nothing is read or written here. Put the right file back, or restore a copy on purpose: muniment stack restore <copy> --replace. To go on with what is there, first move the file that ends in -head away.',
      facts: { head: seq },
    },
  )

type Signed = Pick<CheckpointShelf, 'all' | 'isShared'>

/**
 * The last head signed here, of any log; on a shared shelf, the last head of this log. A malformed
 * line does not hide the heads before.
 */
export async function lastHead(shelf: Signed, origin: string | null): Promise<Checkpoint | null> {
  const notes = await shelf.all()
  for (const note of notes.toReversed()) {
    const head = parseCheckpoint(parseNote(note)?.text ?? '')
    if (head && (!shelf.isShared || head.origin === origin)) return head
  }
  return null
}

/** The identity and the last entry of a stored ledger. */
interface StoredLedger {
  readonly stackId: string
  readonly uid: string | null
  readonly seq: number
}

/**
 * The error for a ledger that ends before a head signed here; null where no entry is missing. A
 * lost ledger is never repaired or overwritten, because a write would hide the loss
 * (LEDGER-DETECT).
 */
function lossAgainst(
  signed: Checkpoint | null,
  { stackId, uid, seq }: StoredLedger,
): MunimentError | null {
  if (signed === null || signed.size === 0) return null
  if (uid === null) return nothingLeft(signed.size)
  const isLonger = signed.origin === originOf(uid, stackId) && signed.size > seq + 1
  return isLonger ? olderCopy(signed.size, seq + 1) : null
}

const nothingLeft = (signed: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `There is nothing here any more: the last head signed here is of ${signed} entries.`,
    {
      hint: 'Bring it back from a copy: muniment stack restore <copy> --replace. To begin anew, first move the signed heads away, in the file that ends in .checkpoints.',
      facts: { signed },
    },
  )

const olderCopy = (signed: number, found: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `Entries are missing: a head of ${signed} entries was signed here, and the ledger has ${found}. An older copy was put in its place, or entries were lost.`,
    {
      hint: 'Nothing is read or written here. Put the newer file back, or restore the older copy on purpose: muniment stack restore <copy> --replace. Restoring sets the later heads aside.',
      facts: { signed, found },
    },
  )

export interface SigningRule {
  /** Sign after this number of entries since the last head; 0 is never. */
  readonly every: number
  /** Sign when a process that wrote closes the stack. */
  readonly onClose: boolean
}

export const NEVER_UNASKED: SigningRule = { every: 0, onClose: false }
export const USUALLY: SigningRule = { every: 1_000, onClose: true }

/**
 * Signs heads as the ledger grows. A failed signature never fails a write: the next head covers the
 * entries, and `failure` keeps the reason until then.
 */
export class UnaskedSigning {
  readonly #rule: SigningRule
  readonly #sign: () => Promise<number>
  readonly #lastSize: () => Promise<number>
  #signed: number | null = null
  #hasGrown = false
  #size = 0
  #working: Promise<void> | null = null
  failure: unknown = null

  constructor(
    rule: SigningRule,
    how: {
      /** Signs the present head and returns its size. */
      readonly sign: () => Promise<number>
      readonly lastSize: () => Promise<number>
    },
  ) {
    this.#rule = rule
    this.#sign = how.sign
    this.#lastSize = how.lastSize
  }

  /** Called after a commit with the new length of the ledger. */
  grown(size: number): void {
    this.#hasGrown = true
    this.#size = size
    if (this.#rule.every === 0 || this.#working !== null) return
    if (this.#signed !== null && size - this.#signed < this.#rule.every) return
    this.#working = this.#whileDue().finally(() => {
      this.#working = null
    })
  }

  /** Repeats, because the ledger may grow past the next due head meanwhile. */
  async #whileDue(): Promise<void> {
    try {
      this.#signed ??= await this.#lastSize()
      while (this.#size - this.#signed >= this.#rule.every) this.#signed = await this.#sign()
      this.failure = null
    } catch (cause) {
      this.failure = cause
    }
  }

  /** Before the stack closes: waits for a running signature, and signs the last head. */
  async close(): Promise<void> {
    await this.#working
    if (!this.#rule.onClose || !this.#hasGrown) return
    try {
      this.#signed = await this.#sign()
    } catch (cause) {
      this.failure = cause
    }
  }
}
