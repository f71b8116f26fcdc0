import { createHash } from 'node:crypto'
import type { Caller } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import type { Instant } from '../../domain/time.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { libCaller } from '../../engine/write/arguments.ts'
import { refusalError } from '../../engine/write/outcomes.ts'
import type { WriteRequest } from '../../engine/write/write-request.ts'
import { counting, withoutSecrets } from '../../operations/redaction.ts'
import type { Stack } from '../../stack.ts'
import { type Author, type Channel, provenanceOf } from './authorship.ts'
import { forgetAsAuthor } from './forget.ts'
import { PIECE_CHARS, piecesOf } from './pieces.ts'
import { activated, type SeatUser } from './seat.ts'

/** One message of a session. The exact form comes back; the words are for readers and search. */
export interface Message {
  readonly author: Author
  /** The user, for words of a user. */
  readonly user?: SeatUser | undefined
  /** Words that stand alone; null where only the exact form says everything. */
  readonly text: string | null
  readonly exact: object
  /** A repeat of the key in its place is not written again. */
  readonly key?: string
}

export interface KeptMessage {
  readonly exact: unknown
  readonly rows: readonly Memory<'raw'>[]
  readonly createdAt: Instant
}

export interface FoundMessage {
  readonly id: string
  readonly text: string
  readonly exact: unknown
  readonly score: number
}

const PAGE_ROWS = 200
function without(message: Message, redact: Redactor): Message {
  const text = message.text === null ? null : redact(message.text)
  const plain = JSON.parse(JSON.stringify(message.exact)) as JsonObject // as it would be written
  const exact = withoutSecrets(plain, redact)
  return { ...message, text, exact }
}

interface Part {
  readonly number: number
  readonly total: number
}

const partOf = ({ body }: Memory<'raw'>): Part => {
  const [, number = 1, total = 1] = PART.exec(body.capturedFrom ?? '') ?? []
  return { number: Number(number), total: Number(total) }
}

/** Parts of one message were written together; parts of two messages stand further apart. */
function isPartBefore(row: Memory<'raw'>, next: Memory<'raw'>): boolean {
  const [{ number, total }, after] = [partOf(row), partOf(next)]
  const isNear = next.entry.seq - row.entry.seq <= total
  return number === after.number - 1 && total === after.total && isNear
}

const PART = /^part (\d+) of (\d+)$/

/** Messages in the order of their writing, one raw memory each; a long message has several. */
export class MessageLog {
  readonly #channel: Channel
  readonly #stack: Stack
  readonly #caller: Caller
  /** Remains of messages that a warning has named already. */
  readonly #warned = new Set<Ref>()

  constructor(channel: Channel) {
    this.#channel = channel
    this.#stack = channel.stack
    this.#caller = libCaller(channel.seat)
  }

