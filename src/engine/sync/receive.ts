import { lowerTier, type Tier } from '../../domain/doors.ts'
import type { SealedRow } from '../../domain/entry.ts'
import { ERASE_BASES, type EraseBasis } from '../../domain/erasure.ts'
import type { Ref } from '../../domain/ids.ts'
import { splitRef } from '../../domain/ids.ts'
import { parseBody } from '../../domain/kinds/table.ts'
import { CLOCK_LIMITS } from '../../domain/limits.ts'
import { bringsWords, isOfOneUnit, type Received } from '../../domain/received.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Instant, toMs } from '../../domain/time.ts'
import type { ReceivedItem } from '../../domain/write.ts'
import { countedTier } from '../../fold/effective.ts'
import { isSamePlace, placeOf } from '../../fold/merged-order.ts'
import type { ReceivedHistory } from '../../gate/commands/receive.ts'
import { bodyTextIn, commitmentOf, SALT_BYTES } from '../../ledger/ledger.ts'
import { readNote, readSealed } from '../audit/content.ts'
import { stepsAbout } from '../read/merged-steps.ts'
import type { SyncParts } from './feed.ts'

/** A verified entry of a feed, with its words where the feed still has them. */
export interface Arriving extends Received {
  readonly feed: string
  readonly isPaired: boolean
  readonly seal: Pick<SealedRow, 'salt' | 'bytes'> | null
}

export interface Entered {
  readonly pulled: number
  readonly conflicts: number
  readonly errors: readonly string[]
  /** Entries that wait, by feed. */
  readonly waiting: ReadonlyMap<string, readonly number[]>
}

const AT_ONCE = 512 // entries in one commit
const TRIES_MAX = 5 // a caller that keeps changing the memory wins
const TIER_OF_UNKNOWN: Tier = 1
/** An entry far ahead of the local clock waits, so that the entry stops no write. */
const AHEAD_MS_MAX = CLOCK_LIMITS.clockBehindMsMax / 2

const byOrigin = (a: Arriving, b: Arriving): number =>
  compare(a.entry.time, b.entry.time) ||
  compare(a.entry.replica, b.entry.replica) ||
  a.entry.seq - b.entry.seq

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Enters entries with known sources, sources first; the rest waits for the next round. */
export async function enterAll(
  parts: SyncParts,
  arriving: readonly Arriving[],
  bounds: Bounds,
): Promise<Entered> {
  const entering = new Entering(parts, bounds)
  let left: readonly Arriving[] = onceEach(arriving).sort(byOrigin)
  for (;;) {
    const waiting: Arriving[] = []
    for (let from = 0; from < left.length; ) {
      const to = endOfBatch(left, from)
      waiting.push(...(await entering.enter(left.slice(from, to))))
      from = to
    }
    if (waiting.length === left.length) break
    left = waiting
  }
  const { errors, ...counts } = entering.counts
  return { ...counts, errors: [...errors], waiting: byFeed(left) }
}

/** A batch ends with a unit, because a unit is entered whole. */
function endOfBatch(all: readonly Arriving[], from: number): number {
  let to = Math.min(from + AT_ONCE, all.length)
  for (; to < all.length; to += 1) {
    const [last, next] = [all[to - 1], all[to]]
    if (!last || !next || !isOfOneUnit(last.entry, next.entry)) break
  }
  return to
}

/** A copied stack publishes entries of the original too. */
const onceEach = (arriving: readonly Arriving[]): Arriving[] => [
  ...new Map(arriving.map((each) => [`${each.entry.replica} ${each.entry.seq}`, each])).values(),
]

function byFeed(left: readonly Arriving[]): ReadonlyMap<string, readonly number[]> {
  const waiting = new Map<string, number[]>()
  for (const { feed, entry } of left) {
    waiting.set(feed, [...(waiting.get(feed) ?? []), entry.seq])
  }
  return waiting
}

interface Bounds {
  /** Memories that a paired replica erased. */
  readonly erased: ReadonlySet<Ref>
  /** Entries of an earlier time wait for another pull. */
  readonly since: Instant | null
}

class Entering {
  readonly #parts: SyncParts
  readonly #erased: ReadonlySet<Ref>
  readonly #since: Instant | null
  readonly counts = { pulled: 0, conflicts: 0, errors: new Set<string>() }

  constructor(parts: SyncParts, { erased, since }: Bounds) {
    this.#parts = parts
    this.#erased = erased
    this.#since = since
  }

  /** Enters a batch in one commit, and returns the entries that wait. */
  async enter(batch: readonly Arriving[]): Promise<readonly Arriving[]> {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const { items, histories, waiting, conflicts } = await this.#sorted(batch)
      if (items.length > 0 && !(await this.#submit(items, histories))) continue
      this.counts.pulled += items.length
      this.counts.conflicts += conflicts
      return waiting
    }
    return batch
  }

  async #submit(
    items: readonly ReceivedItem[],
    histories: ReadonlyMap<Ref, ReceivedHistory>,
  ): Promise<boolean> {
    const { core } = this.#parts
    const { entries } = await core.submit('receive', {
      items,
      histories,
      actor: core.host,
      caller: { ...SYNC, operation: 'sync' },
    })
    return entries !== null
  }

