import { toInstant } from '../../domain/time.ts'
import { capturing, type SessionOptions } from '../common/authorship.ts'
import { type FoundMessage, MessageLog, placeOf } from '../common/message-log.ts'
import { hasField, wordsOf } from '../common/words-of.ts'

/** An event of an ADK session, as far as memory needs an event. */
export interface AdkEvent {
  readonly id: string
  readonly author?: string
  readonly timestamp: number
  readonly content?: { readonly role?: string; readonly parts?: readonly object[] }
  /** A piece of an answer that is still streaming. */
  readonly partial?: boolean
}

export interface AdkSession {
  readonly id: string
  readonly appName: string
  readonly userId: string
  readonly events: readonly AdkEvent[]
}

export interface AdkMemory {
  readonly content: { role?: string; parts?: object[] }
  readonly author?: string
  readonly timestamp?: string
}

export interface MunimentMemoryServiceOptions extends Omit<SessionOptions, 'user'> {
  /** The `userId` of the stack's owner: what that user types has tier 3. */
  readonly owner?: string
}

const SEAT = 'google_adk'
const RESULTS = 10

/** A `BaseMemoryService` of the Agent Development Kit whose every event is a memory with its author. */
export class MunimentMemoryService {
  readonly #log: MessageLog
  readonly #owner: string | undefined

  constructor({ owner, ...options }: MunimentMemoryServiceOptions) {
    this.#log = new MessageLog(capturing(options, SEAT))
    this.#owner = owner
  }

  /** Adds the events that were not added before, so a growing session may be handed over again. */
  async addSessionToMemory({ id, appName, userId, events }: AdkSession): Promise<void> {
    const user = { name: userId, isOwner: userId === this.#owner }
    const whole = events.filter(({ content, partial }) => !partial && content?.parts?.length)
    const messages = whole.map((event) => {
      const { author, content, timestamp } = event
      const parts = content?.parts ?? []
      const isTool = hasField(parts, 'functionResponse')
      return {
        author: isTool ? 'tool' : author === 'user' ? 'user' : 'model',
        user,
        text: wordsOf(parts),
        exact: { content, author, timestamp },
        key: JSON.stringify([id, event.id]),
      } as const
    })
    await this.#log.append(placeOf(SEAT, appName, userId), messages, { turn: `${SEAT}:${id}` })
  }

  /** The events of this user in this app that answer the query best. */
  async searchMemory({
    appName,
    userId,
    query,
  }: {
    readonly appName: string
    readonly userId: string
    readonly query: string
  }): Promise<{ memories: AdkMemory[] }> {
    const found = await this.#log.search(placeOf(SEAT, appName, userId), query, RESULTS)
    return { memories: found.map(memoryOf) }
  }
}

function memoryOf({ exact }: FoundMessage): AdkMemory {
  const { content, author, timestamp } = exact as Pick<AdkEvent, 'author' | 'timestamp'> &
    Pick<AdkMemory, 'content'> // written by addSessionToMemory
  return {
    content,
    ...(author === undefined ? {} : { author }),
    timestamp: toInstant(timestamp),
  }
}
