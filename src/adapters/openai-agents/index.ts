import type { AgentInputItem, Session } from '@openai/agents-core'
import type { Author, SessionOptions } from '../common/authorship.ts'
import { type KeptMessage, type Message, MessageLog, placeOf } from '../common/message-log.ts'
import type { SeatUser } from '../common/seat.ts'
import { wordsOf } from '../common/words-of.ts'

export interface MunimentSessionOptions extends SessionOptions {
  readonly sessionId: string
}

const SEAT = 'openai_agents'

/** A session of the OpenAI Agents SDK whose every item is a memory with its author. */
export class MunimentSession implements Session {
  readonly #log: MessageLog
  readonly #sessionId: string
  readonly #place: string
  readonly #user: SeatUser | undefined

  constructor({ sessionId, user, ...channel }: MunimentSessionOptions) {
    this.#log = new MessageLog({ ...channel, seat: SEAT })
    this.#sessionId = sessionId
    this.#place = placeOf(SEAT, sessionId)
    this.#user = user
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId
  }

  /** The newest `limit` items, oldest first. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    return (await this.#log.messages(this.#place, limit)).map(itemOf)
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    await this.#log.append(
      this.#place,
      items.map((item) => messageOf(item, this.#user)),
    )
  }

  /** An item that another process takes first is not returned twice. */
  async popItem(): Promise<AgentInputItem | undefined> {
    for await (const message of this.#log.newestFirst(this.#place)) {
      if (await this.#log.forget(message)) return itemOf(message)
    }
    return undefined
  }

  /** Forgets every item: `stack.erasure` destroys their words. */
  async clearSession(): Promise<void> {
    await this.#log.clear(this.#place)
  }
}

const itemOf = ({ exact }: KeptMessage): AgentInputItem => exact as AgentInputItem // written by addItems

const TOOL_RESULT = /_(?:result|output)$/

function messageOf(item: AgentInputItem, user: SeatUser | undefined): Message {
  const {
    role,
    type = 'message',
    content,
  } = item as {
    readonly role?: string
    readonly type?: string
    readonly content?: unknown
  }
  const text = role === undefined ? null : wordsOf(content)
  return { author: authorOf(role, type), user, text, exact: item }
}

function authorOf(role: string | undefined, type: string): Author {
  if (role === 'user') return 'user'
  return role === 'system' || TOOL_RESULT.test(type) ? 'tool' : 'model'
}
