import {
  type Fields,
  fieldsOf,
  isFields,
  nameOf,
  present,
  tagsOf,
  textOf,
  timeOf,
} from '../fields.ts'
import { jsonElements } from '../json-elements.ts'
import { bad, type ReadItem, record, skipped } from '../record.ts'
import type { SourceFile } from '../source-file.ts'
import { ForeignDatabase, SQLITE_HEAD } from '../sqlite-rows.ts'
import { endsIn, type FileHead, type Format } from './format.ts'

const MEMORY = /"memory"\s*:\s*"/
const OF_MEM0 = /"(?:hash|user_id|userId|created_at|createdAt|metadata|agent_id|agentId)"\s*:/

/** mem0: the JSON that `getAll` gives, and the history that its library keeps in SQLite. */
export const mem0: Format = {
  name: 'mem0',
  tool: 'mem0',
  usualPlaces: [
    { under: 'home', path: '.mem0/history.db' },
    { under: 'folder', path: 'mem0.json' },
  ],
  wants: endsIn('.json', '.db', '.sqlite'),
  recognises: ({ text }) => (text.startsWith(SQLITE_HEAD) ? HISTORY.test(text) : isGetAll(text)),
  read: (file, head) => (head.text.startsWith(SQLITE_HEAD) ? readHistory(file) : read(file, head)),
}

const HISTORY =
  /CREATE TABLE (?:IF NOT EXISTS )?"?history"?\s*\([^)]*\bmemory_id\b[^)]*\bnew_(?:memory|value)\b/i

const isGetAll = (text: string): boolean =>
  /^\s*(?:\[|\{\s*"results"\s*:\s*\[)\s*\{/.test(text) &&
  MEMORY.test(text) &&
  OF_MEM0.test(text) &&
  !/"schema"\s*:\s*"portable-ai-memory"/.test(text)

async function* read(file: SourceFile, { text }: FileHead): AsyncGenerator<ReadItem, void> {
  const path = /^\s*\[/.test(text) ? '$.*' : '$.results.*'
  for await (const { value, position, why } of jsonElements(file, [path])) {
    yield why === undefined ? itemOf(value, position) : bad(position, why)
  }
}

function itemOf(value: unknown, position: string): ReadItem {
  if (!isFields(value)) return bad(position, 'is not a memory')
  const text = textOf(value.memory)
  const id = nameOf(value.id)
  if (text === undefined) return bad(position, 'has no memory text')
  const metadata = fieldsOf(value.metadata)
  const user = nameOf(value.user_id ?? value.userId)
  const agent = nameOf(value.agent_id ?? value.agentId)
  const content = {
    content: text,
    noteType: 'fact' as const,
    context: user,
    tags: tagsOf('mem0', value.categories ?? [], metadata.category ?? []),
  }
  return record(
    present({
      key: JSON.stringify(id === undefined ? ['words', text] : ['id', id, text]),
      position,
      voice: 'model' as const,
      text,
      author: agent,
      time: timeOf(value.updated_at ?? value.updatedAt ?? value.created_at ?? value.createdAt),
      session: nameOf(value.run_id ?? value.runId),
      own: nameOf(metadata.muniment),
      from: `mem0${user === undefined ? '' : `: ${user}`}`,
      conclusion: { kind: 'note' as const, body: present(content) },
    }),
  )
}

/** The last words of every memory in the history; deleted memories stay out. */
async function* readHistory(file: SourceFile): AsyncGenerator<ReadItem, void> {
  const database = new ForeignDatabase(file)
  try {
    for (const row of database.rows(LAST_WORDS)) yield historyItem(row)
  } finally {
    database.close()
  }
}

const LAST_WORDS =
  'SELECT *, rowid AS place, max(rowid) OVER (PARTITION BY memory_id) AS last_place FROM history ORDER BY rowid'

function historyItem(row: Fields): ReadItem {
  if (row.place !== row.last_place) return skipped('an earlier wording')
  if (row.event === 'DELETE' || row.is_deleted === 1) return skipped('deleted in the source')
  const memory = row.new_memory ?? row.new_value
  const position = `history, row ${nameOf(row.place) ?? '?'}`
  const { memory_id: id, created_at, updated_at, actor_id } = row
  return itemOf({ id, memory, created_at, updated_at, agent_id: actor_id }, position)
}
