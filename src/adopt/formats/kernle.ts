import { BELIEF_TYPES } from '../../domain/kinds/belief.ts'
import { GOAL_PRIORITIES, GOAL_STATUSES } from '../../domain/kinds/goal.ts'
import { NOTE_TYPES } from '../../domain/kinds/note.ts'
import {
  type Fields,
  listIn,
  nameOf,
  oneOf,
  present,
  shareOf,
  tagsOf,
  textOf,
  textsIn,
  timeOf,
} from '../fields.ts'
import { itemsOfJson } from '../json-items.ts'
import { bad, type Conclusion, type ReadItem, record, skipped } from '../record.ts'
import { hasColumn, isDatabase, itemsOfTables } from '../sqlite-rows.ts'
import { endsIn, type Format } from './format.ts'

/** Tables of the database, and the lists of an export with the same records. */
const LIST_OF_TABLE = {
  raw_entries: 'raw_entries',
  notes: 'notes',
  beliefs: 'beliefs',
  episodes: 'episodes',
  goals: 'goals',
  agent_values: 'values',
  drives: 'drives',
  relationships: 'relationships',
} as const

type List = (typeof LIST_OF_TABLE)[keyof typeof LIST_OF_TABLE]
const PATHS = Object.values(LIST_OF_TABLE).map((list) => `$.${list}.*`)

/** kernle: its JSON export, and its SQLite database. */
export const kernle: Format = {
  name: 'kernle',
  tool: 'kernle',
  usualPlaces: [{ under: 'home', path: '.kernle/memories.db' }],
  wants: endsIn('.json', '.db', '.sqlite'),
  recognises: (head) =>
    hasColumn(head, 'agent_values', 'stack_id') ||
    (/^\s*\{\s*"(?:stack_id|agent_id)"\s*:/.test(head.text) &&
      /"(?:raw_entries|values|beliefs)"\s*:/.test(head.text)),
  read: (file, head) =>
    isDatabase(head)
      ? itemsOfTables(file, LIST_OF_TABLE, itemOf)
      : itemsOfJson(file, PATHS, (value, { list, position }) => [
          itemOf(list as List, value, position), // PATHS name these lists alone
        ]),
}

function itemOf(list: List, row: Fields, position: string): ReadItem {
  if (row.deleted === 1 || row.deleted === true) return skipped('deleted in the source')
  if (row.is_active === 0 || row.is_active === false) return skipped('superseded in the source')
  if (row.strength === 0) return skipped('forgotten in the source')
  const made = wordsOf(list, row)
  if (made === null) return bad(position, 'has no words')
  const { text, conclusion } = made
  const isObserved = list === 'raw_entries'
  return record({
    key: JSON.stringify([list, nameOf(row.id) ?? '', text]),
    position,
    voice: isObserved ? ('document' as const) : ('model' as const),
    author: nameOf(row.source_entity),
    text,
    time: timeOf(row.created_at ?? row.timestamp),
    from: `kernle, ${list.replace('_', ' ')}`,
    confidence: isObserved ? undefined : shareOf(row.confidence),
    conclusion,
  })
}

interface Words {
  readonly text: string
  readonly conclusion: Conclusion | undefined
}

const join = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join('\n')

/** The words and fields of a record; null for a record without words. */
function wordsOf(list: List, row: Fields): Words | null {
  const common = present({
    context: nameOf(row.context),
    tags: tagsOf('kernle', listIn(row.tags)),
  })
  switch (list) {
    case 'raw_entries': {
      const text = textOf(row.blob ?? row.content)
      return text === undefined ? null : { text, conclusion: undefined }
    }
    case 'notes':
      return noteWords(row, common)
    case 'beliefs': {
      const statement = textOf(row.statement)
      if (statement === undefined) return null
      const beliefType = oneOf(row.belief_type ?? row.type, BELIEF_TYPES) ?? 'fact'
      return {
        text: statement,
        conclusion: { kind: 'belief', body: { statement, beliefType, ...common } },
      }
    }
    case 'episodes':
      return episodeWords(row, common)
    case 'goals':
      return goalWords(row, common)
    case 'values':
      return valueWords(row, common)
    case 'drives':
      return driveWords(row, common)
    case 'relationships':
      return relationshipWords(row, common)
  }
}

type Common = { readonly context: string; readonly tags: readonly string[] }
const shared = ({ context, tags }: Common) => present({ context, tags: [...tags] })

function noteWords(row: Fields, common: Common): Words | null {
  const content = textOf(row.content)
  if (content === undefined) return null
  const body = present({
    content,
    noteType: oneOf(row.note_type ?? row.type, NOTE_TYPES) ?? ('note' as const),
    speaker: nameOf(row.speaker),
    reason: textOf(row.reason),
    ...shared(common),
  })
  return { text: content, conclusion: { kind: 'note', body } }
}

const OUTCOMES = ['success', 'failure', 'partial', 'unknown'] as const

function episodeWords(row: Fields, common: Common): Words | null {
  const [objective, outcome] = [textOf(row.objective), textOf(row.outcome)]
  if (objective === undefined || outcome === undefined) return null
  const lessons = textsIn(row.lessons)
  const body = present({
    objective,
    outcome,
    outcomeType: oneOf(row.outcome_type, OUTCOMES),
    lessons,
    repeat: textsIn(row.repeat),
    avoid: textsIn(row.avoid),
    ...shared(common),
  })
  return { text: join(objective, outcome, ...lessons), conclusion: { kind: 'episode', body } }
}

function goalWords(row: Fields, common: Common): Words | null {
  const title = textOf(row.title)
  if (title === undefined) return null
  const description = textOf(row.description)
  const body = present({
    title,
    description,
    priority: oneOf(row.priority, GOAL_PRIORITIES) ?? ('medium' as const),
    status: oneOf(row.status, GOAL_STATUSES) ?? ('active' as const),
    ...shared(common),
  })
  return { text: join(title, description), conclusion: { kind: 'goal', body } }
}

/** A value of another stack is a belief here: values rest on beliefs of their own stack. */
function valueWords(row: Fields, common: Common): Words | null {
  const [name, words] = [textOf(row.name), textOf(row.statement)]
  const statement = [name, words].filter((part) => part !== undefined).join(': ')
  if (statement === '') return null
  const body = {
    statement,
    beliefType: 'principle',
    beliefScope: 'self',
    ...shared(common),
  } as const
  return { text: statement, conclusion: { kind: 'belief', body } }
}

function driveWords(row: Fields, common: Common): Words | null {
  const type = textOf(row.drive_type ?? row.type)
  if (type === undefined) return null
  const areas = textsIn(row.focus_areas)
  const intensity = shareOf(row.intensity)
  const strength = intensity === undefined ? '' : ` (${intensity})`
  const content = `Drive: ${type}${strength}${areas.length === 0 ? '' : `: ${areas.join(', ')}`}`
  return { text: content, conclusion: { kind: 'note', body: { content, ...shared(common) } } }
}

function relationshipWords(row: Fields, common: Common): Words | null {
  const entityName = nameOf(row.entity_name ?? row.name)
  if (entityName === undefined) return null
  const relationshipType = nameOf(row.relationship_type ?? row.type) ?? 'known'
  const notes = textOf(row.notes)
  const body = present({
    entityName,
    entityType: nameOf(row.entity_type) ?? 'person',
    relationshipType,
    notes,
    ...shared(common),
  })
  const text = join(`${entityName}: ${relationshipType}`, notes)
  return { text, conclusion: { kind: 'relationship', body } }
}