  async #sorted(batch: readonly Arriving[]) {
    const { core } = this.#parts
    const states = await this.#statesOf(batch)
    const histories = new Map<Ref, ReceivedHistory>()
    const items: ReceivedItem[] = []
    const waiting: Arriving[] = []
    const born = new Set<Ref>()
    let conflicts = 0
    for (const each of batch) {
      const { ref } = each.entry
      const state = states.get(ref)
      if (state && !histories.has(ref))
        histories.set(ref, { state, steps: await stepsAbout(core, ref) })
      const isHere = (of: Ref): boolean => states.has(of) || born.has(of) || this.#erased.has(of)
      switch (this.#fateOf(each, { history: histories.get(ref), isHere })) {
        case 'enter':
          items.push(this.#itemOf(each))
          born.add(ref)
          if (isConflict(each, histories.get(ref))) conflicts += 1
          break
        case 'erase':
          await this.#erase(each)
          break
        case 'wait':
          waiting.push(each)
          break
        case 'drop':
          break
      }
    }
    const touched = new Set(items.map(({ entry }) => entry.ref))
    for (const ref of histories.keys()) if (!touched.has(ref)) histories.delete(ref)
    return { items, histories, waiting, conflicts }
  }

  async #statesOf(batch: readonly Arriving[]): Promise<ReadonlyMap<Ref, MemoryState>> {
    const refs = new Set(
      batch.flatMap(({ entry }) => [entry.ref, ...entry.parents.map(({ ref }) => ref)]),
    )
    const where = { refs: [...refs] }
    const found = await this.#parts.core.read({
      type: 'memories',
      as: 'state',
      where,
      order: 'given',
    })
    return new Map(found.map((state) => [state.ref, state]))
  }

  #fateOf(each: Arriving, { history, isHere }: Around): 'enter' | 'erase' | 'wait' | 'drop' {
    const { entry, seal, isPaired } = each
    const { core } = this.#parts
    const isBirth = entry.op === 'memory.saved'
    // An unknown replica enters its own memories, and changes no other memory.
    if (!isPaired && !isBirth) return 'wait'
    if (this.#since !== null && entry.time < this.#since) return 'wait'
    if (toMs(entry.time) > toMs(core.now()) + AHEAD_MS_MAX) return 'wait'
    if (entry.op === 'memory.erased') {
      if (history === undefined || history.state.erased) return 'drop'
      return 'erase'
    }
    if (history?.state.erased || (!history && this.#erased.has(entry.ref))) return 'drop'
    if (isEntered(each, history)) return 'drop'
    // An equal id would turn the birth into a revision of another replica's memory.
    if (!isPaired && history !== undefined) return 'wait'
    if (!isBirth && !isHere(entry.ref)) return 'wait'
    if (!entry.parents.every(({ ref }) => isHere(ref))) return 'wait'
    // The words went with an erasure that a later entry of some feed records.
    if (entry.commitment !== null && seal === null && this.#erased.has(entry.ref)) return 'wait'
    const bad = entry.commitment === null ? null : this.#badWords(each, seal)
    if (bad === null) return 'enter'
    this.counts.errors.add(`${each.feed}: the words of entry ${entry.seq} ${bad}.`)
    return 'wait'
  }

  /** Null where the words match the commitment of the entry, in the shape of their kind. */
  #badWords({ entry }: Arriving, seal: Arriving['seal']): string | null {
    if (seal === null) return 'are missing'
    const { sha256 } = this.#parts.core
    const isSealed = seal.salt.length === SALT_BYTES
    if (!isSealed || commitmentOf(sha256, seal.salt, seal.bytes) !== entry.commitment)
      return 'are not those that were said'
    if (!bringsWords(entry)) return readNote(seal.bytes) ? null : 'cannot be read'
    const sealed = readSealed(seal.bytes)
    if (typeof sealed === 'string') return 'cannot be read'
    if (sha256(bodyTextIn(sealed.text)) !== sealed.provenance.contentHash) return 'were changed'
    try {
      parseBody(splitRef(entry.ref).kind, sealed.body as never) // checked by the parser
      return null
    } catch {
      return 'are not of their kind'
    }
  }

  #itemOf({ entry, hash, size, root, isPaired, seal }: Arriving): ReceivedItem {
    if (!bringsWords(entry)) return { entry, hash, size, root, tier: null, seal }
    const tier = countedTier(entry)
    return {
      ...{ entry, hash, size, root, seal },
      tier: isPaired ? tier : lowerTier(tier, TIER_OF_UNKNOWN),
    }
  }

  async #erase({ entry: { ref, decision } }: Arriving): Promise<void> {
    const basis = ERASE_BASES.find((each) => each === decision.facts.basis) ?? 'other'
    await this.#parts.erasures.erase(ref, { basis: basis satisfies EraseBasis })
    this.counts.pulled += 1
  }
}

/** True unless pairing lifts the cap of an unknown replica's words. */
function isEntered({ entry, isPaired }: Arriving, history: ReceivedHistory | undefined): boolean {
  const place = { time: entry.time, replica: entry.replica, number: entry.seq }
  const step = history?.steps.findLast(({ stored }) => isSamePlace(placeOf(stored), place))
  if (step === undefined) return false
  const { op, tier } = step.stored.entry
  const isCapped = op === 'memory.received' && tier !== null && tier < countedTier(entry)
  return !(isPaired && isCapped)
}

interface Around {
  readonly history: ReceivedHistory | undefined
  readonly isHere: (ref: Ref) => boolean
}

const SYNC = { door: 'sync', person: false, grant: null, session: null, turn: null } as const

/** Two replicas revised the memory at once: both revisions stay. */
const isConflict = ({ entry }: Arriving, history: ReceivedHistory | undefined): boolean =>
  entry.op === 'memory.revised' &&
  history !== undefined &&
  history.state.revision >= (entry.revision ?? 0)
