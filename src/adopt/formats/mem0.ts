import { type Fields, fieldsOf, nameOf, present, tagsOf, textOf, timeOf } from '../fields.ts'
import { itemsOfJson } from '../json-items.ts'
import { bad, type ReadItem, record, skipped } from '../record.ts'
import type { SourceFile } from '../source-file.ts'
import { hasColumn, isDatabase, rowsOf, tooLarge } from '../sqlite-rows.ts'
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
  recognises: (head) => hasColumn(head, 'history', 'memory_id') || isGetAll(head.text),
  read: (file, head) => (isDatabase(head) ? readHistory(head) : read(file, head)),
}

const isGetAll = (text: string): boolean =>
  /^\s*(?:\[|\{\s*"results"\s*:\s*\[)\s*\{/.test(text) &&
  MEMORY.test(text) &&
  OF_MEM0.test(text) &&
  !/"schema"\s*:\s*"portable-ai-memory"/.test(text)

function read(file: SourceFile, { text }: FileHead): AsyncIterable<ReadItem> {
  const paths = /^\s*\[/.test(text) ? ['$.*'] : ['$.results.*', '$.relations.*']
  return itemsOfJson(file, paths, (value, { list, position }) => [
    list === 'relations' ? relationItem(value, position) : itemOf(value, position),
  ])
}

/** A line of mem0’s graph, which its language model drew. */
function relationItem(value: Fields, position: string): ReadItem {
  const parts = [value.source, value.relationship, value.target ?? value.destination].map(nameOf)
  if (parts.includes(undefined)) return bad(position, 'needs source, relationship and target')
  const text = parts.join(' ')
  const body = { content: text, noteType: 'fact', tags: ['mem0', 'relation'] } as const
  const key = JSON.stringify(['relation', ...parts])
  const conclusion = { kind: 'note', body } as const
  return record({ key, position, voice: 'model', text, from: 'mem0: relation', conclusion })
}

function itemOf(value: Fields, position: string): ReadItem {
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
  return record({
    key: JSON.stringify(id === undefined ? ['words', text, user, agent] : ['id', id, text]),
    position,
    voice: 'model' as const,
    text,
    author: agent,
    time: timeOf(value.updated_at ?? value.updatedAt ?? value.created_at ?? value.createdAt),
    session: nameOf(value.run_id ?? value.runId),
    own: nameOf(metadata.muniment),
    from: `mem0${user === undefined ? '' : `: ${user}`}`,
    conclusion: { kind: 'note' as const, body: present(content) },
  })
}

/** The last words of every memory in the history; deleted memories stay out. */
function* readHistory(head: FileHead): Generator<ReadItem, void> {
  if (!hasColumn(head, 'history', 'memory_id')) {
    yield bad('the file', 'has no table history with a column memory_id')
    return
  }
  let number = 0
  for (const row of rowsOf(head.file, 'history', LAST_PLACE)) {
    number += 1
    yield row === 'too large' ? tooLarge(`history, row ${number}`) : historyItem(row)
  }
}

const LAST_PLACE = ', rowid AS place, max(rowid) OVER (PARTITION BY memory_id) AS last_place'

function historyItem(row: Fields): ReadItem {
  if (row.place !== row.last_place) return skipped('an earlier wording')
  if (row.event === 'DELETE' || row.is_deleted === 1) return skipped('deleted in the source')
  const memory = row.new_memory ?? row.new_value
  const position = `history, row ${nameOf(row.place) ?? '?'}`
  const { memory_id: id, created_at, updated_at, actor_id } = row
  return itemOf({ id, memory, created_at, updated_at, agent_id: actor_id }, position)
}
