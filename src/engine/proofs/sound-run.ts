import type { Hash } from '../../domain/ids.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { LedgerRun, Preimages } from '../../ports/store.ts'
import { commitmentAt, type EntryBytes, isAt, LinkFinder } from './entry-bytes.ts'

/** The expected positions of a run, and the previous hash of its first entry. */
interface Place {
  readonly from: number
  readonly to: number
  readonly prevHash: Hash
}

/** Checks many entries at once without building rows; after a failure the caller checks each. */
export class RunChecker {
  readonly #sha256: Sha256
  readonly #finder = new LinkFinder()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** The hashes of all entries of a sound run; null for any fault. */
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
    const entry = { bytes, start: 0, end: 0 } // one object for all entries: one for each costs a tenth of the time
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

/** The previous hashes must be the hashes shifted by one. */
const isShifted = (hashes: string, prevHashes: string, first: Hash): boolean =>
  prevHashes === `${first},${hashes}`.slice(0, hashes.length)

const isFilled = ({ seqs }: Preimages, { from, to }: Place): boolean =>
  seqs.length === to - from + 1 && seqs.every((seq, index) => seq === from + index)

/** The lengths must add up to the number of bytes. */
const isWhole = ({ seqs, lengths, bytes }: Preimages): boolean =>
  seqs.length === lengths.length &&
  lengths.reduce((sum, length) => sum + length, 0) === bytes.length

/** Sealed content, read in ledger order. */
class Seals {
  readonly #sealed: Preimages
  #next = 0
  #end = 0

  constructor(sealed: Preimages) {
    this.#sealed = sealed
  }

  /** False when content is left over, which then belongs to no entry. */
  get isDone(): boolean {
    return this.#next === this.#sealed.seqs.length
  }

  /** The sealed content of a position, or null. */
  next(seq: number): Uint8Array | null {
    const { seqs, lengths, bytes } = this.#sealed
    if (seqs[this.#next] !== seq) return null
    const start = this.#end
    this.#end += lengths[this.#next] ?? 0
    this.#next += 1
    return bytes.subarray(start, this.#end)
  }
}
