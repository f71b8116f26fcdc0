import { type Fields, fieldsOf, listOf, nameOf, present, textOf, timeOf } from '../fields.ts'
import { itemsOfJson, type JsonPlace } from '../json-items.ts'
import { bad, type ReadItem, record, skipped } from '../record.ts'
import { endsIn, type Format } from './format.ts'

/** The agent file of Letta: memory blocks, and messages of its agents. */
export const letta: Format = {
  name: 'letta',
  tool: 'Letta',
  usualPlaces: [],
  wants: endsIn('.af'),
  recognises: ({ file, text }) =>
    /\.af$/i.test(file.name) &&
    /^\s*\{/.test(text) &&
    /"(?:agents|agent_type|core_memory)"\s*:/.test(text),
  read: (file) =>
    itemsOfJson(file, PATHS, (value, place) => itemsOf(value, { ...place, file: file.name })),
}

const PATHS = ['$.agents.*', '$.blocks.*', '$.core_memory.*', '$.messages.*']

type FilePlace = JsonPlace & { readonly file: string }

function itemsOf(value: Fields, { list, position, file }: FilePlace): Iterable<ReadItem> {
  if (list === 'agents') return agentItems(value, position)
  return [
    list === 'messages'
      ? messageItem(value, { position, agent: 'agent' })
      : blockItem(value, { position, agent: file }), // the agents of a block come elsewhere
  ]
}

function* agentItems(agent: Fields, position: string): Generator<ReadItem, void> {
  const name = nameOf(agent.name) ?? nameOf(agent.id) ?? 'agent'
  for (const [index, block] of listOf(agent.memory_blocks).entries()) {
    yield blockItem(fieldsOf(block), { position: `${position}, block ${index + 1}`, agent: name })
  }
  for (const [index, message] of listOf(agent.messages).entries()) {
    const place = `${position}, message ${index + 1}`
    yield messageItem(fieldsOf(message), { position: place, agent: name })
  }
}

/** A block is the agent's own summary of a person, of itself, or of its work. */
function blockItem(block: Fields, { position, agent }: Place): ReadItem {
  const content = textOf(block.value)
  const label = nameOf(block.label)
  if (content === undefined) return skipped('an empty block')
  if (label === undefined) return bad(position, 'has no label')
  const body = present({
    content: content.trim(),
    reason: textOf(block.description),
    context: label,
    tags: ['letta', 'block'],
  })
  return record({
    key: JSON.stringify(['block', agent, nameOf(block.id), label, content]),
    position,
    voice: 'model',
    text: content,
    from: `Letta, block ${label}`,
    conclusion: { kind: 'note', body },
  })
}

interface Place {
  readonly position: string
  readonly agent: string
}

function messageItem(message: Fields, { position, agent }: Place): ReadItem {
  const { role } = message
  if (role === 'system') return skipped('a system message')
  if (role === 'tool') return skipped('the output of a tool')
  if (role !== 'user' && role !== 'assistant') return bad(position, 'has no known author')
  const said = wordsOf(message)
  if (said === undefined) return skipped('a message without text')
  const text = role === 'user' ? personsWords(said) : said
  if (text === null) return skipped('an event of the agent')
  return record({
    key: JSON.stringify(['message', agent, nameOf(message.id) ?? position, text]),
    position,
    voice: role === 'user' ? ('person' as const) : ('model' as const),
    author: role === 'user' ? 'user' : (nameOf(message.model) ?? agent),
    text,
    time: timeOf(message.created_at ?? message.date),
    session: agent,
    turn: nameOf(message.id),
    from: `Letta, ${agent}, ${role}`,
  })
}

function wordsOf({ content, text }: Fields): string | undefined {
  if (typeof content === 'string') return textOf(content)
  const parts = listOf(content).flatMap((part) => textOf(fieldsOf(part).text) ?? [])
  return textOf(parts.length > 0 ? parts.join('\n') : text)
}

/** Older agents wrap what a person said in JSON, beside events such as a heartbeat. */
function personsWords(text: string): string | null {
  if (!/^\s*\{\s*"type"\s*:/.test(text)) return text
  try {
    const { type, message } = fieldsOf(JSON.parse(text))
    return type === 'user_message' ? (textOf(message) ?? null) : null
  } catch {
    return text
  }
}
