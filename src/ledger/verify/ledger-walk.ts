import type { Hash } from '../../domain/ids.ts'
import { CHAIN_START, type ChainEnd, followChain } from '../ledger.ts'
import { leafHash, rootOf } from '../merkle.ts'
import { utf8 } from '../sha256.ts'
import { isText, sha256 } from './receipt.ts'

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

/** The hash of an entry of this text, in the chain and in the tree. */
export const hashOfEntry = (text: string): Hash => leafHash(sha256, utf8(text))

/**
 * Walks a whole ledger from its first entry, page by page, with no store, clock or network, and
 * computes the root. Compared with kept heads, the walk catches a ledger that was rewritten from
 * end to end.
 */
export class LedgerWalk {
  readonly #marks: ReadonlyMap<number, string>
  #end: ChainEnd = CHAIN_START

  constructor(marks: readonly Waymark[] = []) {
    this.#marks = new Map(marks.map(({ size, root }) => [size, root]))
  }

  /** The number of walked entries. */
  get size(): number {
    return this.#end.tree.size
  }

  /** The hash of the last walked entry. */
  get hash(): string {
    return this.#end.last
  }

  get root(): Hash {
    return rootOf(sha256, this.#end.tree)
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
    if (!isText(text)) return 'entry.unreadable'
    const step = followChain(sha256, this.#end, { seq: this.size, bytes: utf8(text) })
    if (step.entry === null) return 'entry.unreadable'
    if (!step.isPlaced || seq !== this.size) return 'entry.misplaced'
    if (step.hash !== hash) return 'hash.mismatch'
    if (!step.isLinked) return 'chain.broken'
    const { tree } = step.end
    const held = this.#marks.get(tree.size)
    if (held !== undefined && held !== rootOf(sha256, tree)) return 'root.mismatch'
    this.#end = step.end
    return null
  }
}
