import type { Hash } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { assertContinues, type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult } from '../../ports/store.ts'
import { STATE_COLUMNS, TIP_COLUMNS } from '../sql/rows.ts'
import { insertInto, type ListColumn, upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { putCounters } from './counters.ts'
import { MARK_CHARS } from './database.ts'
import type { PgRow } from './driver.ts'
import { areAllKnown, type KnownKeys, type Linking, putEdges } from './edges.ts'
import { eraseFrom } from './erase.ts'
import { codeOf, dataLoss, faultNamed, schemaNewer } from './faults.ts'
import { STORED_COLUMNS, storedValues } from './memory-rows.ts'
import { putRows } from './rows-in-parts.ts'
import { MIGRATIONS, REFUSALS } from './schema.ts'
import { sent } from './sent.ts'
import { bytesText } from './text.ts'
import { putWords, type WordRows, wordRowsOf } from './words.ts'

const LAST = `
  SELECT l.seq, encode(l.entry_hash, 'hex') FROM provenance_log l
  WHERE l.stack_id = $1 ORDER BY l.seq DESC LIMIT 1`

export interface Committing {
  readonly batch: Batch
  readonly expected: Head
  readonly keys: KnownKeys
  /**
   * A mark left in the stack's row; the commit is recognised by the mark when its answer was lost.
   */
  readonly mark: string
}

interface CommitRequest extends Committing {
  /**
   * Ends the transaction: called when everything was sent and no answer is needed first. A caller
   * that continues the transaction ends it later and checks the head before writing.
   */
  readonly end: (() => void) | null
}

/**
 * Writes a batch into the open transaction. Sent in one go, every statement fails on a moved head
 * (`hasMoved`), so the end may be sent along.
 */
export async function commitTo(
  connection: Connection,
  asked: CommitRequest,
): Promise<CommitResult> {
  const { batch, expected, mark, end } = asked
  if (end === null || !doesContinue(asked)) {
    const { head } = (await connection.standing()).tip
    if (!isSameHead(head, expected)) return { committed: false, head }
    assertWhole(head, await lastEntry(connection))
    assertContinues(batch, expected)
  }
  const words = wordRowsOf(batch.texts)
  const { whole } = connection.known
  const mayAdopt = whole === null || !isSameHead(whole, expected)
  const linking = { lastSeq: expected.seq, keys: asked.keys, mayAdopt }
  const moving = sent(moveHead(connection, { ...batch, words, expected, mark }))
  const putting = sent(put(connection, batch, { words, linking }))
  if (!batch.erased && areAllKnown(batch.memories, linking)) end?.()
  // After a moved head, later failures mean nothing.
  await moving
  await putting
  return { committed: true }
}

/** A batch that breaks the chain is never sent; the head decides about an error. */
function doesContinue({ batch, expected }: CommitRequest): boolean {
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
  batch: Batch,
  { words, linking }: { readonly words: WordRows; readonly linking: Linking },
): Promise<void> {
  const { lastSeq } = linking
  await Promise.all([
    putEntries(connection, batch),
    putMemories(connection, batch.memories),
    putEdges(connection, batch.memories, linking),
    putWords(connection, words, lastSeq),
    putCounters(connection, batch),
    batch.erased ? eraseFrom(connection, batch.erased) : null,
  ])
}

/** A head beyond the last entry stops all work: the loss is reported, never repaired silently. */
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

const STANDING_COLUMNS = [...TIP_COLUMNS.slice(2), ...STATE_COLUMNS.slice(1)]
const REPLACED = STANDING_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')

const MARKS_CHARS = MARK_CHARS * 8 // the last few marks: others may commit before the check

/**
 * Moves only the expected head and touches no other row. Refuses the commit when no row moves, when
 * a new row meets a head above zero (a deleted row), and when the schema is newer.
 */
const MOVE_HEAD = `
  WITH moved AS (
    INSERT INTO stacks AS s (stack_id, ${STANDING_COLUMNS.join(', ')}, documents, lengths, commit_marks)
    VALUES ($1, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (stack_id) DO UPDATE SET ${REPLACED},
      documents = s.documents + excluded.documents, lengths = s.lengths + excluded.lengths,
      commit_marks = left(excluded.commit_marks || ' ' || s.commit_marks, ${MARKS_CHARS})
    WHERE s.seq = ? AND s.hash = decode(?, 'hex') AND s.rev = ?
    RETURNING s.rev, (s.xmax = 0) AS is_new)
  SELECT CASE
    WHEN (SELECT max(version) FROM schema_version) > ${MIGRATIONS.length}
      THEN refuse_commit('${REFUSALS.schemaNewer}')
    WHEN NOT EXISTS (SELECT 1 FROM moved m WHERE NOT m.is_new OR m.rev = 1)
      THEN refuse_commit('${REFUSALS.headMoved}')
  END`

/** The head differs from the expected head. */
export const hasMoved = (cause: unknown): boolean => codeOf(cause) === REFUSALS.headMoved
const isNewer = (cause: unknown): boolean => codeOf(cause) === REFUSALS.schemaNewer

interface Moving extends Pick<Batch, 'tip' | 'stack'> {
  readonly words: Pick<WordRows, 'documents' | 'lengths'>
  readonly expected: Head
  readonly mark: string
}

/** Moves the stack's row to the new head. */
export async function moveHead(
  connection: Connection,
  { tip, stack, words, expected, mark }: Moving,
): Promise<void> {
  const { head, time, tree } = tip
  const { uid, replica, state, policyHash, enforcing, tombstones, distrusted, corrections } = stack
  const moving = connection.row(
    MOVE_HEAD,
    ...[head.seq, head.hash, head.rev, time, JSON.stringify(tree)],
    ...[uid, replica, state, policyHash, enforcing ? 1 : 0, tombstones],
    ...[JSON.stringify(distrusted), JSON.stringify(corrections)],
    ...[words.documents, words.lengths, mark, expected.seq, expected.hash, expected.rev],
  )
  await moving.catch((cause: unknown) => {
    throw isNewer(cause) ? schemaNewer(MIGRATIONS.length + 1, MIGRATIONS.length) : cause
  })
}
