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
export function isAt(bytes: Uint8Array, at: number, text: string): boolean {
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
export interface EntryBytes {
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
export class LinkFinder {
  readonly #seq = new Seeker(SEQ, AFTER_SEQ_MIN)
  readonly #prev = new Seeker(PREV, AFTER_PREV_MIN)

  isPlaced(entry: EntryBytes, seq: number): boolean {
    return isPlacedAt(entry, this.#seq.placeIn(entry, entry.end), seq)
  }

  isLinked(entry: EntryBytes, prevHash: string): boolean {
    return this.#isLinkedBefore(entry, this.#seq.placeIn(entry, entry.end), prevHash)
  }

  /** Checks position and link with one search for the position. */
  isChained(entry: EntryBytes, seq: number, prevHash: string): boolean {
    const at = this.#seq.placeIn(entry, entry.end)
    return isPlacedAt(entry, at, seq) && this.#isLinkedBefore(entry, at, prevHash)
  }

  #isLinkedBefore(entry: EntryBytes, end: number, prevHash: string): boolean {
    const at = this.#prev.placeIn(entry, end)
    return at >= 0 && isAt(entry.bytes, at + PREV.length, prevHash)
  }
}

const isPlacedAt = ({ bytes }: EntryBytes, at: number, seq: number): boolean =>
  at >= 0 && isNumberAt(bytes, at + SEQ.length, seq)

/** Start of the commitment's value, or -1. Only the actor, null or a hash, stands before. */
export function commitmentAt({ bytes, start }: EntryBytes): number {
  if (!isAt(bytes, start, ACTOR)) return -1
  const actor = start + ACTOR.length
  const at = actor + (isAt(bytes, actor, 'null') ? 4 : HASH_CHARS + 2)
  return isAt(bytes, at, COMMITMENT) ? at + COMMITMENT.length : -1
}
