import { assertContinues, isSameHead } from '../../domain/continues.ts'
import type { Hash } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Batch, Head } from '../../domain/waist.ts'
import type { CommitResult } from '../../ports/store.ts'
import { insertInto, type ListColumn, upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { putCounters } from './counters.ts'
import type { PgRow } from './driver.ts'
import { type KnownKeys, putEdges } from './edges.ts'
import { eraseFrom } from './erase.ts'
import { dataLoss, faultNamed, schemaNewer } from './faults.ts'
import { STORED_COLUMNS, storedValues } from './memory-rows.ts'
import { putRows } from './rows-in-parts.ts'
import { MIGRATIONS } from './schema.ts'
import { sent } from './sent.ts'
import { bytesText } from './text.ts'
import { putWords, type WordRows, wordRowsOf } from './words.ts'

export interface Committed {
  /** Null where the head is another one, and what was sent has to be undone before it can be read. */
  readonly result: CommitResult | null
  /** What it leaves in the stack's row, by which it is known again when its answer was lost. */
  readonly mark: string | null
}

const LAST = `
  SELECT l.seq, encode(l.entry_hash, 'hex') FROM provenance_log l
  WHERE l.stack_id = $1 ORDER BY l.seq DESC LIMIT 1`

interface Asked {
  readonly batch: Batch
  readonly expected: Head
  readonly keys: KnownKeys
  /**
   * Sent at once, all of it is written before anybody looks, and undone by the caller where the head
   * is another one; whoever goes on working in the transaction looks first.
   */
  readonly way: 'at_once' | 'looking_first'
}

/** Writes a batch into the transaction that is open; the caller ends it one way or the other. */
export async function commitTo(connection: Connection, asked: Asked): Promise<Committed> {
  const { batch, expected, way } = asked
  if (way === 'looking_first' || !doesContinue(asked)) {
    const { head } = (await connection.standing()).tip
    if (!isSameHead(head, expected)) return { result: { committed: false, head }, mark: null }
    assertWhole(head, await lastEntry(connection))
    assertContinues(batch, expected)
  }
  const words = wordRowsOf(batch.texts)
  const moving = moveHead(connection, { ...batch, words, expected })
  // On another head its failure means nothing.
  const putting = sent(put(connection, asked, words))
  const moved = await moving
  if (moved === null) return { result: null, mark: null }
  await putting
  return { result: { committed: true }, mark: moved.mark }
}

/** What breaks the chain is never sent; whether it is told depends on the head. */
function doesContinue({ batch, expected }: Asked): boolean {
  try {
    assertContinues(batch, expected)
    return true
  } catch {
    return false
  }
}

/** Statements run in the order in which they are sent. */
async function put(
  connection: Connection,
  { batch, expected, keys }: Asked,
  words: WordRows,
): Promise<void> {
  await Promise.all([
    putEntries(connection, batch),
    putMemories(connection, batch.memories),
    putEdges(connection, batch.memories, { lastSeq: expected.seq, keys }),
    putWords(connection, words, expected.seq),
    putCounters(connection, batch),
    batch.erased ? eraseFrom(connection, batch.erased) : null,
  ])
}

/** A head ahead of its entries stops everything: what is lost is named, never healed over. */
export function assertWhole(head: Head, last: PgRow | undefined): void {
  const seq = Number(last?.[0] ?? -1)
  if (seq < head.seq) throw dataLoss(head.seq, seq)
  if (seq > head.seq || (seq >= 0 && last?.[1] !== head.hash)) {
    throw faultNamed('store_corrupt', { facts: { head: head.seq, last: seq } })
  }
}

export const lastEntry = (connection: Connection) => connection.row(LAST)

const ENTRY_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'bytes', type: 'bytea' },
  { name: 'entry_hash', type: 'bytea' },
  { name: 'prev_hash', type: 'bytea' },
  { name: 'ref', type: 'text' },
]
const PUT_ENTRIES = insertInto('provenance_log', ENTRY_COLUMNS)

const SEALED_COLUMNS: readonly ListColumn[] = [
  { name: 'seq', type: 'bigint' },
  { name: 'ref', type: 'text' },
  { name: 'salt', type: 'bytea' },
  { name: 'bytes', type: 'bytea' },
]
const PUT_SEALED = insertInto('sealed', SEALED_COLUMNS)

