import { createHash } from 'node:crypto'
import type { NOTE_TYPES } from '../../domain/kinds/note.ts'
import {
  type Fields,
  fieldsOf,
  namedIn,
  nameOf,
  present,
  shareOf,
  tagsOf,
  textOf,
  timeOf,
} from '../fields.ts'
import { itemsOfJson } from '../json-items.ts'
import { bad, type ReadItem, record, skipped } from '../record.ts'
import { endsIn, type Format } from './format.ts'

/** Portable AI Memory 1.0: one JSON document of memories, with relations between them. */
export const pam: Format = {
  name: 'pam',
  tool: 'Portable AI Memory',
  usualPlaces: [{ under: 'folder', path: 'memory-store.json' }],
  wants: endsIn('.json'),
  recognises: ({ text }) => /^\s*\{/.test(text) && /"schema"\s*:\s*"portable-ai-memory"/.test(text),
  read: (file) =>
    itemsOfJson(file, ['$.memories.*', '$.relations.*'], (value, { list, position }) => [
      list === 'relations' ? skipped('a relation between two memories') : itemOf(value, position),
    ]),
}

/** The digest of PAM: of the words in small letters, with single spaces. */
export function pamHash(content: string): string {
  const plain = content.trim().toLowerCase().normalize('NFC').split(/\s+/).filter(Boolean).join(' ')
  return `sha256:${createHash('sha256').update(plain).digest('hex')}`
}

const NOTE_TYPE_OF: Readonly<Record<string, (typeof NOTE_TYPES)[number]>> = {
  fact: 'fact',
  skill: 'fact',
  identity: 'fact',
  instruction: 'procedure',
}

function itemOf(value: Fields, position: string): ReadItem {
  const status = nameOf(value.status) ?? 'active'
  if (status !== 'active') return skipped(`${status} in the source`)
  const content = textOf(value.content)
  const id = nameOf(value.id)
  if (content === undefined || id === undefined) return bad(position, 'needs an id and a content')
  if (typeof value.content_hash === 'string' && value.content_hash !== pamHash(content)) {
    return bad(position, 'is not as it was written: content_hash is the hash of other words')
  }
  const type = nameOf(value.type === 'custom' ? value.custom_type : value.type) ?? 'fact'
  const provenance = fieldsOf(value.provenance)
  const confidence = fieldsOf(value.confidence)
  const method = provenance.extraction_method
  const isPersons = method === 'explicit_user_input' || method === 'manual'
  const body = present({
    content,
    noteType: namedIn(NOTE_TYPE_OF, type),
    reason: textOf(value.summary),
    contextTags: [`pam:${type}`.slice(0, TYPE_CHARS_MAX)],
    tags: tagsOf(value.tags ?? []),
  })
  return record({
    key: JSON.stringify(['memory', id, content]),
    position: `${position}, ${id}`,
    voice: isPersons ? ('person' as const) : ('model' as const),
    author: nameOf(provenance.platform_user_id ?? provenance.platform),
    text: content,
    time: timeOf(fieldsOf(value.temporal).created_at),
    session: nameOf(provenance.conversation_ref),
    turn: nameOf(provenance.message_ref),
    from: `PAM, ${nameOf(provenance.platform) ?? 'unknown platform'}`,
    confidence: shareOf(confidence.current ?? confidence.initial),
    own: nameOf(fieldsOf(value.metadata).muniment),
    conclusion: { kind: 'note' as const, body },
  })
}

const TYPE_CHARS_MAX = 100
