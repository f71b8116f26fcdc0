import type { MemoryState } from '../../domain/state.ts'
import type {
  MemoriesQuery,
  MemoryFilter,
  MemoryOrder,
  Projection,
} from '../../ports/memory-query.ts'
import type { RecalledRow } from '../../ports/recalled.ts'
import type { Answer } from '../../ports/store.ts'
import { conditionsOf } from './conditions.ts'
import { type Dialect, type Fragment, written } from './dialect.ts'
import { STATE, STORED, sharedMarks, stateOf, storedOf, WITH_SEALED } from './memory-rows.ts'
import { withNotes } from './notes.ts'
import { GONE } from './predicates.ts'
import { recalledOf } from './rows.ts'
import { SHELVED, shelvedOf } from './shown-rows.ts'
import { numbersOf, rowsOf, type Steps } from './steps.ts'
import type { SqlRow, SqlValue } from './values.ts'

/** SQL takes whole numbers only, and no stack has more rows. */
export const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER)

/** A projection, or the columns that search looks at. */
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