export const PUT_POLICY = `
  INSERT INTO policies (stack_id, hash, seq) VALUES ($1, decode(?, 'hex'), ?)
  ON CONFLICT (stack_id, hash) DO UPDATE SET seq = excluded.seq`

async function putEntries(connection: Connection, { entries, sealed }: Batch): Promise<void> {
  const puts: Promise<unknown>[] = []
  if (entries.length > 0) {
    const rows = entries.map(({ entry, bytes, hash }) => {
      return [entry.seq, bytes, bytesText(hash), bytesText(entry.prevHash), entry.ref]
    })
    puts.push(putRows(connection, PUT_ENTRIES, { rows, columns: ENTRY_COLUMNS }))
  }
  if (sealed.length > 0) {
    const rows = sealed.map(({ seq, ref, salt, bytes }) => [seq, ref, salt, bytes])
    puts.push(putRows(connection, PUT_SEALED, { rows, columns: SEALED_COLUMNS }))
  }
  for (const { entry } of entries) {
    if (entry.op !== 'policy') continue
    const policy = entry.decision.facts.hash as Hash // written by the gate
    puts.push(connection.rows(PUT_POLICY, policy, entry.seq))
  }
  await Promise.all(puts)
}

const PUT_MEMORIES = upsertInto('memories', STORED_COLUMNS, ['seq'])

export async function putMemories(
  connection: Connection,
  memories: readonly MemoryState[],
): Promise<void> {
  if (memories.length === 0) return
  const latest = new Map(memories.map((memory) => [memory.seq, memory]))
  const rows = [...latest.values()].map(storedValues)
  await putRows(connection, PUT_MEMORIES, { rows, columns: STORED_COLUMNS })
}

const STANDING_COLUMNS = [
  'seq',
  'hash',
  'rev',
  'time',
  'tree',
  'uid',
  'replica',
  'state',
  'policy_hash',
  'enforcing',
  'tombstones',
  'distrusted',
] as const
const REPLACED = STANDING_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')

const MARK_CHARS = 36
const MARKS_CHARS = MARK_CHARS * 8 // the last few: others may commit before somebody asks

/** Only on the head that is expected: nobody else's row is touched, and none is told to be moved. */
const MOVE_HEAD = `
  INSERT INTO stacks AS s (stack_id, ${STANDING_COLUMNS.join(', ')}, documents, lengths, commit_marks)
  VALUES ($1, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, gen_random_uuid()::text)
  ON CONFLICT (stack_id) DO UPDATE SET ${REPLACED},
    documents = s.documents + excluded.documents, lengths = s.lengths + excluded.lengths,
    commit_marks = left(excluded.commit_marks || ' ' || s.commit_marks, ${MARKS_CHARS})
  WHERE s.seq = ? AND s.hash = decode(?, 'hex') AND s.rev = ?
  RETURNING left(s.commit_marks, ${MARK_CHARS}), (s.xmax = 0)::int, (SELECT max(version) FROM schema_version)`

interface Moving extends Pick<Batch, 'tip' | 'stack'> {
  readonly words: Pick<WordRows, 'documents' | 'lengths'>
  readonly expected: Head
}

/** The stack's row on its way to the new head; null where it stands on another one. */
export async function moveHead(
  connection: Connection,
  { tip, stack, words, expected }: Moving,
): Promise<{ readonly mark: string } | null> {
  const { head, time, tree } = tip
  const { uid, replica, state, policyHash, enforcing, tombstones, distrusted } = stack
  const row = await connection.row(
    MOVE_HEAD,
    ...[head.seq, head.hash, head.rev, time, JSON.stringify(tree)],
    ...[uid, replica, state, policyHash, enforcing ? 1 : 0, tombstones],
    JSON.stringify(distrusted),
    ...[words.documents, words.lengths, expected.seq, expected.hash, expected.rev],
  )
  if (!row) return null
  const [mark, isNew, version] = row
  // A row that was not there is the head of a stack that was never written, and of no other.
  if (isNew === 1 && expected.rev !== 0) return null
  if (Number(version) > MIGRATIONS.length) throw schemaNewer(Number(version), MIGRATIONS.length)
  return { mark: String(mark) }
}
