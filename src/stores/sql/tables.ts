import { assert } from '../../domain/errors.ts'
import type { Erasure } from '../../ports/store.ts'
import type { TableName, TableQuery, Tables } from '../../ports/table-query.ts'
import { type Dialect, written } from './dialect.ts'
import { atMost } from './memories.ts'
import {
  actorKeyOf,
  BURST,
  burstOf,
  SEALED,
  sealedOf,
  TALLY,
  tallyOf,
  tombstoneOf,
  type Untrusted,
} from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'
import type { SqlRow, SqlValue } from './values.ts'

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

export function* tableRows(d: Dialect, query: TableQuery): Steps<readonly unknown[]> {
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
