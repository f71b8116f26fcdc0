import type { Hash } from '../../domain/ids.ts'
import { appendLeaf, emptyFrontier, type Frontier, leafHash, rootOf } from '../merkle.ts'
import { utf8 } from '../sha256.ts'
import { sha256 } from './portable.ts'
import { entryIn, isText } from './proved-entry.ts'

/** An entry as it is handed out: the text that was hashed, and the hash that is said to be its own. */
export interface LedgerLine {
  readonly seq: number
  readonly hash: string
  readonly entry: string
}

/** A head that somebody holds: so many entries had this root. */
export interface Waymark {
  readonly size: number
  readonly root: string
}

/** The first thing that is not so. */
export interface LedgerFault {
  readonly seq: number
  readonly code:
    | 'entry.unreadable' // not an entry, or not in its one canonical form
    | 'entry.misplaced' // not the entry that comes next
    | 'hash.mismatch' // the text does not have the hash it is said to have
    | 'chain.broken' // it does not name the entry before it
    | 'root.mismatch' // up to here the log is not the one that a held head is of
}

const ZERO = '0'.repeat(64)

/** The hash that an entry of this text has in the chain and in the tree. */
export const hashOfEntry = (text: string): Hash => leafHash(sha256, utf8(text))

/**
 * Walks a whole ledger from its first entry, page by page, with no store, clock or network, and works
 * out its root. Held against heads that were kept, it catches a log that was rewritten from end to end.
 */
export class LedgerWalk {
  readonly #marks: ReadonlyMap<number, string>
  #frontier: Frontier = emptyFrontier
  #last: string = ZERO

  constructor(marks: readonly Waymark[] = []) {
    this.#marks = new Map(marks.map(({ size, root }) => [size, root]))
  }

  /** How many entries were walked. */
  get size(): number {
    return this.#frontier.size
  }

  /** The hash of the last entry that was walked. */
  get hash(): string {
    return this.#last
  }

  get root(): Hash {
    return rootOf(sha256, this.#frontier)
  }

  /** Takes the entries that come next; stops at the first that is not so. */
  take(lines: readonly LedgerLine[]): LedgerFault | null {
    for (const line of lines) {
      const fault = this.#step(line)
      if (fault !== null) return { seq: this.size, code: fault }
    }
    return null
  }

  #step(line: LedgerLine): LedgerFault['code'] | null {
    const { seq, hash, entry: text } = { ...line } // a page comes from somebody else
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
