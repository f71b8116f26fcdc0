import type { Batch } from '../../domain/waist.ts'
import { insertInto, type ListColumn, upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { putRows } from './rows-in-parts.ts'
import { bytesText, keyOf } from './text.ts'

const KEY_COLUMNS: readonly ListColumn[] = [
  { name: 'actor_key', type: 'uuid' },
  { name: 'actor', type: 'text' },
  { name: 'key', type: 'text' },
  { name: 'since', type: 'bigint' },
]
const PUT_KEYS = upsertInto('actor_keys', KEY_COLUMNS, ['actor_key'])

const TALLY_COLUMNS: readonly ListColumn[] = [
  { name: 'key_key', type: 'uuid' },
  { name: 'key', type: 'text' },
  { name: 'rule', type: 'text' },
  { name: 'about', type: 'text' },
  { name: 'actor', type: 'text' },
  { name: 'actor_key', type: 'uuid' },
  { name: 'door', type: 'text' },
  { name: 'pseudonym', type: 'bytea' },
  { name: 'entry_seq', type: 'bigint' },
  { name: 'entry_hash', type: 'bytea' },
  { name: 'count', type: 'bigint' },
  { name: 'first_at', type: 'text' },
  { name: 'last_at', type: 'text' },
]
const PUT_TALLIES = upsertInto('tallies', TALLY_COLUMNS, ['key_key'])

const BURST_COLUMNS: readonly ListColumn[] = [
  { name: 'identity', type: 'bytea' },
  { name: 'actor_key', type: 'uuid' },
  { name: 'actor', type: 'text' },
  { name: 'times', type: 'text' },
  { name: 'quarantined', type: 'text' },
]
const PUT_BURSTS = upsertInto('bursts', BURST_COLUMNS, ['identity', 'actor_key'])
const BEGIN_BURSTS = `${insertInto('bursts', BURST_COLUMNS)} ON CONFLICT DO NOTHING`

const TOMBSTONE_COLUMNS: readonly ListColumn[] = [
  { name: 'mark', type: 'bytea' },
  { name: 'seq', type: 'bigint' },
]
const PUT_TOMBSTONES = upsertInto('tombstones', TOMBSTONE_COLUMNS, ['mark'])

/** The last row of each key: one statement may change a row only once. */
const latest = <Row>(rows: readonly Row[], nameOf: (row: Row) => string): readonly Row[] => [
  ...new Map(rows.map((row) => [nameOf(row), row])).values(),
]

/** Data outside entries: actor keys, counters and tombstones. */
export async function putCounters(connection: Connection, batch: Batch): Promise<void> {
  const sent: Promise<unknown>[] = []
  if (batch.actorKeys.length > 0) {
    const rows = latest(batch.actorKeys, ({ actor }) => actor).map(({ actor, key, since }) => {
      return [keyOf(actor), actor, key, since]
    })
    sent.push(putRows(connection, PUT_KEYS, { rows, columns: KEY_COLUMNS }))
  }
  if (batch.tallies.length > 0) sent.push(putTallies(connection, batch))
  const { bursts, begunBursts = [] } = batch
  for (const [sql, counted] of [
    [PUT_BURSTS, bursts],
    [BEGIN_BURSTS, begunBursts],
  ] as const) {
    if (counted.length === 0) continue
    const each = latest(counted, ({ actor, identity }) => `${identity} ${actor}`)
    const rows = each.map(({ actor, identity, times, quarantined }) => {
      return [bytesText(identity), keyOf(actor), actor, JSON.stringify(times), quarantined]
    })
    sent.push(putRows(connection, sql, { rows, columns: BURST_COLUMNS }))
  }
  if (batch.tombstones.length > 0) {
    const marks = latest(batch.tombstones, ({ mark }) => mark)
    const rows = marks.map(({ mark, seq }) => [bytesText(mark), seq])
    sent.push(putRows(connection, PUT_TOMBSTONES, { rows, columns: TOMBSTONE_COLUMNS }))
  }
  await Promise.all(sent)
}

async function putTallies(connection: Connection, { tallies }: Batch): Promise<void> {
  const rows = latest(tallies, ({ key }) => key).map((tally) => {
    const { key, rule, about, actor, door, pseudonym, entrySeq, entryHash } = tally
    const { count, firstAt, lastAt } = tally
    return [
      ...[keyOf(key), key, rule, about, actor, actor === null ? null : keyOf(actor), door],
      ...[bytesText(pseudonym), entrySeq, bytesText(entryHash), count, firstAt, lastAt],
    ]
  })
  await putRows(connection, PUT_TALLIES, { rows, columns: TALLY_COLUMNS })
}
