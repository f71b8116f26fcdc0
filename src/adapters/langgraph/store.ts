import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { Ref } from '../../domain/ids.ts'
import { toInstant, toMs } from '../../domain/time.ts'
import type { Stack } from '../../stack.ts'
import { type Document, Documents, type Live } from '../common/documents.ts'
import { Seat, type SeatMessage, type SeatOptions } from '../common/seat.ts'
import { matchesCondition, matchesFilter, startsWith } from './filter.ts'

const SEAT = 'langgraph'
const LIMIT = 10
const MINUTE_MS = 60_000
const FOUND_MAX = 1_000 // memories of a search by words and meaning

export interface StackStoreOptions extends SeatOptions {
  /** Minutes after the last change until an item is gone; for ever unless given. */
  readonly ttlMinutes?: number
}

/** An item as its memory holds the item. */
interface Kept {
  readonly namespace: string[]
  readonly key: string
  readonly value: Record<string, unknown>
  /** False for an item that no query finds. */
  readonly index?: false
}

/**
 * LangGraph's store over a stack. An item is one memory and a put is a revision, so every value has
 * its author, its time and its history. Queries use the stack's own search, by words and meaning.
 */
export class StackStore extends BaseStore {
  readonly #stack: Stack
  readonly #seat: Seat
  readonly #items: Documents
  readonly #ttlMs: number | null

  constructor(stack: Stack, { ttlMinutes, ...options }: StackStoreOptions = {}) {
    super()
    this.#stack = stack
    this.#seat = new Seat(stack, SEAT, options)
    this.#items = new Documents({ stack, seat: SEAT, actor: this.#seat.actor, keyOf })
    this.#ttlMs = ttlMinutes === undefined ? null : ttlMinutes * MINUTE_MS
  }

  /** Captures a message of the conversation, so that `why` of an item leads to the message. */
  async hear(message: SeatMessage): Promise<void> {
    await this.#seat.hear(message)
  }

  /** The memory of an item, for `stack.history.why`. */
  async refOf(namespace: readonly string[], key: string): Promise<Ref | null> {
    return (await this.#items.read()).get(keyFor(namespace, key))?.ref ?? null
  }

  /** Reads see the items as they were before the puts of the same batch. */
  override async batch<Op extends readonly Operation[]>(
    operations: Op,
  ): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>()
    for (const operation of operations) {
      if (isPut(operation)) puts.set(keyFor(operation.namespace, operation.key), operation)
    }
    const oldest = await this.#oldest()
    const live = alive(await this.#items.read(), oldest)
    const results: unknown[] = []
    for (const operation of operations) results.push(await this.#answer(operation, live))
    if (puts.size > 0) await this.#put(puts, oldest)
    return results as OperationResults<Op> // one for each operation, in order
  }

  async #answer(operation: Operation, live: Live): Promise<unknown> {
    if (isPut(operation)) return null
    if ('namespacePrefix' in operation) return this.#search(operation, live)
    if ('key' in operation) {
      const document = live.get(keyFor(operation.namespace, operation.key))
      if (!document) return null
      await this.#items.serve(await this.#seat.author(), [document])
      return itemOf(document)
    }
    return namespacesIn(live, operation)
  }

  async #search(operation: SearchOperation, live: Live): Promise<readonly SearchItem[]> {
    const { namespacePrefix, filter = {}, limit = LIMIT, offset = 0, query } = operation
    const candidates = [...live.values()].filter((document) => {
      const { namespace, value } = keptIn(document)
      return startsWith(namespace, namespacePrefix) && matchesFilter(value, filter)
    })
    const ranked =
      query === undefined || query.trim() === ''
        ? candidates.map((document) => ({ document, score: undefined }))
        : await this.#ranked(query, candidates)
    const page = ranked.slice(offset, offset + limit)
    await this.#items.serve(
      await this.#seat.author(),
      page.map(({ document }) => document),
    )
    return page.map(({ document, score }) => ({
      ...itemOf(document),
      ...(score === undefined ? {} : { score }),
    }))
  }

  /** Items that the query finds, best first, and the other items behind, without a score. */
  async #ranked(query: string, candidates: readonly Document[]) {
    const found = await this.#stack.search(query, {
      recordTypes: ['raw'],
      context: `seat:${SEAT}`,
      saidBy: this.#seat.actor,
      limit: FOUND_MAX,
    })
    const byId = new Map(candidates.map((document) => [document.id, document]))
    const ranked = found.flatMap(({ memoryId, score }) => {
      const document = byId.get(memoryId)
      return document && keptIn(document).index !== false ? [{ document, score }] : []
    })
    const scored = new Set(ranked.map(({ document }) => document))
    const rest = candidates.filter((document) => !scored.has(document))
    return [...ranked, ...rest.map((document) => ({ document, score: undefined }))]
  }

  async #put(puts: ReadonlyMap<string, PutOperation>, oldest: string): Promise<void> {
    await this.#items.change(await this.#seat.author(), (live) => {
      const expired = [...live.values()].filter(({ updatedAt }) => updatedAt < oldest)
      const remove = new Set(expired)
      const create: string[] = []
      const revise: { document: Document; content: string }[] = []
      for (const [key, { namespace, key: name, value, index }] of puts) {
        const document = live.get(key)
        if (value === null) {
          if (document) remove.add(document)
          continue
        }
        const kept: Kept = { namespace, key: name, value, ...(index === false ? { index } : {}) }
        const content = JSON.stringify(kept, null, 1)
        if (document) {
          remove.delete(document)
          revise.push({ document, content })
        } else create.push(content)
      }
      return { answer: undefined, create, revise, remove: [...remove] }
    })
  }

  /** Items that changed before this moment are gone. */
  async #oldest(): Promise<string> {
    if (this.#ttlMs === null) return ''
    return toInstant(toMs(await this.#stack.health.now()) - this.#ttlMs)
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation

const keyFor = (namespace: readonly string[], key: string): string =>
  JSON.stringify([namespace, key])

function keyOf(content: string): string | null {
  try {
    const { namespace, key } = JSON.parse(content) as Kept // written by this seat
    return keyFor(namespace, key)
  } catch {
    return null
  }
}

const keptIn = ({ content }: Document): Kept => JSON.parse(content) as Kept // written by this seat

const alive = (live: Live, oldest: string): Live =>
  oldest === '' ? live : new Map([...live].filter(([, { updatedAt }]) => updatedAt >= oldest))

function itemOf(document: Document): Item {
  const { namespace, key, value } = keptIn(document)
  const { createdAt, updatedAt } = document
  return { value, key, namespace, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
}

function namespacesIn(live: Live, operation: ListNamespacesOperation): string[][] {
  const { matchConditions = [], maxDepth, limit, offset = 0 } = operation
  const found = new Map<string, string[]>()
  for (const document of live.values()) {
    const { namespace } = keptIn(document)
    if (!matchConditions.every((condition) => matchesCondition(namespace, condition))) continue
    const cut = namespace.slice(0, maxDepth)
    found.set(cut.join('\0'), cut)
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace)
  return sorted.slice(offset, offset + (limit ?? sorted.length))
}
