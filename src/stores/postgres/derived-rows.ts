import type { TextRow } from '../../domain/kinds/content.ts'
import type { Batch } from '../../domain/waist.ts'
import type { VectorBatch } from '../../ports/models.ts'
import { MODEL } from '../sql/search.ts'
import { putRows } from './commit.ts'
import type { Connection } from './connection.ts'
import {
  bytesText,
  insertInto,
  keyOf,
  type ListColumn,
  listOf,
  POSTGRES,
  upsertInto,
} from './dialect.ts'
import type { PgRow } from './drivers.ts'

const WORD_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'length', type: 'integer' },
  { name: 'terms', type: 'text' },
]
const PUT_WORDS = insertInto('words', WORD_COLUMNS)

const POSTING_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'term', type: 'text' },
  { name: 'times', type: 'integer' },
  { name: 'length', type: 'integer' },
]
const PUT_POSTINGS = insertInto('postings', POSTING_COLUMNS)

// Postings are found through the terms stored for their memory.
const DROP_POSTINGS = `
  DELETE FROM postings p USING words w, unnest(string_to_array(w.terms, ' ')) AS said (term)
  WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[])
    AND p.stack_id = $1 AND p.term = said.term AND p.seq = w.seq`

// The stack's row counts the memories in search and the sum of their terms.
const DROP_WORDS = `
  WITH gone AS (
    DELETE FROM words w WHERE w.stack_id = $1 AND w.seq = ANY (?::bigint[]) RETURNING w.length)
  UPDATE stacks s SET documents = s.documents - g.many, lengths = s.lengths - g.length
  FROM (SELECT count(*) AS many, coalesce(sum(length), 0) AS length FROM gone) g
  WHERE s.stack_id = $1 AND g.many > 0`

/** Takes memories out of the index. */
export async function dropTexts(connection: Connection, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  const list = listOf(seqs)
  await Promise.all([connection.rows(DROP_POSTINGS, list), connection.rows(DROP_WORDS, list)])
}

/** Search terms of memories as rows, with the number of added memories and terms. */
export interface WordRows {
  readonly words: readonly PgRow[]
  readonly postings: readonly PgRow[]
  readonly seqs: readonly number[]
  readonly documents: number
  readonly lengths: number
}

/** Each memory once, and each of its terms once, with the number of occurrences. */
export function wordRowsOf(texts: Iterable<TextRow>): WordRows {
  const latest = new Map<number, string>()
  for (const { seq, terms } of texts) latest.set(seq, terms)
  const words: PgRow[] = []
  const postings: PgRow[] = []
  let lengths = 0
  for (const [seq, text] of latest) {
    const terms = text === '' ? [] : text.split(' ')
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, times] of counts) postings.push([seq, term, times, terms.length])
    words.push([seq, terms.length, text])
    lengths += terms.length
  }
  return { words, postings, seqs: [...latest.keys()], documents: latest.size, lengths }
}

/** Memories up to `lastSeq` may be known by other words. */
export async function putWords(
  connection: Connection,
  { words, postings, seqs }: WordRows,
  lastSeq: number,
): Promise<void> {
  const old = seqs.filter((seq) => seq <= lastSeq)
  await Promise.all([
    dropTexts(connection, old),
    putRows(connection, PUT_WORDS, { rows: words, columns: WORD_COLUMNS }),
    putRows(connection, PUT_POSTINGS, { rows: postings, columns: POSTING_COLUMNS }),
  ])
}

const KNOW_MODEL = `
  INSERT INTO vector_models (stack_id, key, id, dimension, upto)
  SELECT $1, coalesce(max(m.key), 0) + 1, ?, ?, -1 FROM vector_models m WHERE m.stack_id = $1
  ON CONFLICT (stack_id, id, dimension) DO NOTHING`

const REACH = `
  UPDATE vector_models SET upto = greatest(upto, ?) WHERE stack_id = $1 AND key = ?`
// Only for memories still in search, with their current words: another process may have erased them
// meanwhile.
const PUT = `
  INSERT INTO vectors (stack_id, model, seq, revision_seq, at_ms, vector)
  SELECT $1, ?, j.seq, j.revision_seq, j.at_ms, j.vector
  FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
      AS j (seq, revision_seq, at_ms, vector)
    ${POSTGRES.one('memories', 'seq', 'j.seq', 'm')} ${POSTGRES.one('words', 'seq', 'j.seq', 'w')}
  WHERE m.revision_seq = j.revision_seq
  ON CONFLICT (stack_id, model, seq) DO UPDATE
  SET revision_seq = excluded.revision_seq, at_ms = excluded.at_ms, vector = excluded.vector`

/** Writes into the open transaction; false when nothing was written. */
export async function putVectors(
  connection: Connection,
  { model, from, upto, rows }: VectorBatch,
): Promise<boolean> {
  const knowing = connection.rows(KNOW_MODEL, model.id, model.dimension)
  const [key = 0, reached] =
    (await connection.row(MODEL(POSTGRES), model.id, model.dimension)) ?? []
  await knowing
  if (Number(reached) < from) return false
  const latest = [...new Map(rows.map((row) => [row.seq, row])).values()]
  const lists = [
    latest.map(({ seq }) => seq),
    latest.map(({ revisionSeq }) => revisionSeq),
    latest.map(({ atMs }) => atMs),
    latest.map(({ vector }) => {
      return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    }),
  ]
  await connection.rows(PUT, key, ...lists.map(listOf))
  await connection.rows(REACH, upto, key)
  return true
}

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
