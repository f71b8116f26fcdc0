import { type Fields, fieldsOf, isFields, listOf, nameOf, present, textOf } from '../fields.ts'
import { bad, type ReadItem, record, type SourceRecord } from '../record.ts'
import { linesOf, type SourceFile } from '../source-file.ts'
import { endsIn, type Format } from './format.ts'

/** Tags with which an export finds entities and relations again. */
export const SERVER_MEMORY_TAGS = {
  observation: 'server-memory',
  entity: 'server-memory:entity',
  relation: 'server-memory:relation',
} as const

/** Without a setting, the server keeps its file in its own package. */
const PACKAGE = 'node_modules/@modelcontextprotocol/server-memory'

/** Settings of clients, which name the file of the server. */
const CLIENTS = [
  '.claude.json',
  '.cursor/mcp.json',
  '.config/Claude/claude_desktop_config.json',
  'Library/Application Support/Claude/claude_desktop_config.json',
  'AppData/Roaming/Claude/claude_desktop_config.json',
]

function memoryFilesIn({ mcpServers }: Fields): readonly unknown[] {
  return Object.values(fieldsOf(mcpServers)).map(
    (server) => fieldsOf(fieldsOf(server).env).MEMORY_FILE_PATH,
  )
}

const NAME_CHARS_MAX = 200 // a tag holds the other names of the record

/** The MCP reference server `server-memory`: a graph, one JSON object on a line. */
export const serverMemory: Format = {
  name: 'server-memory',
  tool: 'MCP server-memory',
  usualPlaces: [
    { under: 'folder', path: 'memory.jsonl' },
    { under: 'folder', path: '.mcp/memory.jsonl' },
    { under: 'home', path: '.mcp/memory.jsonl' },
    { under: 'home', path: 'memory.jsonl' },
    { under: 'home', path: `.npm/_npx/*/${PACKAGE}/dist/memory.jsonl` },
    { under: 'home', path: `.npm/_npx/*/${PACKAGE}/dist/memory.json` },
    { under: 'folder', path: '.mcp.json', names: memoryFilesIn },
    ...CLIENTS.map((path) => ({ under: 'home', path, names: memoryFilesIn }) as const),
  ],
  wants: endsIn('.jsonl', '.json'),
  recognises: ({ text }) => {
    const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
    return (
      /^\s*\{/.test(first) &&
      (/"type"\s*:\s*"entity"/.test(first) || /"type"\s*:\s*"relation"/.test(first)) &&
      /"(?:observations|relationType|entityType)"\s*:/.test(first)
    )
  },
  read,
}

async function* read(file: SourceFile): AsyncGenerator<ReadItem, void> {
  for await (const { number, text, why } of linesOf(file)) {
    const position = `line ${number}`
    if (text === null) yield bad(position, why ?? 'cannot be read')
    else if (text.trim() !== '') yield* itemsOf(text, position)
  }
}

function* itemsOf(line: string, position: string): Generator<ReadItem, void> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    yield bad(position, 'is not JSON')
    return
  }
  if (!isFields(value)) yield bad(position, 'is not a JSON object')
  else if (value.type === 'entity') yield* entityItems(value, position)
  else if (value.type === 'relation') yield relationItem(value, position)
  else yield bad(position, 'is neither an entity nor a relation')
}

function* entityItems(value: Fields, position: string): Generator<ReadItem, void> {
  const name = graphName(value.name)
  const type = graphName(value.entityType)
  if (name === null || type === null) {
    yield bad(position, `needs a name and an entityType of at most ${NAME_CHARS_MAX} characters`)
    return
  }
  if (!Array.isArray(value.observations ?? [])) {
    yield bad(position, 'holds observations that are no list')
    return
  }
  const observations = listOf(value.observations)
  const tags = (kind: string) => [kind, type]
  if (observations.length === 0) {
    const words = { text: `${name} (${type})`, tags: tags(SERVER_MEMORY_TAGS.entity) }
    yield record(graphRecord(['entity', name, type], { name, position, ...words }))
  }
  for (const [index, observation] of observations.entries()) {
    const place = `${position}, observation ${index + 1}`
    const text = textOf(observation)
    if (text === undefined) yield bad(place, 'is not a text')
    else {
      const key = ['observation', name, type, text]
      const words = { text, tags: tags(SERVER_MEMORY_TAGS.observation) }
      const own = nameOf(listOf(value.muniment)[index])
      yield record(graphRecord(key, { name, position: place, own, ...words }))
    }
  }
}

function relationItem(value: Fields, position: string): ReadItem {
  const [from, to] = [graphName(value.from), graphName(value.to)]
  const type = graphName(value.relationType)
  if (from === null || to === null || type === null) {
    return bad(position, `needs from, to and relationType of at most ${NAME_CHARS_MAX} characters`)
  }
  const words = {
    text: `${from} ${type} ${to}`,
    tags: [SERVER_MEMORY_TAGS.relation, type, to] as const,
  }
  const own = nameOf(value.muniment)
  return record(graphRecord(['relation', from, type, to], { name: from, position, own, ...words }))
}

/** Names keep every character, so that an export gives the same graph; others are refused. */
function graphName(value: unknown): string | null {
  const name = textOf(value)
  return name === undefined || name.length > NAME_CHARS_MAX ? null : name
}

interface GraphWords {
  readonly name: string
  readonly position: string
  readonly text: string
  readonly tags: readonly string[]
  readonly own?: string | undefined
}

/** An observation is a conclusion of the model that used the server. */
function graphRecord(
  key: readonly string[],
  { name, position, text, tags, own }: GraphWords,
): SourceRecord {
  const isOfEntity = tags[0] === SERVER_MEMORY_TAGS.observation
  const body = {
    content: isOfEntity ? `${name}: ${text}` : text,
    noteType: 'observation',
    context: name,
    contextTags: [...tags],
  } as const
  return present({
    key: JSON.stringify(key),
    position,
    voice: 'model' as const,
    text,
    from: `server-memory: ${name}`,
    conclusion: { kind: 'note' as const, body },
    own,
  })
}
