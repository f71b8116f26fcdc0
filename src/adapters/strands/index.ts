import { MunimentError } from '../../domain/errors.ts'
import { capturing, type SessionOptions } from '../common/authorship.ts'
import { type Item, Items } from '../common/items.ts'
import { MessageLog, placeOf } from '../common/message-log.ts'
import { hasField, wordsOf } from '../common/words-of.ts'

/** A message of Strands, as `MessageData` has it. */
export interface StrandsMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly object[]
  /** The SDK's own id of the message. */
  readonly trackingId?: string
}

export interface MunimentMemoryStoreOptions extends SessionOptions {
  /** The name by which a `MemoryManager` and its tools address the store. */
  readonly name: string
  readonly description?: string
  readonly maxSearchResults?: number
  /** False for a store that an agent only searches. */
  readonly writable?: boolean
  /** Hands messages over on its own: `extraction: true` keeps each message. */
  readonly extraction?: boolean
}

/** JSON as Strands types it: without `readonly`. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Metadata = Record<string, Json>

export interface StrandsEntry {
  content: string
  storeName: string
  metadata: Metadata
}

const SEAT = 'strands'
const RESULTS = 10

/**
 * A `MemoryStore` of the Strands Agents SDK. `add` keeps the model's text, `addMessages` keeps
 * messages as their authors said them, and `search` finds both.
 */
export class MunimentMemoryStore {
  readonly name: string
  readonly description?: string
  readonly maxSearchResults: number
  readonly writable: boolean
  readonly extraction?: boolean
  readonly #options: MunimentMemoryStoreOptions
  readonly #items: Items
  readonly #log: MessageLog
  readonly #place: string
  /** The turn of the messages handed over last: what is added next leads back to them. */
  #turn: string | null = null

  constructor(options: MunimentMemoryStoreOptions) {
    const { name, description, maxSearchResults = RESULTS, writable = true, extraction } = options
    if (name.trim() === '') {
      throw new MunimentError('invalid_input', 'name: expected text that is not empty.')
    }
    this.name = name
    if (description !== undefined) this.description = description
    this.maxSearchResults = maxSearchResults
    this.writable = writable
    if (extraction !== undefined) this.extraction = extraction
    this.#options = options
    this.#items = new Items(capturing(options, SEAT))
    this.#log = new MessageLog(capturing(options, `${SEAT}_message`))
    this.#place = placeOf(SEAT, name)
  }

  async search(
    query: string,
    { maxSearchResults = this.maxSearchResults }: { readonly maxSearchResults?: number } = {},
  ): Promise<StrandsEntry[]> {
    const limit = maxSearchResults
    const [items, messages] = await Promise.all([
      this.#items.search(query, { limit, tag: this.#place }),
      this.#log.search(this.#place, query, limit),
    ])
    const found = [
      ...items.map(({ item, score }) => ({
        score,
        content: item.text,
        metadata: metadataOf(item),
      })),
      ...messages.map(({ text, id, score }) => ({ score, content: text, metadata: { id } })),
    ]
    const best = found.toSorted((a, b) => b.score - a.score).slice(0, limit)
    return best.map(({ score, content, metadata }) => {
      return { content, storeName: this.name, metadata: { ...metadata, score } }
    })
  }

  async add(content: string, metadata: Metadata = {}): Promise<{ id: string }> {
    this.#assertWritable()
    const occasion = { session: this.#place, turn: this.#turn }
    const item = { text: content, fields: metadata }
    const [added] = await this.#items.add([item], { tags: [this.#place], occasion })
    if (!added) throw new MunimentError('refused', 'The text was not kept.')
    return { id: added.id }
  }

  /** A message whose `trackingId` was handed over already is not kept twice. */
  async addMessages(messages: readonly StrandsMessage[]): Promise<void> {
    this.#assertWritable()
    const { seq } = await this.#options.stack.ledger.head()
    this.#turn = `message-${seq + 1}`
    const { user } = this.#options
    const kept = messages.map((message) => {
      const { role, content, trackingId } = message
      const isTool = hasField(content, 'toolResult')
      const author = isTool ? 'tool' : role === 'user' ? 'user' : 'model'
      const text = wordsOf(content)
      const key = trackingId === undefined ? {} : { key: trackingId }
      return { author, user, text, exact: message, ...key } as const
    })
    await this.#log.append(this.#place, kept, { turn: this.#turn })
  }

  #assertWritable(): void {
    if (this.writable) return
    throw new MunimentError('invalid_input', `The store ${this.name} is read-only.`)
  }
}

const metadataOf = ({ id, fields, createdAt }: Item): Metadata => ({
  ...(fields as Metadata), // read from JSON a moment ago
  id,
  createdAt,
})
