import { libCaller } from '../../engine/write/arguments.ts'
import type { SearchResult } from '../../ports/component.ts'
import type { Stack } from '../../stack.ts'
import { capturing, type SessionOptions } from '../common/authorship.ts'
import { MessageLog, placeOf } from '../common/message-log.ts'

/** A message of Mastra, as far as memory needs a message. */
export interface MastraMessage {
  readonly id: string
  readonly role: string
  readonly content: { readonly parts: readonly object[] }
  readonly threadId?: string | undefined
  readonly resourceId?: string | undefined
}

export interface MunimentProcessorOptions extends Omit<SessionOptions, 'user'> {
  /** The `resourceId` of the stack's owner: what that user types has tier 3. */
  readonly owner?: string
  /** Tokens of working memory shown to an agent before each answer; 0 shows none. */
  readonly tokenBudget?: number
  /** Number of memories shown that answer the user's message; 0 shows none. */
  readonly results?: number
}

interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

const SEAT = 'mastra'
const TOKENS = 1_500
const RESULTS = 6
const OVERSHOOT = 5 // results asked for, for each that is wanted: most are another user's

/**
 * A processor for agents of Mastra, for `inputProcessors` and `outputProcessors`: shows fenced memory
 * before an answer, and keeps what the user, the tools and the model said.
 */
export class MunimentProcessor {
  readonly id = 'muniment'
  readonly name = 'Muniment'
  readonly #options: MunimentProcessorOptions
  readonly #stack: Stack
  readonly #log: MessageLog

  constructor(options: MunimentProcessorOptions) {
    this.#options = options
    this.#stack = options.stack
    this.#log = new MessageLog(capturing(options, SEAT))
  }

  async processInput<M extends MastraMessage, S>({
    messages,
    systemMessages,
  }: {
    messages: M[]
    systemMessages: S[]
  }): Promise<{ messages: M[]; systemMessages: (S | SystemMessage)[] }> {
    const said = messages.findLast(({ role }) => role === 'user')
    const place = placeFor(said ?? messages[0])
    // Asked before the message is kept, or the message would answer itself.
    const recalled = await this.#recalled(place, said)
    await this.#keep(messages)
    const shown: SystemMessage[] = recalled.map((content) => ({ role: 'system', content }))
    return { messages, systemMessages: [...systemMessages, ...shown] }
  }

  async processOutputResult<M extends MastraMessage>({
    messages,
  }: {
    messages: M[]
  }): Promise<M[]> {
    await this.#keep(messages)
    return messages
  }

  /** A message that was kept before, and comes again with the history, is left out. */
  async #keep(messages: readonly MastraMessage[]): Promise<void> {
    const turn = messages.findLast(({ role }) => role === 'user')?.id ?? null
    const { owner } = this.#options
    for (const message of messages) {
      const { id: key, role, resourceId: name } = message
      if (role !== 'user' && role !== 'assistant') continue
      const user = name === undefined ? undefined : { name, isOwner: name === owner }
      const author = role === 'user' ? 'user' : 'model'
      const text = textOf(message)
      const kept = [{ author, user, text, exact: message, key } as const, ...toolResultsIn(message)]
      await this.#log.append(placeFor(message), kept, { turn })
    }
  }

  /** Blocks of fenced memory: working memory, and memories of other conversations that answer. */
  async #recalled(place: string, said?: MastraMessage): Promise<readonly string[]> {
    const question = said === undefined ? null : textOf(said)
    const { tokenBudget = TOKENS, results = RESULTS } = this.#options
    const by = { caller: { ...libCaller(SEAT), session: place }, for: 'plan' } as const
    const blocks: string[] = []
    const { owner } = this.#options
    // A user beside the owner is shown that user's own conversations, and nothing else of the stack.
    const guest =
      owner === undefined || said?.resourceId === owner ? null : (said?.resourceId ?? '')
    if (tokenBudget > 0 && guest === null) {
      const loaded = await this.#stack.load({ ...by, tokenBudget })
      if (loaded._meta.included > 0) blocks.push(await this.#rendered(loaded))
    }
    if (results > 0 && question !== null && question.trim() !== '') {
      const query = question.slice(0, QUERY_CHARS_MAX)
      const limit = guest === null ? results : results * OVERSHOOT
      const found = await this.#stack.search(query, { ...by, limit })
      const elsewhere = (await this.#elsewhere(place, found, guest)).slice(0, results)
      if (elsewhere.length > 0) blocks.push(await this.#rendered(elsewhere))
    }
    return blocks
  }

  #rendered(what: Parameters<Stack['lookup']['render']>[0]): Promise<string> {
    return this.#stack.lookup.render(what, { for: 'prompt' })
  }

  /** The conversation itself stands in the prompt already. */
  async #elsewhere(
    place: string,
    found: readonly SearchResult[],
    guest: string | null,
  ): Promise<readonly SearchResult[]> {
    const within = guest === null ? '' : `${placeOf(SEAT, guest)}/`
    const kept: SearchResult[] = []
    for (const result of found) {
      const memory = await this.#stack.getMemory(result.memoryType, result.memoryId)
      const session = memory?.provenance.session ?? ''
      if (session !== place && session.startsWith(within)) kept.push(result)
    }
    return kept
  }
}

const QUERY_CHARS_MAX = 2_000

const placeFor = (message: MastraMessage | undefined): string =>
  placeOf(SEAT, message?.resourceId ?? '', message?.threadId ?? '')

interface Part {
  readonly type?: string
  readonly text?: unknown
  readonly toolInvocation?: { readonly toolCallId?: string; readonly result?: unknown }
}

const partsOf = ({ content }: MastraMessage): readonly Part[] =>
  content.parts.filter((part) => typeof part === 'object' && part !== null)

/** The words of a message, without the steps between them. */
function textOf(message: MastraMessage): string | null {
  const texts = partsOf(message).flatMap(({ type, text }) => (type === 'text' ? [text] : []))
  const isWords = texts.length > 0 && texts.every((text) => typeof text === 'string')
  return isWords ? texts.join('\n') : null
}

/** The results of tools, each an observation of its own: a model's message carries them. */
function toolResultsIn(message: MastraMessage) {
  return partsOf(message).flatMap(({ toolInvocation }) => {
    const { toolCallId, result } = toolInvocation ?? {}
    if (result === undefined) return []
    const key = `${message.id}/${toolCallId ?? ''}`
    const text = typeof result === 'string' ? result : null
    return [{ author: 'tool', text, exact: { toolCallId, result }, key } as const]
  })
}
