import type { NOTE_TYPES } from '../../domain/kinds/note.ts'
import {
  type Fields,
  listIn,
  namedIn,
  nameOf,
  present,
  tagsOf,
  textOf,
  textsIn,
  timeOf,
} from '../fields.ts'
import { itemsOfJson } from '../json-items.ts'
import { bad, type ReadItem, record, type SourceRecord, skipped } from '../record.ts'
import { hasColumn, isDatabase, itemsOfTables } from '../sqlite-rows.ts'
import { endsIn, type Format } from './format.ts'

/** Tables of the database, and the lists of an export with the same records. */
const LIST_OF_TABLE = {
  observations: 'observations',
  session_summaries: 'summaries',
  user_prompts: 'prompts',
} as const

const PATHS = ['observations', 'summaries', 'prompts', 'sessions'].map((list) => `$.${list}.*`)

/** claude-mem: its SQLite database, and the JSON that its script `export-memories` writes. */
export const claudeMem: Format = {
  name: 'claude-mem',
  tool: 'claude-mem',
  usualPlaces: [{ under: 'home', path: '.claude-mem/claude-mem.db' }],
  wants: endsIn('.json', '.db', '.sqlite'),
  recognises: (head) =>
    hasColumn(head, 'observations', 'narrative') ||
    (/^\s*\{/.test(head.text) &&
      /"totalObservations"\s*:/.test(head.text) &&
      /"totalSummaries"\s*:/.test(head.text)),
  read: (file, head) =>
    isDatabase(head)
      ? itemsOfTables(file, LIST_OF_TABLE, itemOf)
      : itemsOfJson(file, PATHS, (value, { list, position }) => [itemOf(list, value, position)]),
}

function itemOf(list: string, value: Fields, position: string): ReadItem {
  if (list === 'observations') return observationItem(value, position)
  if (list === 'summaries') return summaryItem(value, position)
  return list === 'prompts' ? promptItem(value, position) : skipped('data about a session')
}

const NOTE_TYPE_OF: Readonly<Record<string, (typeof NOTE_TYPES)[number]>> = {
  decision: 'decision',
  bugfix: 'diagnostic',
  discovery: 'insight',
}

const placeOf = (value: Fields) => ({
  time: timeOf(value.created_at_epoch ?? value.created_at),
  session: nameOf(value.memory_session_id ?? value.sdk_session_id ?? value.content_session_id),
  turn: nameOf(value.prompt_number),
})

const keyOf = (list: string, value: Fields, text: string): string =>
  JSON.stringify([list, nameOf(value.id) ?? '', nameOf(value.created_at_epoch) ?? '', text])

function observationItem(value: Fields, position: string): ReadItem {
  const parts = [value.title, value.subtitle, value.narrative, value.text]
  const facts = textsIn(value.facts)
  const words = [
    ...parts.flatMap((part) => textOf(part) ?? []),
    ...facts.map((fact) => `- ${fact}`),
  ]
  if (words.length === 0) return bad(position, 'has no words')
  const type = nameOf(value.type)
  const text = [...new Set(words)].join('\n')
  const body = present({
    content: text,
    noteType: namedIn(NOTE_TYPE_OF, type) ?? ('observation' as const),
    context: nameOf(value.project),
    tags: tagsOf('claude-mem', type ?? [], listIn(value.concepts)),
  })
  return record(modelsRecord(value, { list: 'observations', position, text, body }))
}

function summaryItem(value: Fields, position: string): ReadItem {
  const [request, completed] = [textOf(value.request), textOf(value.completed)]
  const rest = [value.investigated, value.learned, value.next_steps, value.notes]
  const words = [request, completed, ...rest.map(textOf)].filter((part) => part !== undefined)
  if (words.length === 0) return bad(position, 'has no words')
  const text = words.join('\n')
  const project = nameOf(value.project)
  const made = { list: 'summaries', position, text }
  const learned = textOf(value.learned)
  if (request === undefined || completed === undefined) {
    const body = present({ content: text, context: project, tags: tagsOf('claude-mem', 'summary') })
    return record(modelsRecord(value, { ...made, body }))
  }
  const body = present({
    objective: request,
    outcome: completed,
    lessons: learned === undefined ? [] : [learned],
    context: project,
    tags: tagsOf('claude-mem'),
  })
  const { conclusion, ...rest2 } = modelsRecord(value, { ...made, body: { content: text } })
  return record({ ...rest2, conclusion: { kind: 'episode', body } })
}

interface Conclusion {
  readonly list: string
  readonly position: string
  readonly text: string
  readonly body: Extract<NonNullable<SourceRecord['conclusion']>, { kind: 'note' }>['body']
}

const modelsRecord = (value: Fields, { list, position, text, body }: Conclusion): SourceRecord =>
  present({
    key: keyOf(list, value, text),
    position,
    voice: 'model' as const,
    text,
    from: `claude-mem, ${list}`,
    ...placeOf(value),
    conclusion: { kind: 'note' as const, body },
  })

function promptItem(value: Fields, position: string): ReadItem {
  const text = textOf(value.prompt_text ?? value.prompt ?? value.text)
  if (text === undefined) return bad(position, 'has no words')
  return record({
    key: keyOf('prompts', value, text),
    position,
    voice: 'person' as const,
    author: 'user',
    text,
    from: 'claude-mem, prompts',
    ...placeOf(value),
  })
}
