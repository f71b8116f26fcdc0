import { assert } from '../../domain/errors.ts'
import type { TableName, TableQuery, Tables } from '../../ports/queries.ts'
import type { Answers, Erasure, ReadQuery } from '../../ports/store.ts'
import { lineOf } from './claims.ts'
import { type Dialect, rowsOf, type SqlRow, type SqlValue, type Steps, written } from './dialect.ts'
import {
  actorKeyOf,
  BURST,
  burstOf,
  ENTRY,
  entryOf,
  SEALED,
  sealedOf,
  TALLY,
  tallyOf,
  tombstoneOf,
  type Untrusted,
  withNotes,
} from './entry-rows.ts'
import { doubtedStates, lineage, lineageCount } from './lineage.ts'
import { atMost, memories } from './memories.ts'
import { STORED, storedOf, WITH_SEALED } from './memory-rows.ts'
import { matched, recalled, touched, vectorsOf } from './search.ts'

/** A table in one order, as bundles and audits read it. */
interface Listing<Row> {
  readonly sql: (d: Dialect) => string
  readonly rowOf: (row: SqlRow) => Row
}

const listing = <Row>(rowOf: (row: SqlRow) => Row, sql: (d: Dialect) => string): Listing<Row> => ({
  sql: written(sql),
  rowOf,
})

/** `misfiled` is computed from the entries, by each store with its own code. */
const LISTINGS: { readonly [N in Exclude<TableName, 'misfiled'>]: Listing<Tables[N]> } = {
  actorKeys: listing(
    actorKeyOf,
    (d) => `
    SELECT a.actor, a.key, a.since FROM actor_keys a WHERE ${d.inStack('a')} ORDER BY a.place`,
  ),
  tallies: listing(
    tallyOf,
    (d) => `SELECT ${TALLY(d)} FROM tallies t WHERE ${d.inStack('t')} ORDER BY t.place`,
  ),
  tombstones: listing(
    tombstoneOf,
    (d) => `
    SELECT ${d.hex('t.mark')} AS mark, t.seq FROM tombstones t WHERE ${d.inStack('t')} ORDER BY t.seq`,
  ),
  erasures: listing(
    ([seq, entry]) => ({ seq, entry }) as Untrusted<Erasure>,
    (d) => `SELECT e.seq, e.entry FROM erasures e WHERE ${d.inStack('e')} ORDER BY e.seq`,
  ),
  scrubs: listing(
    ([entry]) => Number(entry),
    (d) => `SELECT s.entry FROM scrubs s WHERE ${d.inStack('s')} ORDER BY s.entry`,
  ),
  sealed: listing(
    sealedOf,
    (d) => `
    SELECT ${SEALED(d)} FROM sealed s
    WHERE ${d.inStack('s')} AND s.seq BETWEEN ? AND ? ORDER BY s.seq`,
  ),
  bursts: listing(
    burstOf,
    (d) => `
    SELECT ${BURST(d)} FROM bursts b
    WHERE ${d.inStack('b')} AND b.identity >= ${d.unhex('?')}
      AND (b.identity, b.actor) > (${d.unhex('?')}, ?)
    ORDER BY b.identity, b.actor ${d.limit}`,
  ),
}

function* tableRows(d: Dialect, query: TableQuery): Steps<readonly unknown[]> {
  assert(query.name !== 'misfiled', 'each store finds these in its own way')
  const { sql, rowOf }: Listing<unknown> = LISTINGS[query.name]
  return (yield* rowsOf(sql(d), ...valuesOf(query))).map(rowOf)
}

function valuesOf(query: TableQuery): readonly SqlValue[] {
  if (query.name === 'sealed') return [query.from, atMost(query.to)]
  if (query.name !== 'bursts') return []
  const { identity, actor } = query.after ?? { identity: '', actor: '' } // before every key
  return [identity, identity, actor, atMost(query.limit)]
}

const MEMORY = written(
  (d) => `
  SELECT ${STORED(d)} FROM memories m ${WITH_SEALED(d)} WHERE ${d.inStack('m')} AND m.ref = ?`,
)
const entriesWhere = (condition: string) =>
  written(
    (d) => `
  SELECT ${ENTRY(d)} FROM provenance_log l WHERE ${d.inStack('l')} AND ${condition} ORDER BY l.seq`,
  )
const ENTRIES = entriesWhere('l.seq BETWEEN ? AND ?')
const ENTRIES_ABOUT = entriesWhere('l.ref = ?')

/** Queries that each store answers with its own code. */
type OwnQuery = { readonly type: 'standing' | 'begins' | 'run' | 'policy' }

export function* read(d: Dialect, query: Exclude<ReadQuery, OwnQuery>): Steps<unknown> {
  switch (query.type) {
    case 'memory':
      return (yield* withNotes(d, (yield* rowsOf(MEMORY(d), query.ref)).map(storedOf)))[0] ?? null
    case 'memories':
      return yield* memories(d, query)
    case 'match':
      return yield* matched(d, query)
    case 'recall':
      return yield* recalled(d, query)
    case 'vectors':
      return yield* vectorsOf(d, query.model)
    case 'touched':
      return yield* touched(d, query.after, query.limit)
    case 'line':
      return yield* lineOf(d, query)
    case 'entries': {
      if ('about' in query) return (yield* rowsOf(ENTRIES_ABOUT(d), query.about)).map(entryOf)
      const { from, limit } = query
      return (yield* rowsOf(ENTRIES(d), from, atMost(from + limit) - 1)).map(entryOf)
    }
    case 'lineage':
      return yield* query.as === 'count' ? lineageCount(d, query) : lineage(d, query)
    case 'doubted':
      return yield* doubtedStates(d, query.what, query.visitMax)
    case 'counts':
      return Object.fromEntries(yield* rowsOf(d.counts)) as Untrusted<Answers['counts']>
    case 'table':
      return yield* tableRows(d, query)
  }
}
