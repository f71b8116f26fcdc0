import type { Hash } from '../../domain/ids.ts'
import { appendLeaf, emptyFrontier, type Frontier, leafHash, rootOf } from '../merkle.ts'
import { utf8 } from '../sha256.ts'
import { sha256 } from './portable.ts'
import { entryIn, isText } from './receipt.ts'

/** An entry as exported: the hashed text, and the hash claimed for the text. */
export interface LedgerLine {
  readonly seq: number
  readonly hash: string
  readonly entry: string
}

/** A head kept by the checker: the root of the first `size` entries. */
export interface Waymark {
  readonly size: number
  readonly root: string
}

/** The first fault of a ledger. */
export interface LedgerFault {
  readonly seq: number
  readonly code:
    | 'entry.unreadable' // not an entry, or not in canonical form
    | 'entry.misplaced' // not the next entry of the ledger
    | 'hash.mismatch' // the text does not have the claimed hash
    | 'chain.broken' // the entry does not name its predecessor
    | 'root.mismatch' // the ledger does not match a kept head
}

const ZERO = '0'.repeat(64)

/** The hash of an entry of this text, in the chain and in the tree. */
export const hashOfEntry = (text: string): Hash => leafHash(sha256, utf8(text))

/**
 * Walks a whole ledger from its first entry, page by page, with no store, clock or network, and
 * computes the root. Compared with kept heads, the walk catches a ledger that was rewritten from
 * end to end.
 */
export class LedgerWalk {
  readonly #marks: ReadonlyMap<number, string>
  #frontier: Frontier = emptyFrontier
  #last: string = ZERO

  constructor(marks: readonly Waymark[] = []) {
    this.#marks = new Map(marks.map(({ size, root }) => [size, root]))
  }

  /** The number of walked entries. */
  get size(): number {
    return this.#frontier.size
  }

  /** The hash of the last walked entry. */
  get hash(): string {
    return this.#last
  }

  get root(): Hash {
    return rootOf(sha256, this.#frontier)
  }

  /** Takes the next entries; stops at the first fault. */
  take(lines: readonly LedgerLine[]): LedgerFault | null {
    for (const line of lines) {
      const fault = this.#step(line)
      if (fault !== null) return { seq: this.size, code: fault }
    }
    return null
  }

  #step(line: LedgerLine): LedgerFault['code'] | null {
    const { seq, hash, entry: text } = { ...line } // a page comes from outside
    const entry = isText(text) ? entryIn(text) : null
    if (entry === null) return 'entry.unreadable'
    if (entry.seq !== this.size || seq !== this.size) return 'entry.misplaced'
    const leaf = hashOfEntry(text)
    if (leaf !== hash) return 'hash.mismatch'
    if (entry.prevHash !== this.#last) return 'chain.broken'
    const grown = appendLeaf(sha256, this.#frontier, leaf)
    const held = this.#marks.get(grown.size)
    if (held !== undefined && held !== rootOf(sha256, grown)) return 'root.mismatch'
    this.#frontier = grown
    this.#last = leaf
    return null
  }
}
