import { createHash } from 'node:crypto'
import { MunimentError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { InferencePort } from '../../ports/models.ts'
import { capturing, type SessionOptions } from '../common/authorship.ts'
import { type Item, Items, type NewItem } from '../common/items.ts'
import { MessageLog, placeOf } from '../common/message-log.ts'
import { extractFacts } from './extract-facts.ts'
import { type Filters, matches } from './filters.ts'

export interface MemoryOptions extends Omit<SessionOptions, 'user'> {
  /** The `userId` of the stack's owner: what that user types has tier 3. */
  readonly owner?: string
  /** Extracts facts from messages; without a model each message is a memory, as with `infer: false`. */
  readonly model?: InferencePort
}

export interface Mem0Message {
  readonly role: string
  readonly content: unknown
  /** The speaker, where several users speak in one conversation. */
  readonly name?: string
}

export interface EntityIds {
  readonly userId?: string
  readonly agentId?: string
  readonly runId?: string
}

export interface AddMemoryOptions extends EntityIds {
  readonly metadata?: JsonObject
  readonly filters?: Filters
  readonly infer?: boolean
  /** The day, YYYY-MM-DD, after which the memory is not shown. */
  readonly expirationDate?: string | null
}

export interface UpdateMemoryOptions {
  readonly text?: string
  readonly data?: string
  readonly metadata?: JsonObject
  readonly expirationDate?: string | null
}

export interface GetAllMemoryOptions {
  readonly topK?: number
  readonly filters?: Filters
  readonly showExpired?: boolean
}

export interface SearchMemoryOptions extends GetAllMemoryOptions {
  readonly threshold?: number
}

export interface MemoryItem {
  readonly id: string
  readonly memory: string
  readonly hash?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly score?: number
  readonly metadata?: JsonObject
}

export interface Results {
  readonly results: MemoryItem[]
}

const SEAT = 'mem0'
const TOP_K = 20
const THRESHOLD = 0.1
const IDS = ['user_id', 'agent_id', 'run_id'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_CHARS = 'YYYY-MM-DD'.length

/** The `Memory` of `mem0ai/oss` over a stack: what is added, changed or deleted leaves an entry. */
export class Memory {
  readonly #options: MemoryOptions
  readonly #items: Items
  readonly #log: MessageLog

  constructor(options: MemoryOptions) {
    this.#options = options
    this.#items = new Items(capturing(options, SEAT))
    this.#log = new MessageLog(capturing(options, `${SEAT}_message`))
  }

  async add(
    messages: string | readonly Mem0Message[],
    options: AddMemoryOptions,
  ): Promise<Results> {
    const said = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
    if (said.every(({ content }) => textOf(content).trim() === '')) {
      throw wrong('Messages cannot be empty. Provide at least one message with content.')
    }
    const { userId, agentId, runId, metadata, expirationDate, infer = true } = options
    const given = {
      ...options.filters,
      ...named({ user_id: userId, agent_id: agentId, run_id: runId }),
    }
    const ids = idsIn(given)
    const place = placeOf(SEAT, ...Object.entries(ids).flat())
    const { seq } = await this.#options.stack.ledger.head()
    const turn = `message-${seq + 1}`
    await this.#hear(said, { ids, place, turn })
    const fields = { ...metadata, ...expiry(expirationDate), ...ids }
    const texts = await this.#textsOf(said, { infer, place: tagsOf(ids)[0] })
    const added = await this.#items.add(
      texts.map((text) => ({ text, fields })),
      { tags: tagsOf(ids), occasion: { session: place, turn } },
    )
    return {
      results: added.map(({ id, text }) => ({ id, memory: text, metadata: { event: 'ADD' } })),
    }
  }

  async get(memoryId: string): Promise<MemoryItem | null> {
    const item = await this.#items.get(memoryId)
    return item && shown(item)
  }

  /** `score` is the chance, from 0 to 1, that the memory answers the query. */
  async search(query: string, options: SearchMemoryOptions): Promise<Results> {
    const { topK = TOP_K, threshold = THRESHOLD } = options
    const { tag, isMeant } = await this.#scope(options)
    const found = await this.#items.search(query, { tag, limit: Math.max(topK, TOP_K) })
    const results = found
      .filter(({ item, score }) => score >= threshold && isMeant(item))
      .map(({ item, score }) => ({ ...shown(item), score }))
    return { results: results.slice(0, topK) }
  }

  async getAll(options: GetAllMemoryOptions): Promise<Results> {
    const { topK = TOP_K } = options
    const { tag, isMeant } = await this.#scope(options)
    const results: MemoryItem[] = []
    for await (const item of this.#items.list(tag)) {
      if (results.length >= topK) break
      if (isMeant(item)) results.push(shown(item))
    }
    return { results }
  }

  async update(
    memoryId: string,
    change: string | UpdateMemoryOptions,
  ): Promise<{ readonly message: string }> {
    const { text, data, metadata, expirationDate } =
      typeof change === 'string' ? { text: change } : change
    const words = text ?? data
    if (words === undefined && metadata === undefined && expirationDate === undefined) {
      throw wrong('At least one of text, metadata, or expirationDate must be provided.')
    }
    const changed = (item: Item): NewItem => {
      const ids = Object.fromEntries(
        IDS.flatMap((id) => (item.fields[id] ? [[id, item.fields[id]]] : [])),
      )
      const fields = { ...item.fields, ...metadata, ...expiry(expirationDate), ...ids }
      return { text: words ?? item.text, fields: fields as JsonObject }
    }
    if (!(await this.#items.update(memoryId, changed))) throw missing(memoryId)
    return { message: 'Memory updated successfully!' }
  }

  async delete(memoryId: string): Promise<{ readonly message: string }> {
    if (!(await this.#items.remove(memoryId))) throw missing(memoryId)
    return { message: 'Memory deleted successfully!' }
  }

  async deleteAll(options: EntityIds): Promise<{ readonly message: string }> {
    const { userId, agentId, runId } = options
    const filters = named({ user_id: userId, agent_id: agentId, run_id: runId })
    const { tag, isMeant } = await this.#scope({ filters, showExpired: true })
    const found: Item[] = []
    for await (const item of this.#items.list(tag)) if (isMeant(item)) found.push(item)
    for (const { id } of found) await this.#items.remove(id)
    return { message: 'Memories deleted successfully!' }
  }

  /** Newest first, as the ledger recorded the changes. */
  async history(memoryId: string): Promise<JsonObject[]> {
    const changes = await this.#items.changes(memoryId)
    const createdAt = changes[0]?.at ?? null
    return changes.toReversed().map(({ action, seq, at, before, after }) => ({
      id: seq,
      memory_id: memoryId,
      previous_value: before,
      new_value: after,
      action,
      created_at: createdAt,
      updated_at: action === 'ADD' ? null : at,
      is_deleted: action === 'DELETE' ? 1 : 0,
    }))
  }

  /** Forgets every memory that came through this seat, and no other. */
  async reset(): Promise<void> {
    const found: Item[] = []
    for await (const item of this.#items.list()) found.push(item)
    for (const { id } of found) await this.#items.remove(id)
  }

  /** The messages are kept as their authors said them; the memories are the seat's. */
  #hear(
    messages: readonly Mem0Message[],
    { ids, place, turn }: { readonly ids: Ids; readonly place: string; readonly turn: string },
  ): Promise<void> {
    const { user_id: userId } = ids
    const isOwners = userId !== undefined && userId === this.#options.owner
    const kept = messages.map((message) => {
      const { role, content } = message
      const name = message.name || userId
      const user = name === undefined ? undefined : { name, isOwner: isOwners && name === userId }
      const author = role === 'user' ? 'user' : role === 'assistant' ? 'model' : 'tool'
      const text = typeof content === 'string' ? content : null
      return { author, user, text, exact: message } as const
    })
    return this.#log.append(place, kept, { turn })
  }

  async #textsOf(
    messages: readonly Mem0Message[],
    { infer, place }: { readonly infer: boolean; readonly place: string | undefined },
  ): Promise<readonly string[]> {
    const said = messages.filter(({ role }) => role !== 'system')
    const { model } = this.#options
    const texts = said.map(({ content }) => textOf(content)).filter((text) => text.trim() !== '')
    if (!infer || !model) return texts
    const known = new Set<string>()
    for await (const { text } of this.#items.list(place)) known.add(text)
    const facts = await extractFacts(
      model,
      said.map(({ role, content }) => ({ role, content: textOf(content) })),
    )
    return facts.filter((fact) => !known.has(fact))
  }

  async #scope({ filters = {}, topK, showExpired = false }: GetAllMemoryOptions) {
    if (topK !== undefined && !(Number.isInteger(topK) && topK >= 0)) {
      throw wrong(`Invalid topK: ${topK}. Must be a non-negative integer.`)
    }
    const ids = idsIn(filters)
    const [tag = ''] = tagsOf(ids)
    const today = (await this.#options.stack.health.now()).slice(0, DAY_CHARS)
    const isMeant = ({ fields }: Item): boolean => {
      const { expiration_date: day } = fields
      const isExpired = typeof day === 'string' && day < today
      return (showExpired || !isExpired) && matches(fields, { ...filters, ...ids })
    }
    return { tag, isMeant }
  }
}

type Ids = Readonly<Partial<Record<(typeof IDS)[number], string>>>

const named = (filters: Readonly<Record<string, string | undefined>>): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value != null))

function idsIn(filters: Filters): Ids {
  const found = IDS.flatMap((name) => {
    const id = filters[name]
    if (id === undefined || id === null) return []
    const text = String(id).trim()
    if (text === '' || /\s/.test(text))
      throw wrong(`Invalid ${name}: cannot be empty or contain whitespace.`)
    return [[name, text] as const]
  })
  if (found.length === 0) {
    throw wrong('One of the filters: userId, agentId or runId is required!')
  }
  return Object.fromEntries(found)
}

/** One tag for each id: any of them narrows a list, and the fields decide. */
const tagsOf = (ids: Ids): readonly string[] =>
  Object.entries(ids).map(([name, id]) => placeOf(SEAT, name, id))

function expiry(day: string | null | undefined): JsonObject {
  if (day === undefined) return {}
  if (day !== null && !DAY.test(day)) throw wrong('expirationDate: expected YYYY-MM-DD.')
  return { expiration_date: day }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const { text } = Object(content) as { readonly text?: unknown }
  return typeof text === 'string' ? text : JSON.stringify(content ?? '')
}

function shown({ id, text, fields, version, createdAt, updatedAt }: Item): MemoryItem {
  const metadata = Object.entries(fields).filter(([name]) => !IDS.some((each) => each === name))
  const ids = Object.entries(fields).filter(([name]) => IDS.some((each) => each === name))
  return {
    id,
    memory: text,
    hash: createHash('md5').update(text).digest('hex'), // a checksum that callers compare, no protection
    createdAt,
    ...(version > 1 ? { updatedAt } : {}),
    metadata: Object.fromEntries(metadata) as JsonObject, // members of one
    ...Object.fromEntries(ids),
  }
}

const wrong = (message: string): MunimentError => new MunimentError('invalid_input', message)

const missing = (id: string): MunimentError =>
  new MunimentError('not_found', `Memory with ID ${id} not found`)
