import type { Hash } from '../../domain/ids.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { LedgerRun, Preimages } from '../../ports/store.ts'
import { commitmentAt, type EntryBytes, isAt, LinkFinder } from './entry-bytes.ts'

/** The positions that a run shall fill, and the hash that its first entry shall name. */
interface Place {
  readonly from: number
  readonly to: number
  readonly prevHash: Hash
}

/**
 * Tells whether a run of the ledger is sound, many entries at a time and without a row for any.
 * Where one is not, it says no more than that: rows are looked at then, one by one.
 */
export class RunChecker {
  readonly #sha256: Sha256
  readonly #finder = new LinkFinder()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** The hash of every entry when the run is sound, null when anything is amiss. */
  leavesOf({ entries, hashes, prevHashes, sealed }: LedgerRun, place: Place): Hash[] | null {
    if (!isFilled(entries, place) || !isWhole(entries) || !isWhole(sealed)) return null
    const leaves = this.#leaves(entries, sealed, place)
    if (leaves === null || hashes !== leaves.join()) return null
    return isShifted(hashes, prevHashes, place.prevHash) ? leaves : null
  }

  #leaves(entries: Preimages, sealed: Preimages, { from, prevHash }: Place): Hash[] | null {
    const { bytes, lengths } = entries
    const seals = new Seals(sealed)
    const leaves: Hash[] = []
    const entry = { bytes, start: 0, end: 0 } // one for all: making one for each is a tenth of it
    let last = prevHash
    for (let index = 0; index < lengths.length; index += 1) {
      const start = entry.end
      entry.start = start + LEAF_TAG.length
      entry.end = start + (lengths[index] ?? 0)
      const seq = from + index
      if (!this.#finder.isChained(entry, seq, last)) return null
      if (!this.#isCommitted(entry, seals.next(seq))) return null
      last = this.#sha256(bytes.subarray(start, entry.end))
      leaves.push(last)
    }
    return seals.isDone ? leaves : null
  }

  #isCommitted(entry: EntryBytes, seal: Uint8Array | null): boolean {
    const { bytes } = entry
    const at = commitmentAt(entry)
    if (at < 0) return false
    if (isAt(bytes, at, 'null')) return seal === null
    return seal !== null && isAt(bytes, at + 1, this.#sha256(seal))
  }
}

/** Whether each entry is said to follow the hash before it: the same list, one place later. */
const isShifted = (hashes: string, prevHashes: string, first: Hash): boolean =>
  prevHashes === `${first},${hashes}`.slice(0, hashes.length)

const isFilled = ({ seqs }: Preimages, { from, to }: Place): boolean =>
  seqs.length === to - from + 1 && seqs.every((seq, index) => seq === from + index)

/** Whether the lengths are those of all the bytes, no more and no fewer. */
const isWhole = ({ seqs, lengths, bytes }: Preimages): boolean =>
  seqs.length === lengths.length &&
  lengths.reduce((sum, length) => sum + length, 0) === bytes.length

/** What is sealed, asked for in the order of positions. */
class Seals {
  readonly #sealed: Preimages
  #next = 0
  #end = 0

  constructor(sealed: Preimages) {
    this.#sealed = sealed
  }

  /** Whether everything was asked for: what is left over belongs to no entry. */
  get isDone(): boolean {
    return this.#next === this.#sealed.seqs.length
  }

  /** What is sealed under a position, or null. */
  next(seq: number): Uint8Array | null {
    const { seqs, lengths, bytes } = this.#sealed
    if (seqs[this.#next] !== seq) return null
    const start = this.#end
    this.#end += lengths[this.#next] ?? 0
    this.#next += 1
    return bytes.subarray(start, this.#end)
  }
}
