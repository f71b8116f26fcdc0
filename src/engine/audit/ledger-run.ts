import type { Hash } from '../../domain/ids.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { LedgerRun, Preimages } from '../../ports/store.ts'

// Reads entries as bytes: decoding every entry to text would cost as much as hashing.

const HASH_CHARS = 64
const ACTOR = '{"actor":'
const COMMITMENT = ',"commitment":'
const PREV = ',"prevHash":"'
const SEQ = ',"seq":'
const STACK = ',"stack":'

// Least number of characters from a member to the end: a search backwards skips them.
const AFTER_SEQ_MIN = `${SEQ}0,"stack":"?","tier":0,"time":"","unit":0,"v":1}`.length
const AFTER_PREV_MIN = `${PREV}","ref":null,"replica":"","revision":1`.length + HASH_CHARS

/** True if an ASCII text stands in the bytes at a position. */
function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

const ZERO = 48

/** True if a number in its canonical spelling stands at a position, followed by the stack. */
function isNumberAt(bytes: Uint8Array, start: number, number: number): boolean {
  let at = start
  let read = 0
  for (; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    read = read * 10 + digit
  }
  const isSpelled = at === start + 1 || (at > start && bytes[start] !== ZERO)
  return isSpelled && read === number && isAt(bytes, at, STACK)
}

/** The bytes of one entry within a larger buffer, from `start` up to `end`. */
interface EntryBytes {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Finds a member from the end, first at the last two offsets, because most entries look alike. */
class Seeker {
  readonly #member: string
  readonly #backMin: number
  #back: number
  #backBefore: number

  constructor(member: string, backMin: number) {
    this.#member = member
    this.#backMin = backMin
    this.#back = backMin
    this.#backBefore = backMin
  }

  /** The last position of the member before `end`, or -1. */
  placeIn({ bytes, start }: EntryBytes, end: number): number {
    const likely = end - this.#back
    if (likely >= start && isAt(bytes, likely, this.#member)) return likely
    const next = end - this.#backBefore
    if (next >= start && isAt(bytes, next, this.#member)) return next
    for (let at = end - this.#backMin; at >= start; at -= 1) {
      if (!isAt(bytes, at, this.#member)) continue
      this.#backBefore = this.#back
      this.#back = end - at
      return at
    }
    return -1
  }
}

/** Finds the position and the previous hash in the bytes of an entry. */
class LinkFinder {
  readonly #seq = new Seeker(SEQ, AFTER_SEQ_MIN)
  readonly #prev = new Seeker(PREV, AFTER_PREV_MIN)

  /** Position and link, with one search for both. */
  linkOf(
    entry: EntryBytes,
    seq: number,
    prevHash: string,
  ): Pick<ByteLink, 'isPlaced' | 'isLinked'> {
    const { bytes, end } = entry
    const place = this.#seq.placeIn(entry, end)
    const link = this.#prev.placeIn(entry, place)
    return {
      isPlaced: place >= 0 && isNumberAt(bytes, place + SEQ.length, seq),
      isLinked: link >= 0 && isAt(bytes, link + PREV.length, prevHash),
    }
  }

  /** True where `linkOf` finds both; runs need no object for each entry. */
  isChained(entry: EntryBytes, seq: number, prevHash: string): boolean {
    const { bytes, end } = entry
    const place = this.#seq.placeIn(entry, end)
    if (place < 0 || !isNumberAt(bytes, place + SEQ.length, seq)) return false
    const link = this.#prev.placeIn(entry, place)
    return link >= 0 && isAt(bytes, link + PREV.length, prevHash)
  }
}

/** The place and the commitment of one entry, read from its bytes. */
export interface ByteLink {
  readonly isPlaced: boolean
  readonly isLinked: boolean
  /** Null where nothing is sealed; undefined for bytes without the member. */
  readonly commitment: string | null | undefined
}

/** Start of the commitment's value, or -1. Only the actor, null or a hash, stands before. */
function commitmentAt({ bytes, start }: EntryBytes): number {
  if (!isAt(bytes, start, ACTOR)) return -1
  const actor = start + ACTOR.length
  const at = actor + (isAt(bytes, actor, 'null') ? 4 : HASH_CHARS + 2)
  return isAt(bytes, at, COMMITMENT) ? at + COMMITMENT.length : -1
}

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

  /** The link of one entry, by the code that checks a run: a run and its entries agree. */
  linkOf(bytes: Uint8Array, seq: number, prevHash: Hash): ByteLink {
    const entry = { bytes, start: 0, end: bytes.length }
    const at = commitmentAt(entry)
    const hex = bytes.subarray(at + 1, at + 1 + HASH_CHARS)
    const commitment = isAt(bytes, at, 'null') ? null : String.fromCharCode(...hex)
    const link = this.#finder.linkOf(entry, seq, prevHash)
    return { ...link, commitment: at < 0 ? undefined : commitment }
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
