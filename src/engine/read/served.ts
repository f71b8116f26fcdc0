import {
  type Caller,
  isTier,
  lowerTier,
  parseCaller,
  sessionsAt,
  type Tier,
} from '../../domain/doors.ts'
import { type Ref, type StackId, toRef } from '../../domain/ids.ts'
import { DAY_MS, type Instant, toInstant } from '../../domain/time.ts'
import type { SearchResult } from '../../ports/component.ts'
import {
  type Forgotten,
  type KeptReceipt,
  RECEIPT_LIMITS,
  type Receipt,
  type Receipts,
  type ServedPrint,
} from '../../ports/receipts.ts'
import { KnownPrints } from '../../recall/embed/known-prints.ts'
import { type Print, printOf } from '../../recall/embed/print.ts'
import type { World } from '../world.ts'
import { given, libCaller, nameOf } from '../write/arguments.ts'
import { Idempotency } from '../write/idempotency.ts'
import { SessionPrints } from './session-prints.ts'

/** The reader, with session and turn. These fields never change the result. */
export interface ReadBy {
  readonly session?: string
  readonly turn?: string
  readonly actor?: string
  /** The caller at the door; the host itself by default. */
  readonly caller?: Caller
}

/** One served memory, with the tier at the time of serving. */
export interface Served {
  readonly ref: Ref
  readonly tier: Tier
  /** The served words; used only where a session may repeat the words. */
  readonly text?: string | null
}

interface ServingParts {
  readonly stackId: StackId
  readonly world: Pick<World, 'clock' | 'ids' | 'sha256'>
  readonly receipts: Receipts | null
}

const PRINTS_KNOWN_MAX = 4_096 // texts whose prints this process caches

/**
 * Everything served passes this class before the caller gets the result; this class writes the
 * receipts.
 */
export class Serving {
  readonly #parts: ServingParts
  readonly #prints = new Map<string, Print>()
  readonly #known: SessionPrints

  /** Stored answers of idempotency keys lie beside the receipts. */
  readonly once: Idempotency

  constructor(parts: ServingParts) {
    this.#parts = parts
    this.#known = new SessionPrints(parts.receipts)
    const { clock, ids, sha256 } = parts.world
    const nextId = () => ids.next(clock.now())
    this.once = new Idempotency({ ...parts, sha256, now: () => this.#now(), nextId })
  }

  /** A reader without a session leaves no receipt; then the served memories are not even read. */
  async serve(
    operation: string,
    reader: ReadBy | null | undefined,
    served: Iterable<Served>,
  ): Promise<void> {
    const by = given(reader)
    const caller = by.caller === undefined ? libCaller(operation) : parseCaller(by.caller)
    const session = nameOr('session', by.session, caller.session)
    const turn = nameOr('turn', by.turn, caller.turn)
    const actor = nameOr('actor', by.actor, null)
    const { receipts, stackId } = this.#parts
    if (receipts === null) return
    const time = this.#now()
    const sessions = sessionsAt({ ...caller, session }, time)
    const each = sessions.length === 0 ? [] : eachOnce(served)
    if (each.length === 0) return
    const { door } = caller
    const who = actor ?? `${stackId}:${door === 'lib' ? 'host' : caller.person ? 'user' : 'model'}`
    const held = { time, turn, actor: who, door, operation }
    const rows = sessions.flatMap((name) =>
      each.map(({ ref, tier, text }): KeptReceipt => {
        const print = text === null ? null : this.#printOf(text)
        return { receipt: { ...held, session: name, ref, tier }, print }
      }),
    )
    try {
      await this.#record(rows)
    } catch {
      // A successful read stays successful: receipts may be lost, and no decision rests on receipts
      // alone.
    }
  }

  /** Cached by text, because the same words are served again and again. */
  #printOf(text: string): Print {
    const print = this.#prints.get(text) ?? printOf(text)
    if (this.#prints.size >= PRINTS_KNOWN_MAX) this.#prints.clear()
    this.#prints.set(text, print)
    return print
  }

  /** The cached prints may belong to erased words, so the cache is cleared. */
  async forget(what: Forgotten): Promise<void> {
    this.#prints.clear()
    this.#known.clear()
    await this.#parts.receipts?.forget(what)
  }

  async of(session: string): Promise<readonly Receipt[]> {
    const name = nameOf('session', session)
    return (await this.#parts.receipts?.of(name, this.#now(RECEIPT_LIMITS.daysKept))) ?? []
  }

  #now(daysBack = 0): Instant {
    return toInstant(this.#parts.world.clock.now() - daysBack * DAY_MS)
  }

  /** Prints of the words served to a session, for recognising repeats; empty without receipts. */
  async told(session: string): Promise<KnownPrints<ServedPrint>> {
    try {
      return await this.#known.of(session, this.#now(RECEIPT_LIMITS.daysKept))
    } catch {
      return new KnownPrints(RECEIPT_LIMITS.toldMax, []) // a write must not fail for want of receipts
    }
  }

  /** Prints of an actor's own writes as a model, in any session. */
  async toldTo(actor: string): Promise<KnownPrints<ServedPrint>> {
    return this.told(writtenBy(actor))
  }

  /** Keeps the prints of a model's writes, for comparison with later writes of the actor. */
  async noteWritten(written: readonly (ServedPrint & { readonly actor: string })[]): Promise<void> {
    const held = { time: this.#now(), turn: null, door: 'lib', operation: 'write' } as const
    const rows = written.map(({ ref, actor, print }): KeptReceipt => {
      return { receipt: { ...held, session: writtenBy(actor), actor, ref, tier: 0 }, print }
    })
    try {
      await this.#record(rows)
    } catch {
      // The memory is written; without its print, a later rewording is not linked.
    }
  }

  async #record(rows: readonly KeptReceipt[]): Promise<void> {
    await this.#parts.receipts?.record(rows)
    this.#known.add(rows)
  }

  async close(): Promise<void> {
    await this.#parts.receipts?.close()
  }
}

/**
 * The receipt session for an actor's own writes. Doors take printable session names only, so no
 * name collides.
 */
const writtenBy = (actor: string): string => `\u0001written by ${actor}`

const nameOr = (field: string, value: unknown, otherwise: string | null): string | null =>
  value === undefined ? otherwise : nameOf(field, value)

/** One record for each memory and text, with the lowest tier. */
function eachOnce(served: Iterable<Served>): readonly Required<Served>[] {
  const each = new Map<string, Required<Served>>()
  for (const { ref, tier, text = null } of served) {
    const key = `${ref} ${text}`
    const least = lowerTier(tier, each.get(key)?.tier ?? tier)
    each.set(key, { ref, tier: least, text })
  }
  return [...each.values()]
}

/** A component's result without a tier counts as the lowest. */
export const servedBySearch = (results: readonly SearchResult[]): readonly Served[] =>
  results.map(({ memoryType, memoryId, metadata, content }) => ({
    text: content,
    ref: toRef(memoryType, memoryId),
    tier: isTier(metadata.tier) ? metadata.tier : 0,
  }))
