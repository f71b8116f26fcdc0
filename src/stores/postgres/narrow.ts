import type { Narrowed } from '../../ports/store.ts'
import type { PgValue } from './driver.ts'
import { BY_PERSON } from './schema.ts'
import { keyOf, listOf } from './text.ts'

/** Conditions on `memories m`, and the values they are asked with; no text from outside is SQL. */
export interface Conditions {
  readonly sql: string
  readonly values: readonly PgValue[]
}

export function narrowed(where: Narrowed = {}): Conditions {
  const parts: string[] = []
  const values: PgValue[] = []
  const add = (sql: string, ...given: readonly PgValue[]): void => {
    parts.push(` AND ${sql}`)
    values.push(...given)
  }
  if (where.subtype !== undefined) add('m.subtype = ?', whole(where.subtype))
  if (where.status !== undefined) add('m.status = ?', whole(where.status))
  if (where.name !== undefined) {
    add('m.name_key = ? AND m.name = ?', keyOf(where.name), whole(where.name))
  }
  if (where.session !== undefined) {
    add('m.session_key = ? AND m.session = ?', keyOf(where.session), whole(where.session))
  }
  if (where.byPerson) add(BY_PERSON('m.'))
  if (where.source !== undefined) add('m.source_id = ?', whole(where.source))
  if (where.bornFrom !== undefined) add('m.born_at >= ?', where.bornFrom)
  if (where.bornBefore !== undefined) add('m.born_at < ?', where.bornBefore)
  if (where.context !== undefined) {
    const tagged = holding('context_tags', [where.context])
    add(`(m.context = ? OR ${tagged.sql})`, whole(where.context), ...tagged.values)
  }
  if (where.contextOrNone !== undefined) {
    const tagged = holding('context_tags', [where.contextOrNone])
    const isOpen = '(m.context IS NULL AND m.context_tags IS NULL)'
    const sql = `(m.context = ? OR ${isOpen} OR ${tagged.sql})`
    add(sql, whole(where.contextOrNone), ...tagged.values)
  }
  if (where.tags !== undefined) {
    const tagged = holding('tags', where.tags)
    add(tagged.sql, ...tagged.values)
  }
  if (where.strengthMin) add('m.strength >= ?', where.strengthMin)
  if (where.confidenceMin) add('m.confidence >= ?', where.confidenceMin)
  if (where.tierMin) add('m.tier >= ?', where.tierMin)
  if (where.tierBelow !== undefined) add('m.tier < ?', where.tierBelow)
  if (where.except && where.except.length > 0) {
    add('m.disposition <> ALL (?::text[])', listOf(where.except))
  }
  if (where.withoutCaptures) add('m.captured = 0')
  if (where.withoutBookkeeping) add("NOT (m.kind = 'note' AND m.door = 'hook')")
  if (where.untouched) add('m.captured = 0 AND m.status IS NULL')
  return { sql: parts.join(''), values }
}

/** Half a character would be asked for as another one; nothing that is kept holds it, or equals NULL. */
const whole = (text: string): string | null => (text.isWellFormed() ? text : null)

/**
 * A list column, kept as JSON, that holds any of the texts asked for, compared as JSON too. Of the
 * characters that are stored as two, one stands in JSON as it is: there it has to be written out.
 */
function holding(column: 'tags' | 'context_tags', texts: readonly string[]): Conditions {
  const quoted = texts.map((text) => JSON.stringify(text).replaceAll(BOM, BOM_ESCAPED))
  const sql = `(m.${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_array_elements(replace(m.${column}, ${BOM_STORED}, '${BOM_ESCAPED}')::json) has
    WHERE has::text = ANY (?::text[])))`
  return { sql, values: [listOf(quoted)] }
}

const BOM = '\ufeff'
const BOM_STORED = 'chr(1) || chr(3)' // as `toStored` writes it
const BOM_ESCAPED = '\\ufeff'
