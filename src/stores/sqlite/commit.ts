import type { Hash, StackId } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import type { MemoryState } from '../../domain/state.ts'
import { assertContinues, type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult } from '../../ports/store.ts'
import { insertInto, upsertInto } from '../sql/columns.ts'
import { MEMORY_COLUMNS, memoryValues } from '../sql/memory-columns.ts'
import { LIVE_ON, liveOnValues } from '../sql/memory-rows.ts'
import { SEALED_COLUMNS, STATE_COLUMNS, TALLY_COLUMNS, TIP_COLUMNS } from '../sql/rows.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'
import { putEdges } from './edges.ts'
import { eraseFrom } from './erase.ts'
import { dataLoss, faultNamed } from './faults.ts'

/** Writes a batch into the open transaction; the caller commits or rolls back. */
export function commitTo(
  connection: Connection,
  stack: StackId,
  { batch, expected }: { readonly batch: Batch; readonly expected: Head },
): CommitResult {
  const { head } = connection.standing(stack).tip
  if (!isSameHead(head, expected)) return { committed: false, head }
  assertWhole(connection, head)
  assertContinues(batch, expected)
  putEntries(connection, batch)
  putMemories(connection, batch.memories, expected.seq)
  putTexts(connection, batch.texts, expected.seq)
  putCounters(connection, batch)
  if (batch.erased) eraseFrom(connection, batch.erased)
  putStanding(connection, stack, batch)
  connection.noteWritten()
  return { committed: true }
}

const LAST = 'SELECT seq, lower(hex(entry_hash)) FROM provenance_log ORDER BY seq DESC LIMIT 1'

/** A head beyond the last entry stops all work: the loss is reported, never repaired silently. */
export function assertWhole(connection: Connection, head: Head): void {
  const { path } = connection
  const [seq = -1, hash] = connection.prepare(LAST).get() ?? []
  const last = Number(seq)
  if (last < head.seq) throw dataLoss(path, head.seq, last)
  if (last > head.seq || (last >= 0 && hash !== head.hash)) {
    throw faultNamed('store_corrupt', path, { facts: { head: head.seq, last } })
  }
}

const PUT_ENTRY = insertInto('provenance_log', ['seq', 'bytes', 'entry_hash', 'prev_hash', 'ref'])
const PUT_SEALED = insertInto('sealed', SEALED_COLUMNS)
export const PUT_POLICY = upsertInto('policies', ['hash', 'seq'], ['hash'])

function putEntries(connection: Connection, { entries, sealed }: Batch): void {
  const putEntry = connection.prepare(PUT_ENTRY)
  for (const { entry, bytes, hash } of entries) {
    putEntry.run(entry.seq, bytes, hash, entry.prevHash, entry.ref)
    if (entry.op !== 'policy') continue
    const policy = entry.decision.facts.hash as Hash // written by the gate
    connection.prepare(PUT_POLICY).run(policy, entry.seq)
  }
  const putSealed = connection.prepare(PUT_SEALED)
  for (const { seq, ref, salt, bytes } of sealed) putSealed.run(seq, ref, salt, bytes)
}

const LINE_GIVEN = `?${MEMORY_COLUMNS.indexOf('line') + 1}`
const nobodyOn = (side: string): string => `NOT EXISTS (
  SELECT 1 FROM memories o WHERE o.line = unhex(${LINE_GIVEN}) AND o.${side})`

/** SQL: a memory to be written is the first claim of its timeline. */
const OPENS = `${LINE_GIVEN} IS NOT NULL AND ?${MEMORY_COLUMNS.indexOf('kind') + 1} = 'claim'
  AND ${nobodyOn(SQLITE.stands)} AND ${nobodyOn(SQLITE.gaveWay)}`

const BEAR_MEMORY = insertInto('memories', MEMORY_COLUMNS, { opens: OPENS })
// A rewritten memory is found by its own key, wherever it stands now.
const PUT_MEMORY = `${upsertInto('memories', MEMORY_COLUMNS, ['seq'])}, opens = 0`
// An older claim that joins a timeline precedes the claim that opened it, so the former opener
// needs a key too.
const OPENED_LATER = [SQLITE.stands, SQLITE.gaveWay].map(
  (side) => `
  UPDATE memories SET opens = 0 WHERE line = unhex(?) AND ${side} AND seq > ? AND opens = 1`,
)

