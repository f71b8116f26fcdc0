import type { LanguageModel, LanguageModelMiddleware } from 'ai'
import type { Use } from '../../domain/doors.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Stack } from '../../stack.ts'
import { Seat, type SeatOptions } from '../common/seat.ts'
import { AI_SDK } from './memory-tools.ts'

type Generate = NonNullable<LanguageModelMiddleware['wrapGenerate']>
type Stream = NonNullable<LanguageModelMiddleware['wrapStream']>
type Params = Parameters<Generate>[0]['params']
type Message = Params['prompt'][number]
/** A model of the fourth specification, as providers for AI SDK 7 make models. */
type Model = Parameters<Generate>[0]['model']

export interface WithMemoryOptions extends SeatOptions {
  readonly stack: Stack
  /** The conversation's seat, to share with `memoryTools`. */
  readonly seat?: Seat
  /** Tokens of working memory before a call. */
  readonly tokenBudget?: number
  /** Memories found for the question, beside working memory. */
  readonly found?: number
  /** The least use of what the model reads: `plan` unless given. */
  readonly use?: Use
}

const TOKENS = 2_000
const FOUND = 8
const CHARS_MAX = 16_000

/** A seat for one conversation, shared by `withMemory` and `memoryTools`. */
export const aiSdkSeat = (stack: Stack, options: SeatOptions = {}): Seat =>
  new Seat(stack, AI_SDK, options)

/** A model with memory: what is known is fenced into each prompt, and what is said is captured. */
export function withMemory(
  model: Exclude<LanguageModel, string>,
  options: WithMemoryOptions,
): Exclude<LanguageModel, string> {
  const inner = model as Model // the middleware needs the fourth specification alone
  const { transformParams, wrapGenerate, wrapStream } = memoryMiddleware(inner, options)
  const wrapped: Model = {
    specificationVersion: 'v4',
    provider: inner.provider,
    modelId: inner.modelId,
    supportedUrls: inner.supportedUrls,
    doGenerate: async (given) => {
      const params = await transformParams({ type: 'generate', params: given, model: inner })
      return wrapGenerate(calls(inner, params))
    },
    doStream: async (given) => {
      const params = await transformParams({ type: 'stream', params: given, model: inner })
      return wrapStream(calls(inner, params))
    },
  }
  return wrapped
}

const calls = (model: Model, params: Params) => ({
  model,
  params,
  doGenerate: () => model.doGenerate(params),
  doStream: () => model.doStream(params),
})

type MemoryMiddleware = LanguageModelMiddleware &
  Required<Pick<LanguageModelMiddleware, 'transformParams' | 'wrapGenerate' | 'wrapStream'>>

/** `withMemory` as a middleware, for `wrapLanguageModel`. */
export function memoryMiddleware(
  { modelId }: Pick<Model, 'modelId'>,
  options: WithMemoryOptions,
): MemoryMiddleware {
  const { stack } = options
  const seat = options.seat ?? new Seat(stack, AI_SDK, { modelId, ...options })
  const conversation = new Conversation(seat, options)
  const said = (text: string): Promise<unknown> => seat.hear({ role: 'assistant', text })
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      const block = await conversation.before(params.prompt)
      return block === '' ? params : { ...params, prompt: withBlock(params.prompt, block) }
    },
    wrapGenerate: async ({ doGenerate }) => {
      const result = await doGenerate()
      await said(wordsIn(result.content))
      return result
    },
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream()
      return { ...rest, stream: stream.pipeThrough(listening(said)) }
    },
  }
}

/** The captured part of a conversation, and the memory loaded for its last message. */
class Conversation {
  readonly #seat: Seat
  readonly #options: WithMemoryOptions
  #heard: string | null = null
  #block = ''

  constructor(seat: Seat, options: WithMemoryOptions) {
    this.#seat = seat
    this.#options = options
  }

  /** Reads memory for a new message before the message itself is captured. */
  async before(prompt: readonly Message[]): Promise<string> {
    const question = wordsOf(prompt.findLast(({ role }) => role === 'user'))
    const last = prompt.at(-1)
    if (question !== '' && (last?.role === 'user' || question !== this.#heard)) {
      this.#block = await this.#known(question)
      this.#heard = question
      await this.#seat.hear({ role: 'user', text: question })
    }
    if (last?.role === 'tool') await this.#hearResults(last)
    return this.#block
  }

  async #known(question: string): Promise<string> {
    const { stack, use = 'plan', tokenBudget = TOKENS, found = FOUND } = this.#options
    const { actor, caller } = await this.#seat.author()
    const by = { actor, caller, for: use }
    const loaded = await stack.load({ ...by, tokenBudget })
    const results = found === 0 ? [] : await stack.search(question, { ...by, limit: found })
    const blocks = [
      ...(loaded._meta.included === 0 ? [] : [loaded]),
      ...(results.length === 0 ? [] : [results]),
    ].map((what) => stack.lookup.render(what, { for: 'prompt', charsMax: CHARS_MAX }))
    return (await Promise.all(blocks)).join('\n')
  }

  /** Results of memory's own tools hold recalled words, which are no news. */
  async #hearResults(message: Extract<Message, { role: 'tool' }>): Promise<void> {
    for (const part of message.content) {
      if (part.type !== 'tool-result' || OWN_TOOLS.has(part.toolName)) continue
      const { output } = part
      const text = 'value' in output ? textOf(output.value) : ''
      await this.#seat.hear({ role: 'tool', text })
    }
  }
}

const OWN_TOOLS: ReadonlySet<string> = new Set(toolsOf('full').map(({ name }) => name))

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The text parts of a message, without files. */
function wordsOf(message: Message | undefined): string {
  if (message === undefined) return ''
  return typeof message.content === 'string' ? message.content : wordsIn(message.content)
}

const wordsIn = (content: readonly { readonly type: string; readonly text?: unknown }[]): string =>
  content
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')

/** Beside the user's words, and never in the instructions: recalled words are data. */
function withBlock(prompt: Params['prompt'], block: string): Params['prompt'] {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  return prompt.map((message, index) =>
    index === at && message.role === 'user'
      ? { ...message, content: [{ type: 'text' as const, text: block }, ...message.content] }
      : message,
  )
}

type Part = Awaited<ReturnType<Stream>>['stream'] extends ReadableStream<infer P> ? P : never

/** Passes a stream on as it comes, and hands over the words at its end. */
function listening(said: (text: string) => Promise<unknown>): TransformStream<Part, Part> {
  let words = ''
  return new TransformStream({
    transform: (part, controller) => {
      if (part.type === 'text-delta') words += part.delta
      controller.enqueue(part)
    },
    flush: async () => {
      await said(words)
    },
    // A reader that stops early has still seen these words.
    cancel: async () => {
      await said(words)
    },
  })
}
