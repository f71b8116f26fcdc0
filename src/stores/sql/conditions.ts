import { SHORT_ID_CHARS } from '../../domain/ids.ts'
import type { MemoryFilter } from '../../ports/memory-query.ts'
import type { Dialect, Fragment } from './dialect.ts'
import { BY_PERSON, GONE } from './predicates.ts'
import type { SqlValue } from './values.ts'

/**
 * A driver would replace half a character, and no stored text holds half a character, so NULL
 * matches nothing instead.
 */
const whole = (text: string): string | null => (text.isWellFormed() ? text : null)

/** Conditions on `memories m`, each behind an AND. */
export function conditionsOf(d: Dialect, where: MemoryFilter = {}): Fragment {
  const parts: string[] = []
  const values: SqlValue[] = []
  const add = (sql: string, ...given: readonly SqlValue[]): void => {
    parts.push(` AND ${sql}`)
    values.push(...given)
  }
  const addText = (column: string, text: string | undefined): void => {
    if (text !== undefined) add(`m.${column} = ?`, whole(text))
  }
  const addKey = (column: 'name' | 'session', text: string | undefined): void => {
    if (text === undefined) return
    const key = d.keyColumn(column)
    if (key !== column) add(`m.${key} = ?`, d.keyValue(text))
    addText(column, text)
  }
  addKinds(d, where, add)
  addText('subtype', where.subtype)
  addText('status', where.status)
  addKey('name', where.name)
  addKey('session', where.session)
  if (where.byPerson) add(BY_PERSON('m.'))
  addText('source_id', where.source)
  if (where.bornFrom !== undefined) add('m.born_at >= ?', where.bornFrom)
  if (where.bornBefore !== undefined) add('m.born_at < ?', where.bornBefore)
  addContext(d, where, add)
  if (where.tags !== undefined) {
    const tagged = d.holdsAny('tags', where.tags)
    add(tagged.sql, ...tagged.values)
  }
  if (where.strengthMin) add('m.strength >= ?', where.strengthMin)
  if (where.confidenceMin) add('m.confidence >= ?', where.confidenceMin)
  if (where.tierMin) add('m.tier >= ?', where.tierMin)
  if (where.tierBelow !== undefined) add('m.tier < ?', where.tierBelow)
  if (where.except && where.except.length > 0) {
    add(`NOT ${d.isAmong('m.disposition')}`, d.listValue(where.except))
  }
  if (where.withoutCaptures) add('m.captured = 0')
  if (where.withoutBookkeeping) add("NOT (m.kind = 'note' AND m.door = 'hook')")
  if (where.untouched) add('m.captured = 0 AND m.status IS NULL')
  if (where.changedAfter !== undefined) add(isChanged(d), where.changedAfter)
  if (where.ungrounded) add(isUngrounded(d))
  if (where.newestOfLine) add(isNewestOfLine(d))
  return { sql: parts.join(''), values }
}

type Add = (sql: string, ...given: readonly SqlValue[]) => void

function addKinds(d: Dialect, where: MemoryFilter, add: Add): void {
  const { kind, kinds, review, identity, idPart } = where
  if (idPart !== undefined) addIdPart(d, { idPart, kind }, add)
  else if (kind !== undefined) add('m.kind = ?', kind)
  if (kinds !== undefined) add(d.isAmong('m.kind'), d.listValue(kinds))
  if (where.present) add('m.erased IS NULL')
  if (review !== undefined) {
    // A quarantined capture shares the review of the memory it was captured for.
    add(d.isAmong('m.review'), d.listValue(review))
    add("NOT (m.captured = 1 AND m.review = 'quarantine')")
  }
  if (identity !== undefined) {
    add(`m.identity = ${d.unhex('?')} AND ${d.isIndexedByIdentity} AND m.kind <> 'claim'`, identity)
  }
}

/** From the refs alone, which an index holds. The id begins behind the colon. */
function addIdPart(
  d: Dialect,
  { idPart, kind }: { readonly idPart: string; readonly kind: string | undefined },
  add: Add,
): void {
  const endsWith = 'substr(m.ref, length(m.ref) - length(?) + 1) = ?'
  const shortStartsWith = `substr(substr(m.ref, length(m.ref) - ${SHORT_ID_CHARS - 1}), 1, length(?)) = ?`
  if (idPart.includes(':')) add('FALSE') // no id holds a colon
  const isPart = `(${d.find}(m.ref, ?) > 0 OR ${endsWith} OR ${shortStartsWith})`
  add(isPart, `:${idPart}`, idPart, idPart, idPart, idPart)
  if (kind !== undefined) add(`${d.find}(m.ref, ?) = 1`, `${kind}:`)
}

function addContext(d: Dialect, { context, contextOrNone }: MemoryFilter, add: Add): void {
  if (context !== undefined) {
    const tagged = d.holdsAny('context_tags', [context])
    add(`(m.context = ? OR ${tagged.sql})`, whole(context), ...tagged.values)
  }
  if (contextOrNone !== undefined) {
    const tagged = d.holdsAny('context_tags', [contextOrNone])
    const isOpen = '(m.context IS NULL AND m.context_tags IS NULL)'
    const sql = `(m.context = ? OR ${isOpen} OR ${tagged.sql})`
    add(sql, whole(contextOrNone), ...tagged.values)
  }
}

const isChanged = (d: Dialect): string => `EXISTS (
  SELECT 1 FROM provenance_log l WHERE ${d.inStack('l')} AND l.ref = m.ref AND l.seq > ?)`

/** A belief with sources, all of them gone. */
const isUngrounded = (d: Dialect): string => `m.kind = 'belief'
    AND EXISTS (SELECT 1 FROM edges e WHERE ${d.inStack('e')} AND e.child = m.seq)
    AND NOT EXISTS (
      SELECT 1 FROM edges e ${d.many('memories', 'seq', 'e.parent', 'p')}
      WHERE ${d.inStack('e')} AND e.child = m.seq AND NOT ${GONE('p.')})`

function isNewestOfLine(d: Dialect): string {
  const noneLater = [d.stands, d.gaveWay].map(
    (side) => `NOT EXISTS (
      SELECT 1 FROM memories n
      WHERE ${d.inStack('n')} AND n.line = m.line AND n.${side} AND n.seq > m.seq AND n.erased IS NULL)`,
  )
  return `m.kind = 'claim' AND m.line IS NOT NULL AND m.erased IS NULL AND ${noneLater.join(' AND ')}`
}