  /** All or none. A message whose key is in the place already is left out. */
  async append(
    place: string,
    messages: readonly Message[],
    { turn = null }: { readonly turn?: string | null } = {},
  ): Promise<void> {
    const seen = new Set<string>()
    const { redact, noted } = counting(this.#channel.redact)
    const isExact = this.#channel.redact === undefined
    const requests: WriteRequest[] = []
    for (const message of messages) {
      const { key } = message
      if (key !== undefined && seen.has(key)) continue
      if (key !== undefined) seen.add(key)
      const id = key === undefined ? undefined : await this.#freeId(place, key)
      if (id !== null)
        requests.push(...this.#requestsFor(place, isExact ? message : without(message, redact), id))
    }
    if (requests.length === 0) return
    await activated(this.#stack)
    const caller = noted({ ...this.#caller, session: place, turn })
    const written = await this.#stack.writeAll(requests, caller)
    if (written.refused) throw refusalError(written.result)
  }

  /** The newest messages, oldest first; all of them without a limit. */
  async messages(place: string, limit = Number.POSITIVE_INFINITY): Promise<readonly KeptMessage[]> {
    const found: KeptMessage[] = []
    for await (const message of this.newestFirst(place)) {
      if (found.length >= limit) break
      found.push(message)
    }
    return found.reverse()
  }

  /** Whole messages: a long one that lost a part, to erasure for one, is left out with a warning. */
  async *newestFirst(place: string): AsyncGenerator<KeptMessage> {
    for await (const rows of this.#groups(place)) {
      const [first] = rows
      if (first === undefined) continue
      const { capturedFrom = '' } = first.body
      const isPart = PART.test(capturedFrom)
      if (isPart && rows.length < partOf(first).total) this.#warn(place, first)
      else {
        const json = isPart ? rows.map(({ body }) => body.content).join('') : capturedFrom
        yield { exact: JSON.parse(json), rows, createdAt: first.createdAt }
      }
    }
  }

  /** Forgets every message of the place, and what is left of those that lost a part. */
  async clear(place: string): Promise<void> {
    const groups: (readonly Memory<'raw'>[])[] = []
    for await (const rows of this.#groups(place)) groups.push(rows)
    for (const rows of groups) await this.forget({ rows })
  }

  /** Messages in words, best first, with the chance from 0 to 1 that the message answers. */
  async search(place: string, query: string, limit: number): Promise<readonly FoundMessage[]> {
    if (query.trim() === '' || limit === 0) return []
    const options = { recordTypes: ['raw'], context: place, expand: true, limit: limit * 2 }
    const found: FoundMessage[] = []
    for (const { memoryId, score } of await this.#stack.search(query, options)) {
      const row = await this.#stack.getMemory('raw', memoryId)
      const { content, capturedFrom = '' } = row?.body ?? { content: '' }
      if (!row || !this.#isOurs(row, place) || PART.test(capturedFrom)) continue
      found.push({ id: row.id, text: content, exact: JSON.parse(capturedFrom), score })
    }
    return found.slice(0, limit)
  }

  /** False where another process took the message away first. */
  async forget({ rows }: Pick<KeptMessage, 'rows'>): Promise<boolean> {
    let isFirst = false
    for (const [index, row] of rows.entries()) {
      const isForgotten = await forgetAsAuthor(this.#stack, row, this.#caller)
      if (index === 0) isFirst = isForgotten
    }
    return isFirst
  }

  /** The rows of one message after the other, newest message first, the parts in their order. */
  async *#groups(place: string): AsyncGenerator<readonly Memory<'raw'>[]> {
    let parts: Memory<'raw'>[] = []
    for await (const row of this.#rows(place)) {
      const [next] = parts
      if (next && !isPartBefore(row, next)) {
        yield parts
        parts = []
      }
      parts.unshift(row)
    }
    if (parts.length > 0) yield parts
  }

  #warn(place: string, { ref }: Memory<'raw'>): void {
    if (this.#warned.has(ref)) return
    this.#warned.add(ref)
    process.emitWarning(`${place}: left out a message that lost a part of its words (${ref}).`)
  }

  async *#rows(place: string): AsyncGenerator<Memory<'raw'>> {
    const options = { context: place, includeForgotten: false, includeSetAside: false } as const
    for (let after: string | undefined; ; ) {
      const from = after === undefined ? {} : { after }
      const page = await this.#stack.list('raw', { ...options, ...from, limit: PAGE_ROWS })
      // Rows of other doors may name the place too, and would put words into the session.
      for (const row of page) if (this.#isOurs(row, place)) yield row
      after = page.at(-1)?.id
      if (after === undefined || page.length < PAGE_ROWS) return
    }
  }

  #isOurs({ body, provenance, erased }: Memory<'raw'>, place: string): boolean {
    return (
      !erased && body.context === place && provenance.ingestionPath === `lib:${this.#channel.seat}`
    )
  }

  /** The id for a key; null where a live message has the key. A forgotten one may come again. */
  async #freeId(place: string, key: string): Promise<string | null> {
    for (let turn = 0; ; turn += 1) {
      const id = uuidOf([this.#channel.seat, place, key, String(turn)])
      const memory = await this.#stack.getMemory('raw', id)
      if (memory === null) return id
      if (memory.strength > 0) return null
    }
  }

  #requestsFor(
    context: string,
    { author, text, user, exact }: Message,
    id: string | undefined,
  ): readonly WriteRequest<'raw'>[] {
    const json = JSON.stringify(exact)
    const isPlain =
      text !== null && text !== '' && text.isWellFormed() && json.length <= PIECE_CHARS
    const bodies: readonly BodyInputOf<'raw'>[] = isPlain
      ? [{ content: text, capturedFrom: json, context }]
      : piecesOf(json).map((content, index, all) => {
          return { content, capturedFrom: `part ${index + 1} of ${all.length}`, context }
        })
    const provenance = provenanceOf(this.#channel, { author, text, user })
    return bodies.map((body, index) => {
      const own = id === undefined || index === 0 ? id : uuidOf([id, String(index)])
      return { kind: 'raw', body, provenance, ...(own === undefined ? {} : { id: own }) }
    })
  }
}

const PLACE_CHARS_MAX = 180 // a tag takes 200
const DIGEST_CHARS = 32

/** The context of a session: readable, one line, and different for different names. */
export function placeOf(...names: readonly string[]): string {
  if (!names.every((name) => typeof name === 'string' && name.isWellFormed())) {
    throw new MunimentError('invalid_input', 'A session is named by a text of whole characters.')
  }
  const place = names.map(encodeURIComponent).join('/')
  if (place.length <= PLACE_CHARS_MAX) return place
  const digest = sha256(JSON.stringify(names)).slice(0, DIGEST_CHARS)
  return `${place.slice(0, PLACE_CHARS_MAX - DIGEST_CHARS - 1)}~${digest}`
}

/** One UUID for equal parts, on every machine. */
export function uuidOf(parts: readonly string[]): string {
  const hex = sha256(JSON.stringify(['muniment/seat/1', ...parts]))
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map((start, index) =>
    hex.slice(start, start + ([8, 4, 3, 3, 12][index] ?? 0)),
  )
  return `${a}-${b}-8${c}-8${d}-${e}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
