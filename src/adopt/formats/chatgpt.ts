import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nameOf,
  present,
  textOf,
  timeOf,
} from '../fields.ts'
import { itemsOfJson, type JsonPlace } from '../json-items.ts'
import { bad, type ReadItem, record, type SourceRecord, skipped } from '../record.ts'
import { ACCOUNT_EXPORTS, endsIn, type Format } from './format.ts'

/** The account export of ChatGPT: a list of conversations, each a tree of messages. */
export const chatgpt: Format = {
  name: 'chatgpt',
  tool: 'ChatGPT',
  usualPlaces: ACCOUNT_EXPORTS,
  wants: endsIn('.json'),
  recognises: ({ text }) => /^\s*\[\s*\{/.test(text) && /"mapping"\s*:\s*\{/.test(text),
  read: (file) => itemsOfJson(file, ['$.*'], itemsOfConversation),
}

interface Conversation {
  readonly id: string | undefined
  readonly title: string
  readonly position: string
  readonly time: unknown
}

function* itemsOfConversation(value: Fields, { number }: JsonPlace): Generator<ReadItem, void> {
  const position = `conversation ${number}`
  if (!isFields(value.mapping)) {
    yield bad(position, 'has no tree of messages')
    return
  }
  const of: Conversation = {
    id: nameOf(value.conversation_id ?? value.id),
    title: nameOf(value.title) ?? 'untitled',
    position,
    time: value.create_time,
  }
  const tree = new Tree(value.mapping)
  const shown = tree.branchTo(nameOf(value.current_node))
  let message = 0
  for (const { id, node } of tree.inOrder()) {
    if (!isFields(node.message)) continue // the root of a tree holds no message
    message += 1
    const place = `${position}, message ${message}`
    const isOnBranch = shown.size === 0 || shown.has(id)
    yield itemOf(node.message, { ...of, position: place }, { id, isOnBranch })
  }
  const lost = tree.size - tree.reached
  if (lost > 0) yield bad(position, `${lost} messages are their own ancestors`)
}

/** The nodes of a conversation. A file from outside may hold circles and wrong links. */
class Tree {
  readonly #nodes: ReadonlyMap<string, Fields>
  reached = 0

  constructor(mapping: Fields) {
    this.#nodes = new Map(
      Object.entries(mapping).flatMap(([id, node]) =>
        isFields(node) ? [[id, node] as const] : [],
      ),
    )
  }

  get size(): number {
    return this.#nodes.size
  }

  #parentOf(node: Fields): string | undefined {
    const { parent } = node
    return typeof parent === 'string' && this.#nodes.has(parent) ? parent : undefined
  }

  /** Every reachable node once, parents before children, children in the order of the source. */
  *inOrder(): Generator<{ readonly id: string; readonly node: Fields }, void> {
    const below = new Map<string, string[]>()
    const open: string[] = []
    for (const [id, node] of this.#nodes) {
      const parent = this.#parentOf(node)
      if (parent === undefined) open.push(id)
      else {
        const siblings = below.get(parent) ?? []
        siblings.push(id)
        below.set(parent, siblings)
      }
    }
    open.reverse()
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = this.#nodes.get(id)
      if (node === undefined) continue
      this.reached += 1
      yield { id, node }
      open.push(...this.#ordered(node, below.get(id) ?? []).toReversed())
    }
  }

  #ordered(node: Fields, children: readonly string[]): readonly string[] {
    const order = new Map(listOf(node.children).map((child, index) => [child, index]))
    const rank = (id: string): number => order.get(id) ?? order.size
    return children.toSorted((a, b) => rank(a) - rank(b))
  }

  /** The ids from the root to a node; empty without the node. */
  branchTo(id: string | undefined): ReadonlySet<string> {
    const branch = new Set<string>()
    for (let at = id; at !== undefined && !branch.has(at); ) {
      const node = this.#nodes.get(at)
      if (node === undefined) break
      branch.add(at)
      at = this.#parentOf(node)
    }
    return branch
  }
}

interface Place {
  readonly id: string
  readonly isOnBranch: boolean
}

function itemOf(message: Fields, of: Conversation, place: Place): ReadItem {
  const role = fieldsOf(message.author).role
  const content = fieldsOf(message.content)
  const metadata = fieldsOf(message.metadata)
  if (content.content_type === 'user_editable_context') return customInstructions(content, of)
  if (isFields(metadata.user_context_message_data)) {
    return customInstructions(metadata.user_context_message_data, of)
  }
  if (role === 'system') return skipped('a system message')
  if (role === 'tool') return skipped('the output of a tool')
  if (metadata.is_visually_hidden_from_conversation === true) return skipped('a hidden message')
  const words = wordsOf(content)
  if (words === null) return skipped(`a message of the type ${nameOf(content.content_type) ?? '?'}`)
  const text = textOf(words)
  if (text === undefined) return skipped('a message without text')
  const recipient = nameOf(message.recipient) ?? 'all'
  if (role === 'user') return record(messageRecord(text, message, { of, place, who: 'user' }))
  if (role !== 'assistant') return bad(of.position, 'has no known author')
  const spoken = messageRecord(text, message, { of, place, who: 'assistant' })
  if (recipient === 'all') return record(spoken)
  return recipient === 'bio' ? record(savedMemory(spoken)) : skipped('a call of a tool')
}

interface Speaking {
  readonly of: Conversation
  readonly place: Place
  readonly who: 'user' | 'assistant'
}

function messageRecord(text: string, message: Fields, { of, place, who }: Speaking): SourceRecord {
  const { id, isOnBranch } = place
  const model = nameOf(fieldsOf(message.metadata).model_slug)
  const from = `ChatGPT, “${of.title}”, ${who}${isOnBranch ? '' : ', another version'}`
  return present({
    key: JSON.stringify(['message', of.id ?? of.title, id, text]),
    position: of.position,
    voice: who === 'user' ? ('person' as const) : ('model' as const),
    author: who === 'user' ? 'user' : model,
    text,
    // Some messages have no time or the time 0.
    time: timeOf(message.create_time || of.time || undefined),
    session: of.id,
    turn: id,
    from,
  })
}

/** A fact that the model saved about the person. */
const savedMemory = (spoken: SourceRecord): SourceRecord => ({
  ...spoken,
  conclusion: {
    kind: 'note',
    body: { content: spoken.text, noteType: 'fact', tags: ['chatgpt', 'memory'] },
  },
})

/** The person's standing instructions, repeated in every conversation, and kept once. */
function customInstructions(content: Fields, of: Conversation): ReadItem {
  const parts = [
    content.user_profile ?? content.about_user_message,
    content.user_instructions ?? content.about_model_message,
  ].flatMap((part) => textOf(part) ?? [])
  if (parts.length === 0) return skipped('a system message')
  const text = parts.join('\n\n')
  const key = JSON.stringify(['instructions', text])
  const { position } = of
  const from = 'ChatGPT, custom instructions'
  return record({ key, position, voice: 'person', author: 'user', text, from })
}

/** The words of a message; null for a type that holds none of the two speakers’ words. */
function wordsOf(content: Fields): string | null {
  switch (content.content_type) {
    case 'text':
    case undefined:
      return listOf(content.parts)
        .filter((part) => typeof part === 'string')
        .join('\n')
    case 'multimodal_text':
      return listOf(content.parts)
        .flatMap((part) => (typeof part === 'string' ? part : (textOf(fieldsOf(part).text) ?? [])))
        .join('\n')
    case 'code':
      return typeof content.text === 'string' ? content.text : ''
    default:
      return null
  }
}
