import { hasGivenWay, KEPT_OUT } from '../../domain/claims.ts'
import type { Hash } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { LineRows } from '../sql/claims.ts'

const CLAIMS_KNOWN_MAX = 8_192 // about 20 MB
const CLAIM_UNITS = 2_500 // units of words that weigh as much as a claim
const IDLE_MS = 10_000 // after the last question to them
const LINE_CLAIMS_MIN = 64 // shorter lines are read as quickly as they are looked up

/** The standing claims of a single-valued timeline by birth, with the claim that sets its kind. */
interface KnownStates {
  readonly states: ReadonlyMap<number, MemoryState>
  readonly tellers: ReadonlySet<number>
}

/**
 * A cache of long timelines, valid while no other process writes: a claim on a timeline of a
 * thousand is compared with all of them, and reading costs most of the write. Every lookup names
 * its head; at another head the cache is empty. The cache never changes an answer and expires when
 * idle, because another process may erase memories that an idle cache still holds.
 */
export class KnownLines {
  readonly #lineMin: number
  #head: Head | null = null
  #rows = new Map<Hash, LineRows>()
  #states = new Map<Hash, KnownStates>()
  #idle: NodeJS.Timeout | null = null

  constructor(lineMin = LINE_CLAIMS_MIN) {
    this.#lineMin = lineMin
  }

  isWorth(claims: number): boolean {
    return claims >= this.#lineMin && claims <= CLAIMS_KNOWN_MAX
  }

  /** Asked before the head is, which small lines need not know. */
  hasRows(line: Hash): boolean {
    return this.#rows.has(line)
  }

  rowsOf(line: Hash, head: Head): LineRows | undefined {
    this.#standAt(head)
    return this.#rows.get(line)
  }

  statesOf(line: Hash, head: Head): KnownStates | undefined {
    this.#standAt(head)
    return this.#states.get(line)
  }

  keepRows(line: Hash, head: Head, rows: LineRows): void {
    this.#standAt(head)
    keep(this.#rows, line, rows, weightOf)
    this.#wake()
  }

  keepStates(line: Hash, head: Head, known: KnownStates): void {
    this.#standAt(head)
    keep(this.#states, line, known, sizeOf)
    this.#wake()
  }

  /** Rows committed by this process need not be read again. */
  committed(batch: Batch, expected: Head): void {
    if (this.#head === null || !isSameHead(this.#head, expected) || batch.erased) {
      this.clear()
      return
    }
    this.#head = batch.tip.head
    for (const memory of batch.memories) {
      if (memory.kind !== 'claim') continue
      if (memory.seq <= expected.seq) this.#changed(memory)
      else if (memory.line !== null) this.#born(memory, memory.line)
    }
  }

  clear(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = null
    this.#head = null
    this.#rows.clear()
    this.#states.clear()
  }

  #standAt(head: Head): void {
    if (this.#head === null || !isSameHead(this.#head, head)) this.clear()
    this.#head = head
    this.#idle?.refresh()
  }

  /** Keeps nobody's process alive. */
  #wake(): void {
    this.#idle ??= setTimeout(() => this.clear(), IDLE_MS).unref()
  }

  #born(memory: MemoryState, line: Hash): void {
    this.#rows.delete(line)
    const known = this.#states.get(line)
    if (!known) return
    const tells = [...known.tellers].flatMap((seq) => known.states.get(seq) ?? [])
    // The first first-hand claim keeps setting the kind; until there is such a claim, the next may.
    const isTold = tells.some(({ facets, label }) => {
      return facets.subtype !== 'Unknown' && isFirstHand(label)
    })
    if (!isTold) this.#states.delete(line)
    // A claim that gave way within its own group never stood.
    else if (!hasGivenWay(memory)) this.#put(line, known, memory)
  }

  /** A changed claim may start or stop standing; the claim that sets the kind is read anew. */
  #changed(memory: MemoryState): void {
    for (const [line, { claims }] of this.#rows) {
      if (line === memory.line || claims.some(({ state }) => state.ref === memory.ref)) {
        this.#rows.delete(line)
      }
    }
    for (const [line, known] of [...this.#states]) {
      const before = known.states.get(memory.seq)
      if (before === undefined && line !== memory.line) continue
      if (before === undefined || !isOfSameUse(before, memory)) this.#states.delete(line)
      else if (!hasGivenWay(memory)) this.#put(line, known, memory)
      else if (!known.tellers.has(memory.seq)) this.#drop(line, known, memory.seq)
      else this.#put(line, known, memory)
    }
  }

  #put(line: Hash, known: KnownStates, memory: MemoryState): void {
    const states = known.states as Map<number, MemoryState> // made here, and lent for reading alone
    states.set(memory.seq, memory)
    if (this.isWorth(states.size)) keep(this.#states, line, known, sizeOf)
    else this.#states.delete(line)
  }

  #drop(line: Hash, known: KnownStates, seq: number): void {
    const states = known.states as Map<number, MemoryState> // the same
    states.delete(seq)
    if (!this.isWorth(states.size)) this.#states.delete(line)
  }
}

/** True when the claim's use for its timeline is unchanged. */
const isOfSameUse = (before: MemoryState, after: MemoryState): boolean =>
  before.line === after.line &&
  before.label === after.label &&
  before.facets.subtype === after.facets.subtype &&
  !KEPT_OUT.includes(before.disposition) &&
  !KEPT_OUT.includes(after.disposition)

const sizeOf = ({ states }: KnownStates): number => states.size

/** Long values weigh as many short ones. */
const weightOf = ({ claims }: LineRows): number =>
  claims.reduce((sum, { sealed }) => sum + 1 + Math.floor((sealed?.length ?? 0) / CLAIM_UNITS), 0)

/** Keeps the total within bounds; evicts the oldest entry first. */
function keep<Known>(
  all: Map<Hash, Known>,
  line: Hash,
  known: Known,
  weigh: (known: Known) => number,
): void {
  all.delete(line)
  all.set(line, known)
  let claims = 0
  for (const each of all.values()) claims += weigh(each)
  for (const [other, each] of all) {
    if (claims <= CLAIMS_KNOWN_MAX) return
    all.delete(other)
    claims -= weigh(each)
  }
}
