import type { Narrowed } from '../../ports/store.ts'
import type { SqlValue } from '../sql/values.ts'
import { BY_PERSON } from './schema.ts'

/** Conditions on `memories m`, and the values they are asked with; no text from outside is SQL. */
export interface Conditions {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export function narrowed(where: Narrowed = {}): Conditions {
  const parts: string[] = []
  const values: SqlValue[] = []
  const add = (sql: string, ...given: readonly SqlValue[]): void => {
    parts.push(` AND ${sql}`)
    values.push(...given)
  }
  if (where.subtype !== undefined) add('m.subtype = ?', whole(where.subtype))
  if (where.status !== undefined) add('m.status = ?', whole(where.status))
  if (where.name !== undefined) add('m.name = ?', whole(where.name))
  if (where.session !== undefined) add('m.session = ?', whole(where.session))
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
    add('m.disposition NOT IN (SELECT value FROM json_each(?))', JSON.stringify(where.except))
  }
  if (where.withoutCaptures) add('m.captured = 0')
  if (where.withoutBookkeeping) add("NOT (m.kind = 'note' AND m.door = 'hook')")
  if (where.untouched) add('m.captured = 0 AND m.status IS NULL')
  return { sql: parts.join(''), values }
}

/** Half a character would be asked for as another one; nothing that is kept holds it, or equals NULL. */
const whole = (text: string): string | null => (text.isWellFormed() ? text : null)

/**
 * A list column that holds any of the texts asked for. A list is kept as JSON, so that one that
 * holds a text holds its JSON too; most rows are passed over by that without being parsed.
 */
function holding(column: 'tags' | 'context_tags', texts: readonly string[]): Conditions {
  const quoted = texts.map((text) => JSON.stringify(text))
  const seen = quoted.map(() => `instr(m.${column}, ?) > 0`).join(' OR ')
  const sql = `(m.${column} IS NOT NULL AND (${seen || 'false'}) AND EXISTS (
    SELECT 1 FROM json_each(m.${column}) has JOIN json_each(?) asked ON has.value = asked.value))`
  return { sql, values: [...quoted, JSON.stringify(texts)] }
}
