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
import { itemsOfJson } from '../json-items.ts'
import { bad, type ReadItem, record, type SourceRecord, skipped } from '../record.ts'
import { ACCOUNT_EXPORTS, endsIn, type Format } from './format.ts'

/** The account export of Claude.ai: conversations with flat messages, and `memories.json`. */
export const claudeAi: Format = {
  name: 'claude-ai',
  tool: 'Claude.ai',
  usualPlaces: [...ACCOUNT_EXPORTS, { under: 'folder', path: 'memories.json' }],
  wants: endsIn('.json'),
  recognises: ({ text }) =>
    /^\s*\[\s*\{/.test(text) &&
    (/"chat_messages"\s*:\s*\[/.test(text) || /"conversations_memory"\s*:/.test(text)),
  read: (file) =>
    itemsOfJson(file, ['$.*'], (value, { number }) =>
      value.chat_messages === undefined
        ? itemsOfMemory(value, `entry ${number}`)
        : itemsOfConversation(value, number),
    ),
}

function* itemsOfConversation(value: Fields, number: number): Generator<ReadItem, void> {
  const id = nameOf(value.uuid)
  const title = nameOf(value.name) ?? 'untitled'
  for (const [index, message] of listOf(value.chat_messages).entries()) {
    const position = `conversation ${number}, message ${index + 1}`
    if (isFields(message)) yield* itemsOfMessage(message, { id, title, position })
    else yield bad(position, 'is not a message')
  }
}

interface Place {
  readonly id: string | undefined
  readonly title: string
  readonly position: string
}

function* itemsOfMessage(message: Fields, place: Place): Generator<ReadItem, void> {
  const { sender } = message
  if (sender !== 'human' && sender !== 'assistant') {
    yield bad(place.position, 'has no known author')
    return
  }
  const blocks = listOf(message.content).filter(isFields)
  for (const { type } of blocks) {
    if (type !== 'text') yield skipped(`a block of the type ${nameOf(type) ?? '?'}`)
  }
  const spoken = blocks
    .filter(({ type }) => type === 'text')
    .flatMap(({ text }) => textOf(text) ?? [])
  const text = spoken.length > 0 ? spoken.join('\n\n') : textOf(message.text)
  const who = sender === 'human' ? 'user' : 'assistant'
  if (text === undefined) yield skipped('a message without text')
  else yield record(recordOf(text, message, { ...place, who }))
  for (const [index, attachment] of listOf(message.attachments).entries()) {
    const { file_name: name, extracted_content: content } = fieldsOf(attachment)
    const words = textOf(content)
    const position = `${place.position}, attachment ${index + 1}`
    if (words === undefined) yield skipped('an attachment without text')
    else {
      const of = { ...place, position, who: nameOf(name) ?? 'a file' }
      const attached = recordOf(words, message, of)
      const { author, ...rest } = attached
      const key = JSON.stringify(['attachment', attached.key, String(index)])
      yield record({ ...rest, key, voice: 'document' })
    }
  }
}

function recordOf(
  text: string,
  message: Fields,
  { id, title, position, who }: Place & { readonly who: string },
): SourceRecord {
  const turn = nameOf(message.uuid)
  const isPersons = message.sender === 'human'
  return present({
    key: JSON.stringify(['message', id ?? title, turn ?? position, text]),
    position,
    voice: isPersons ? ('person' as const) : ('model' as const),
    author: isPersons ? 'user' : 'claude',
    text,
    time: timeOf(message.created_at),
    session: id,
    turn,
    from: `Claude.ai, “${title}”, ${who}`,
  })
}

/** The memory that Claude.ai keeps of a person and of each project: conclusions of the model. */
function* itemsOfMemory(value: Fields, position: string): Generator<ReadItem, void> {
  const parts = [
    ['all conversations', value.conversations_memory] as const,
    ...Object.entries(fieldsOf(value.project_memories)),
  ]
  let count = 0
  for (const [name, words] of parts) {
    const content = textOf(words)
    if (content === undefined) continue
    count += 1
    yield record({
      key: JSON.stringify(['memory', name, content]),
      position: `${position}, ${name}`,
      voice: 'model',
      author: 'claude',
      text: content,
      from: `Claude.ai, memory of ${name}`,
      conclusion: { kind: 'note', body: { content, tags: ['claude-ai', 'memory'] } },
    })
  }
  if (count === 0) yield bad(position, 'is neither a conversation nor a memory')
}
