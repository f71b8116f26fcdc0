import type { Caller } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { isMemoryId, type MemoryId, type Ref, toRef } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { Instant } from '../../domain/time.ts'
import { GROUNDLESS } from '../../domain/vocabulary.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { libCaller } from '../../engine/write/arguments.ts'
import { refusalError } from '../../engine/write/outcomes.ts'
import type { WriteRequest } from '../../engine/write/write-request.ts'
import { counting, withoutSecrets } from '../../operations/redaction.ts'
import type { Stack } from '../../stack.ts'
import { actorOf, type Channel, provenanceOf } from './authorship.ts'
import { forgetAsAuthor } from './forget.ts'
import { activated } from './seat.ts'

/** A text that an agent keeps through a seat. The seat's actor owns the text and may change the text. */
export interface Item {
  readonly id: MemoryId
  readonly text: string
  /** Fields of the other product; nothing here reads them. */
  readonly fields: JsonObject
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface NewItem {
  readonly text: string
  readonly fields: JsonObject
}

/** The conversation and the message from which items come: `why` leads there. */
export interface Occasion {
  readonly session: string
  /** Null before the first message. */
  readonly turn: string | null
}

export interface ItemChange {
  readonly action: 'ADD' | 'UPDATE' | 'DELETE'
  readonly seq: number
  readonly at: Instant
  readonly before: string | null
  readonly after: string | null
}

const PAGE_ROWS = 200
const TRIES_MAX = 20 // while other processes change the same item
const OVERSHOOT = 2 // results asked for, for each that is wanted: filters take some away

const OPS: Readonly<Partial<Record<Entry['op'], ItemChange['action']>>> = {
  'memory.saved': 'ADD',
  'memory.revised': 'UPDATE',
}

/** The items of one seat, each a raw memory: equal texts of two users stay two items. */
export class Items {
  readonly #channel: Channel
  readonly #stack: Stack
  readonly #context: string

  constructor(channel: Channel) {
    this.#channel = channel
    this.#stack = channel.stack
    this.#context = `seat:${channel.seat}`
  }

