import type { Hash } from '../domain/ids.ts'
import { LEAF_TAG } from '../hash/merkle.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { LedgerRun, Preimages } from '../ports/store.ts'
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
    return prevHashes === [place.prevHash, ...leaves.slice(0, -1)].join() ? leaves : null
  }

  #leaves(entries: Preimages, sealed: Preimages, { from, prevHash }: Place): Hash[] | null {
    const { bytes, lengths } = entries
    const nextSeal = sealsIn(sealed)
    const leaves: Hash[] = []
    let last = prevHash
    let start = 0
    for (let index = 0; index < lengths.length; index += 1) {
      const end = start + (lengths[index] ?? 0)
      const entry = { bytes, start: start + LEAF_TAG.length, end }
      const seq = from + index
      if (!this.#finder.isPlaced(entry, seq) || !this.#finder.isLinked(entry, last)) return null
      if (!this.#isCommitted(entry, nextSeal(seq))) return null
      last = this.#sha256(bytes.subarray(start, end))
      leaves.push(last)
      start = end
    }
    return nextSeal(null) === null ? leaves : null
  }

  #isCommitted(entry: EntryBytes, seal: Uint8Array | null): boolean {
    const { bytes } = entry
    const at = commitmentAt(entry)
    if (at < 0) return false
    if (isAt(bytes, at, 'null')) return seal === null
    return seal !== null && isAt(bytes, at + 1, this.#sha256(seal))
  }
}

const isFilled = ({ seqs }: Preimages, { from, to }: Place): boolean =>
  seqs.length === to - from + 1 && seqs.every((seq, index) => seq === from + index)

/** Whether the lengths are those of all the bytes, no more and no fewer. */
const isWhole = ({ seqs, lengths, bytes }: Preimages): boolean =>
  seqs.length === lengths.length &&
  lengths.reduce((sum, length) => sum + length, 0) === bytes.length

/** Gives what is sealed under a position; asked in their order, and at the end for what is left. */
function sealsIn({ seqs, lengths, bytes }: Preimages): (seq: number | null) => Uint8Array | null {
  let next = 0
  let end = 0
  return (seq) => {
    if (next === seqs.length || (seq !== null && seqs[next] !== seq)) return null
    const start = end
    end += lengths[next] ?? 0
    next += 1
    return bytes.subarray(start, end)
  }
}
