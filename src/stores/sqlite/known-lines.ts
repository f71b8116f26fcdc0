import { hasGivenWay, KEPT_OUT } from '../../domain/claim-state.ts'
import { isSameHead } from '../../domain/continues.ts'
import type { Hash } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Batch, Head } from '../../domain/waist.ts'
import type { LineRows } from '../sql/lines.ts'

const CLAIMS_KNOWN_MAX = 8_192 // about 20 MB
const CLAIM_UNITS = 2_500 // of words that count as one more claim
const IDLE_MS = 10_000 // after the last question to them
const LINE_CLAIMS_MIN = 64 // shorter lines are read as quickly as they are looked up

/** What stands on a line of one value at a time, by birth, and what tells its kind. */
interface KnownStates {
  readonly states: ReadonlyMap<number, MemoryState>
  readonly tellers: ReadonlySet<number>
}

/**
 * Long lines as this process last met them, for as long as nobody else writes: a claim on a line of
 * a thousand is weighed against all of them, and reading them anew costs more than the rest of it.
 * Whatever is asked is asked with the head that the rows are read at; at another head nothing is
 * known. Forgetting any of it changes no answer, so that all of it goes when nobody has asked for a
 * while: another process may have erased what an idle one still holds.
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

  /** What this process committed itself need not be read again. */
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
    // Who told it first-hand goes on telling; until somebody did, the next one may.
    const isTold = tells.some(({ facets, label }) => {
      return facets.subtype !== 'Unknown' && isFirstHand(label)
    })
    if (!isTold) this.#states.delete(line)
    // One that gave way within its own group never stood.
    else if (!hasGivenWay(memory)) this.#put(line, known, memory)
  }

  /** Another word on a claim moves it in and out of what stands; what tells a line's kind is read anew. */
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

/** Whether it tells of its line what it told before. */
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

/** All of them together stay within bounds; the one kept longest ago goes first. */
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