  /** All or none. `tags` are places by which items can be listed and searched. */
  async add(
    items: readonly NewItem[],
    { tags, occasion }: { readonly tags: readonly string[]; readonly occasion: Occasion },
  ): Promise<readonly Item[]> {
    if (items.length === 0) return []
    await activated(this.#stack)
    const { redact, noted } = counting(this.#channel.redact)
    const requests = items.map((item) => this.#request(item, { tags, redact }))
    const results = await this.#write(requests, noted(this.#caller(occasion)))
    const found = await Promise.all(results.map(({ id }) => this.get(id ?? '')))
    return found.filter((item) => item !== null)
  }

  async get(id: string): Promise<Item | null> {
    const memory = await this.#live(id)
    return memory && itemOf(memory)
  }

  /** Newest first. */
  async *list(tag: string = this.#context): AsyncGenerator<Item> {
    const options = { context: tag, includeForgotten: false, includeSetAside: false } as const
    for (let after: string | undefined; ; ) {
      const from = after === undefined ? {} : { after }
      const page = await this.#stack.list('raw', { ...options, ...from, limit: PAGE_ROWS })
      for (const row of page) if (this.#isOurs(row)) yield itemOf(row)
      after = page.at(-1)?.id
      if (after === undefined || page.length < PAGE_ROWS) return
    }
  }

  /** Best first, with the chance from 0 to 1 that the item answers. */
  async search(
    query: string,
    { limit, tag = this.#context }: { readonly limit: number; readonly tag?: string },
  ): Promise<readonly { readonly item: Item; readonly score: number }[]> {
    if (query.trim() === '' || limit === 0) return []
    const found = await this.#stack.search(query, {
      recordTypes: ['raw'],
      context: tag,
      saidBy: actorOf(this.#channel),
      expand: true,
      limit: limit * OVERSHOOT,
    })
    const items = await Promise.all(
      found.map(async ({ memoryId, score }) => ({ item: await this.get(memoryId), score })),
    )
    const shown = items.flatMap(({ item, score }) => (item === null ? [] : [{ item, score }]))
    return shown.slice(0, limit)
  }

  /** Null for an item that is not there. A change works on the latest version, whoever wrote that. */
  async update(id: string, change: (item: Item) => NewItem): Promise<Item | null> {
    for (let attempt = 1; ; attempt += 1) {
      const memory = await this.#live(id)
      if (!memory) return null
      const { session, turn } = memory.provenance
      const { contextTags: tags = [] } = memory.body
      const { redact, noted } = counting(this.#channel.redact)
      const request = this.#request(change(itemOf(memory)), { tags, redact })
      const caller = noted(this.#caller({ session, turn }))
      const revises = { expectedVersion: memory.version }
      try {
        await this.#write([{ ...request, id: memory.id, revises }], caller)
        return this.get(id)
      } catch (cause) {
        const isRace = cause instanceof MunimentError && cause.code === 'version_conflict'
        if (!isRace || attempt >= TRIES_MAX) throw cause
      }
    }
  }

  /** False for an item that is not there. */
  async remove(id: string): Promise<boolean> {
    const memory = await this.#live(id)
    return memory !== null && forgetAsAuthor(this.#stack, memory, this.#caller(memory.provenance))
  }

  /** Every change of an item, oldest first; none for an item that never was. */
  async changes(id: string): Promise<readonly ItemChange[]> {
    const ref = refOf(id)
    const memory = ref && (await this.#stack.getMemory('raw', id))
    if (!ref || !memory || !this.#isOurs(memory)) return []
    const found: ItemChange[] = []
    for (const { seq, time: at, op } of (await this.#stack.history.why(ref)).changes) {
      const before = found.at(-1)?.after ?? null
      const action = OPS[op]
      if (action !== undefined) {
        const then = await this.#stack.getMemory('raw', id, { asOf: seq })
        found.push({ action, seq, at, before, after: then?.body.content ?? null })
      } else if (op === 'memory.forgotten') {
        found.push({ action: 'DELETE', seq, at, before, after: null })
      }
    }
    return found
  }

  #request(
    { text: given, fields }: NewItem,
    { tags, redact }: { readonly tags: readonly string[]; readonly redact: Redactor },
  ): WriteRequest<'raw'> {
    const text = redact(given.toWellFormed())
    const capturedFrom = JSON.stringify(withoutSecrets(fields, redact))
    const body = { content: text, capturedFrom, context: this.#context }
    const provenance = provenanceOf(this.#channel, { author: 'model', text })
    return { kind: 'raw', body: { ...body, contextTags: [...tags] }, provenance }
  }

  #caller({ session, turn }: { readonly session: string | null; readonly turn: string | null }) {
    const caller: Caller = { ...libCaller(this.#channel.seat), session, turn }
    return caller
  }

  async #write(requests: readonly WriteRequest[], caller: Caller) {
    const written = await this.#stack.writeAll(requests, caller)
    if (written.refused) throw refusalError(written.result)
    return written.results
  }

  async #live(id: string): Promise<Memory<'raw'> | null> {
    const memory = refOf(id) && (await this.#stack.getMemory('raw', id))
    const isLive = memory && this.#isOurs(memory) && memory.stored.strength > 0
    return isLive && !GROUNDLESS.some((each) => each === memory.disposition) ? memory : null
  }

  /** Rows of other doors may name the seat's context, and are never shown. */
  #isOurs({ body, provenance, erased }: Memory<'raw'>): boolean {
    const { ingestionPath, sourceId } = provenance
    return (
      !erased &&
      body.context === this.#context &&
      ingestionPath === `lib:${this.#channel.seat}` &&
      sourceId === actorOf(this.#channel)
    )
  }
}

const refOf = (id: string): Ref | null => (isMemoryId(id) ? toRef('raw', id) : null)

const itemOf = ({ id, body, version, createdAt, provenance }: Memory<'raw'>): Item => ({
  id,
  text: body.content,
  fields: JSON.parse(body.capturedFrom ?? '{}') as JsonObject, // written by the seat
  version,
  createdAt,
  updatedAt: provenance.timestamp,
})
