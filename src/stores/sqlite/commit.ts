import { assert } from '../../domain/errors.ts'
import type { Hash, Ref, StackId } from '../../domain/ids.ts'
import type { TextRow } from '../../domain/kinds/content.ts'
import { isLinkedAnew, type MemoryState } from '../../domain/state.ts'
import { assertContinues, type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { VectorBatch } from '../../ports/models.ts'
import type { CommitResult, Derived } from '../../ports/store.ts'
import { insertInto, upsertInto } from '../sql/dialect.ts'
import {
  policiesOf,
  SEALED_COLUMNS,
  STATE_COLUMNS,
  TALLY_COLUMNS,
  TIP_COLUMNS,
} from '../sql/entry-rows.ts'
import { LIVE_ON, liveOnValues, MEMORY_COLUMNS, memoryValues } from '../sql/memory-rows.ts'
import { MODEL } from '../sql/search.ts'
import type { Connection } from './connection.ts'
import { SQLITE } from './dialect.ts'
import { eraseFrom } from './erase.ts'
import { dataLoss, faultNamed } from './faults.ts'
import { DELETE_WORDS_SECURELY, WORDS } from './word-index.ts'

const DELETE_EDGES = 'DELETE FROM edges WHERE child = ?'
const PUT_EDGE = 'INSERT INTO edges (child, position, parent) VALUES (?, ?, ?)'
const PUT_EDGE_TO = `
  INSERT INTO edges (child, position, parent) SELECT ?, ?, seq FROM memories WHERE ref = ?`
const PUT_EDGE_TO_ABSENT = `
  INSERT INTO edges (child, position, parent) SELECT ?, ?, key FROM absent WHERE ref = ?`
const PUT_ABSENT = `
  INSERT INTO absent (key, ref) SELECT coalesce(min(key), 0) - 1, ? FROM absent WHERE true
  ON CONFLICT (ref) DO NOTHING`

/** Links memories to their parents; memories born after `lastSeq` have no links yet. */
function putEdges(connection: Connection, memories: readonly MemoryState[], lastSeq: number): void {
  const born = memories.filter(({ seq }) => seq > lastSeq)
  const keys = new Map(born.map(({ ref, seq }) => [ref, seq]))
  adopt(connection, keys)
  for (const memory of memories) {
    if (!isLinkedAnew(memory, lastSeq)) continue
    const { seq, parents } = memory
    if (seq <= lastSeq) connection.prepare(DELETE_EDGES).run(seq)
    for (const [position, parent] of parents.entries()) {
      const key = keys.get(parent)
      if (key !== undefined) connection.prepare(PUT_EDGE).run(seq, position, key)
      else linkTo(connection, parent, { child: seq, position })
    }
  }
}

function linkTo(
  connection: Connection,
  parent: Ref,
  { child, position }: { readonly child: number; readonly position: number },
): void {
  if (connection.prepare(PUT_EDGE_TO).run(child, position, parent) > 0) return
  connection.prepare(PUT_ABSENT).run(parent)
  connection.prepare(PUT_EDGE_TO_ABSENT).run(child, position, parent)
}

const ABSENT = `
  SELECT a.key, a.ref FROM json_each(?) j CROSS JOIN absent a ON a.ref = j.value`
const RELINK = 'UPDATE edges SET parent = ? WHERE parent = ?'
const DELETE_ABSENT = 'DELETE FROM absent WHERE key = ?'

/** A ref cited before its birth is born now: the links to the ref get its key. */
function adopt(connection: Connection, born: ReadonlyMap<Ref, number>): void {
  if (connection.prepare('SELECT 1 FROM absent LIMIT 1').get() === undefined) return
  const found = connection.prepare(ABSENT).all(JSON.stringify([...born.keys()]))
  for (const [key = null, ref] of found) {
    const seq = born.get(ref as Ref) // the query asked for these very refs
    if (seq === undefined) continue
    connection.prepare(RELINK).run(seq, key)
    connection.prepare(DELETE_ABSENT).run(key)
  }
}

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
const PUT_POLICY = upsertInto('policies', ['hash', 'seq'], ['hash'])

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
function putMemories(
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

function putTexts(
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

function putStanding(
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
      stack.received,
    )
}

const KNOW_MODEL = 'INSERT OR IGNORE INTO vector_models (id, dimension, upto) VALUES (?, ?, -1)'
const REACH = 'UPDATE vector_models SET upto = max(upto, ?) WHERE key = ?'
// Only for memories still in search, with their current words: another process may have erased them
// meanwhile.
const PUT = `
  INSERT OR REPLACE INTO vectors (model, seq, revision_seq, at_ms, vector)
  SELECT ?, m.seq, m.revision_seq, ?, ? FROM memories m
  WHERE m.seq = ? AND m.revision_seq = ?
    AND EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = m.seq)`

/** Writes into the open transaction; false when nothing was written. */
export function putVectors(
  connection: Connection,
  stack: StackId,
  { model, from, upto, rows }: VectorBatch,
): boolean {
  connection.answersFor(stack)
  connection.prepare(KNOW_MODEL).run(model.id, model.dimension)
  const [key = 0, reached] = connection.prepare(MODEL(SQLITE)).get(model.id, model.dimension) ?? []
  if (Number(reached) < from) return false
  const put = connection.prepare(PUT)
  for (const { seq, revisionSeq, atMs, vector } of rows) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    put.run(key, atMs, bytes, seq, revisionSeq)
  }
  connection.prepare(REACH).run(upto, key)
  return true
}

// Deleting from a word index goes word by word; creating a new index is immediate.
const CLEAR = `
  DELETE FROM edges;
  DELETE FROM absent;
  DELETE FROM memories;
  DELETE FROM policies;
  DELETE FROM vectors;
  DELETE FROM vector_models;
  DROP TABLE IF EXISTS words;
  ${WORDS};
  ${DELETE_WORDS_SECURELY};`

const AT_ONCE = 1_000 // states put in at a time

/** Replaces the derived rows with rows folded anew (STORE-REBUILD). */
export function replaceDerived(
  connection: Connection,
  stack: StackId,
  { derived, expected }: { readonly derived: Derived; readonly expected: Head },
): CommitResult {
  const { head } = connection.standing(stack).tip
  if (!isSameHead(head, expected)) return { committed: false, head }
  assert(derived.tip.head.rev === expected.rev + 1, 'every commit raises rev by one')
  assertWhole(connection, derived.tip.head)
  connection.db.exec(CLEAR)
  for (const { hash, seq } of connection.run(policiesOf(SQLITE))) {
    connection.prepare(PUT_POLICY).run(hash, seq)
  }
  let some: MemoryState[] = []
  for (const state of derived.states) {
    some.push(state)
    if (some.length < AT_ONCE) continue
    putMemories(connection, some, -1)
    some = []
  }
  putMemories(connection, some, -1)
  putTexts(connection, derived.texts, -1)
  putStanding(connection, stack, derived)
  connection.noteWritten()
  return { committed: true }
}
