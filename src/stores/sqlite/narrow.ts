import type { Narrowed } from '../../ports/store.ts'
import type { SqlValue } from './driver.ts'

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
  if (where.subtype !== undefined) add('m.subtype = ?', where.subtype)
  if (where.status !== undefined) add('m.status = ?', where.status)
  if (where.name !== undefined) add('m.name = ?', where.name)
  if (where.context !== undefined) {
    const { context } = where
    add(`(m.context = ? OR ${HOLDS('context_tags')})`, context, JSON.stringify([context]))
  }
  if (where.contextOrNone !== undefined) {
    const context = where.contextOrNone
    const isOpen = '(m.context IS NULL AND m.context_tags IS NULL)'
    const holds = HOLDS('context_tags')
    add(`(m.context = ? OR ${holds} OR ${isOpen})`, context, JSON.stringify([context]))
  }
  if (where.tags !== undefined) add(HOLDS('tags'), JSON.stringify(where.tags))
  if (where.strengthMin) add('m.strength >= ?', where.strengthMin)
  if (where.confidenceMin) add('m.confidence >= ?', where.confidenceMin)
  if (where.tierMin) add('m.tier >= ?', where.tierMin)
  if (where.except && where.except.length > 0) {
    add('m.disposition NOT IN (SELECT value FROM json_each(?))', JSON.stringify(where.except))
  }
  return { sql: parts.join(''), values }
}

/** A list column that holds any of the texts asked for. */
const HOLDS = (column: 'tags' | 'context_tags'): string =>
  `(m.${column} IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(m.${column}) has JOIN json_each(?) asked ON has.value = asked.value))`
