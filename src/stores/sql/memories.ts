import { SHORT_ID_CHARS } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type {
  MemoriesQuery,
  MemoryFilter,
  MemoryOrder,
  Projection,
  RecalledRow,
} from '../../ports/queries.ts'
import type { Answer } from '../../ports/store.ts'
import {
  BY_PERSON,
  type Dialect,
  type Fragment,
  GONE,
  numbersOf,
  rowsOf,
  type SqlRow,
  type SqlValue,
  type Steps,
  written,
} from './dialect.ts'
import { recalledOf, withNotes } from './entry-rows.ts'
import { STATE, STORED, sharedMarks, stateOf, storedOf, WITH_SEALED } from './memory-rows.ts'
import { SHELVED, shelvedOf } from './shown-rows.ts'

/**
 * A driver would replace half a character, and no stored text holds half a character, so NULL
 * matches nothing instead.
 */
const whole = (text: string): string | null => (text.isWellFormed() ? text : null)

/** Conditions on `memories m`, each behind an AND. */
function conditionsOf(d: Dialect, where: MemoryFilter = {}): Fragment {
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

/** SQL takes whole numbers only, and no stack has more rows. */
export const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

type Columns = Projection | 'recalled'

type MemoriesRequest = MemoryOrder & {
  readonly as?: Columns
  readonly where?: MemoryFilter
  readonly limit?: number
}

const SELECTED: Readonly<Record<Columns, (d: Dialect) => string>> = {
  stored: written(STORED),
  state: written(STATE),
  section: written(SHELVED),
  seq: () => 'm.seq',
  ref: () => 'm.ref',
  recalled: (d) => `m.seq AS seq, m.revision_seq AS revision, m.label AS label, m.tier AS tier,
    m.source_id AS source, m.session AS session, m.born_at AS born,
    m.strength AS strength, w.${d.words.terms} AS terms`,
}

/** The table that the columns need beside `memories m`. */
function joined(d: Dialect, as: Columns): string {
  if (as === 'stored' || as === 'section') return WITH_SEALED(d)
  return as === 'recalled' ? d.one(d.words.table, d.words.key, 'm.seq', 'w') : ''
}

/** Answers the query `memories`. */
export function* memories<Q extends MemoriesQuery>(d: Dialect, query: Q): Steps<Answer<Q>> {
  const rows = yield* rowsFor(d, query)
  return (yield* projected(d, query.as ?? 'stored', rows)) as Answer<Q> // the query says which
}

function* projected(
  d: Dialect,
  as: Projection,
  rows: readonly SqlRow[],
): Steps<readonly unknown[]> {
  switch (as) {
    case 'stored':
      return yield* withNotes(d, rows.map(storedOf))
    case 'section': {
      const shelved = rows.map((row) => shelvedOf(d, row))
      return yield* withNotes(d, shelved)
    }
    case 'state':
      return statesIn(rows)
    case 'seq':
      return numbersOf(rows)
    case 'ref':
      return rows.map(([ref]) => ref)
  }
}

/** Memories with their search terms. */
export function* recalledRows(
  d: Dialect,
  where: MemoryFilter,
  limit: number,
): Steps<readonly RecalledRow[]> {
  return (yield* rowsFor(d, { as: 'recalled', where, order: 'given', limit })).map(recalledOf)
}

/** States of these keys, oldest first, each once. */
export function* statesOf(d: Dialect, keys: readonly number[]): Steps<readonly MemoryState[]> {
  const inOrder = [...new Set(keys)].sort((a, b) => a - b)
  return statesIn(yield* rowsWith(d, 'state', inOrder))
}

function statesIn(rows: readonly SqlRow[]): readonly MemoryState[] {
  const marks = sharedMarks()
  return rows.map((row) => stateOf(row, marks))
}

/** One statement where an index gives the order, else one for keys and one for rows. */
function* rowsFor(d: Dialect, query: MemoriesRequest): Steps<readonly SqlRow[]> {
  if (!isReadByKeys(d, query)) return yield* chosen(d, query)
  const keys = yield* chosen(d, { ...query, as: 'seq' })
  return yield* rowsWith(d, query.as ?? 'stored', numbersOf(keys))
}

/**
 * A sort reads whole rows first and drops most of them behind the limit, so keys are read first.
 * PostgreSQL plans the joint statement for longer than the key lookup takes.
 */
function isReadByKeys(d: Dialect, { as, where = {} }: MemoriesRequest): boolean {
  if (as === 'seq' || as === 'ref') return false
  if (where.review || where.ungrounded || where.newestOfLine) return true
  return d.name === 'postgres' && as !== 'state' && (where.seqs === undefined || as === 'recalled')
}

function* chosen(d: Dialect, query: MemoriesRequest): Steps<readonly SqlRow[]> {
  if (query.order === 'heaviest') return yield* heaviest(d, query)
  const { sql, values } = conditionsOf(d, query.where)
  const from = sourceOf(d, query)
  const limit = atMost(query.limit ?? Infinity)
  if (query.order === 'given') {
    const text = `${from.sql} WHERE TRUE${sql} ${d.inListOrder} ${d.limit}`
    return yield* rowsOf(text, ...from.values, ...values, limit)
  }
  const isNewest = query.order !== 'oldest'
  if (query.byOrigin && isNewest) {
    // Without an index: only stacks with entries of other replicas are listed so.
    const behind = '(m.born_at, m.ref) < (SELECT a.born_at, a.ref FROM memories a WHERE'
    const { after = null } = query
    const page = after === null ? '' : ` AND ${behind} ${d.inStack('a')} AND a.seq = ?)`
    const text = `${from.sql} WHERE ${d.inStack('m')}${page}${sql}
      ORDER BY m.born_at DESC, m.ref DESC ${d.limit}`
    return yield* rowsOf(text, ...from.values, ...(after === null ? [] : [after]), ...values, limit)
  }
  const cursor = query.after ?? (isNewest ? Number.MAX_SAFE_INTEGER : -1)
  const text = `${from.sql} WHERE ${d.inStack('m')} AND m.seq ${isNewest ? '<' : '>'} ?${sql}
    ORDER BY m.seq ${isNewest ? 'DESC ' : ''}${d.limit}`
  return yield* rowsOf(text, ...from.values, cursor, ...values, limit)
}

/** The source of rows: the table of memories, or a small set of known keys. */
function sourceOf(d: Dialect, { as = 'stored', where = {} }: MemoriesRequest): Fragment {
  const select = `SELECT ${SELECTED[as](d)} FROM`
  const { seqs, refs, ungrounded } = where
  const listed = (column: 'seq' | 'ref', values: readonly SqlValue[]): Fragment => {
    const list = d.list(column === 'seq' ? 'bigint' : 'text')
    const sql = `${select} ${list} ${d.one('memories', column, d.item, 'm')} ${joined(d, as)}`
    return { sql, values: [d.listValue(values)] }
  }
  if (seqs !== undefined) return listed('seq', seqs)
  if (refs !== undefined) return listed('ref', refs)
  if (ungrounded) {
    const from = `(${TOUCHED(d)}) touched ${d.one('memories', 'seq', 'touched.seq', 'm')}`
    return { sql: `${select} ${from} ${joined(d, as)}`, values: [] }
  }
  return { sql: `${select} memories m ${d.indexFor(where)} ${joined(d, as)}`, values: [] }
}

/** Only a child of an erased or forgotten memory can have lost every source. */
const TOUCHED = written(
  (d) => `
  SELECT e.child AS seq FROM memories g ${d.many('edges', 'parent', 'g.seq', 'e')}
    WHERE ${d.inStack('g')} AND ${GONE('g.')}
  UNION SELECT e.child FROM absent a ${d.many('edges', 'parent', 'a.key', 'e')}
    WHERE ${d.inStack('a')}`,
)

/**
 * Memories without weight come last and are not in the weight index: few kinds have weights at all.
 */
function* heaviest(
  d: Dialect,
  {
    as = 'stored',
    where,
    after,
    limit = Infinity,
  }: Extract<MemoriesRequest, { order: 'heaviest' }>,
): Steps<readonly SqlRow[]> {
  const { sql, values } = conditionsOf(d, where)
  const from = `SELECT ${SELECTED[as](d)} FROM memories m ${joined(d, as)} WHERE ${d.inStack('m')}`
  const { weight, seq } = after ?? { weight: Number.MAX_VALUE, seq: Number.MAX_SAFE_INTEGER }
  const max = atMost(limit)
  // Must repeat the wording of the weight index, or the planner ignores the index.
  const heavy = `${from} AND m.weight > 0 AND (m.weight, m.seq) < (?, ?)${sql}
    ORDER BY m.weight DESC, m.seq DESC ${d.limit}`
  const light = `${from} AND m.weight = 0 AND m.seq < ?${sql} ORDER BY m.seq DESC ${d.limit}`
  const first = weight === 0 ? [] : yield* rowsOf(heavy, weight, seq, ...values, max)
  if (first.length === max) return first
  const last = weight === 0 ? seq : Number.MAX_SAFE_INTEGER
  return [...first, ...(yield* rowsOf(light, last, ...values, max - first.length))]
}

function* rowsWith(d: Dialect, as: Columns, keys: readonly SqlValue[]): Steps<readonly SqlRow[]> {
  if (keys.length === 0) return []
  const from = sourceOf(d, { as, where: { seqs: [] }, order: 'given' })
  return yield* rowsOf(`${from.sql} ${d.inListOrder}`, d.listValue(keys))
}