/** All memories first, so that edges find the keys of their parents. */
export function putMemories(
  connection: Connection,
  memories: readonly MemoryState[],
  lastSeq: number,
): void {
  const bear = connection.prepare(BEAR_MEMORY)
  const put = connection.prepare(PUT_MEMORY)
  const liveOn = connection.prepare(LIVE_ON(SQLITE))
  const linked: MemoryState[] = []
  for (const memory of inOrder(memories)) {
    if (memory.seq > lastSeq) bear.run(...memoryValues(memory))
    else if (liveOn.run(...liveOnValues(memory)) > 0) continue
    else {
      put.run(...memoryValues(memory))
      const { line, seq } = memory
      if (line !== null) for (const sql of OPENED_LATER) connection.prepare(sql).run(line, seq)
    }
    linked.push(memory)
  }
  putEdges(connection, linked, lastSeq)
}

/** The claim that opens a timeline comes before its successors. */
const inOrder = (memories: readonly MemoryState[]): readonly MemoryState[] =>
  memories.every(({ seq }, at) => at === 0 || (memories[at - 1]?.seq ?? 0) < seq)
    ? memories
    : [...memories].sort((a, b) => a.seq - b.seq)

// A row of the index is not changed but taken out and put in anew.
const DROP_TEXT = 'DELETE FROM words WHERE rowid = ?'
const PUT_TEXT = 'INSERT INTO words (rowid, terms) VALUES (?, ?)'

export function putTexts(
  connection: Connection,
  texts: Iterable<TextRow>,
  lastSeq = Number.MAX_SAFE_INTEGER,
): void {
  const drop = connection.prepare(DROP_TEXT)
  const put = connection.prepare(PUT_TEXT)
  for (const { seq, terms } of texts) {
    if (seq <= lastSeq) drop.run(seq)
    put.run(seq, terms)
  }
}

const PUT_KEY = upsertInto('actor_keys', ['actor', 'key', 'since'], ['actor'])
const PUT_TALLY = upsertInto('tallies', TALLY_COLUMNS, ['key'])
const BURST_COLUMNS = ['identity', 'actor', 'times', 'quarantined'] as const
const PUT_BURST = upsertInto('bursts', BURST_COLUMNS, ['identity', 'actor'])
const BEGIN_BURST = `${insertInto('bursts', BURST_COLUMNS)} ON CONFLICT DO NOTHING`
const PUT_TOMBSTONE = upsertInto('tombstones', ['mark', 'seq'], ['mark'])

function putCounters(connection: Connection, batch: Batch): void {
  for (const { actor, key, since } of batch.actorKeys) {
    connection.prepare(PUT_KEY).run(actor, key, since)
  }
  for (const tally of batch.tallies) {
    const { key, rule, about, actor, door, pseudonym, entrySeq, entryHash } = tally
    const { count, firstAt, lastAt } = tally
    connection
      .prepare(PUT_TALLY)
      .run(key, rule, about, actor, door, pseudonym, entrySeq, entryHash, count, firstAt, lastAt)
  }
  const { bursts, begunBursts = [] } = batch
  for (const [sql, rows] of [
    [PUT_BURST, bursts],
    [BEGIN_BURST, begunBursts],
  ] as const) {
    for (const { actor, identity, times, quarantined } of rows) {
      connection.prepare(sql).run(identity, actor, JSON.stringify(times), quarantined)
    }
  }
  for (const { mark, seq } of batch.tombstones) connection.prepare(PUT_TOMBSTONE).run(mark, seq)
}

const PUT_TIP = upsertInto('tip', TIP_COLUMNS, ['one'])
const STATE_VALUES = STATE_COLUMNS.map((column) => `stack_state.${column}`)
const STATE_EXCLUDED = STATE_COLUMNS.map((column) => `excluded.${column}`)
// Written only on a change, because the row hardly ever changes and its page would join every
// commit.
const PUT_STATE = `${upsertInto('stack_state', STATE_COLUMNS, ['one'])}
  WHERE (${STATE_VALUES.join()}) IS NOT (${STATE_EXCLUDED.join()})`

export function putStanding(
  connection: Connection,
  owner: StackId,
  { tip, stack }: Pick<Batch, 'tip' | 'stack'>,
): void {
  const { head, time, tree } = tip
  connection
    .prepare(PUT_TIP)
    .run(1, owner, head.seq, head.hash, head.rev, time, JSON.stringify(tree))
  const { uid, replica, state, policyHash, enforcing, tombstones, distrusted, corrections } = stack
  connection
    .prepare(PUT_STATE)
    .run(
      1,
      uid,
      replica,
      state,
      policyHash,
      enforcing ? 1 : 0,
      tombstones,
      JSON.stringify(distrusted),
      JSON.stringify(corrections),
    )
}
