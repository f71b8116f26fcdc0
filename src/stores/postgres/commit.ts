import type { Hash, Ref } from '../../domain/ids.ts'
import { isLinkedAnew, type MemoryState } from '../../domain/state.ts'
import { assertContinues, type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { CommitResult } from '../../ports/store.ts'
import { STATE_COLUMNS, TIP_COLUMNS } from '../sql/entry-rows.ts'
import type { Connection } from './connection.ts'
import { MARK_CHARS } from './database.ts'
import { putCounters, putWords, type WordRows, wordRowsOf } from './derived-rows.ts'
import {
  bytesText,
  insertInto,
  type ListColumn,
  listOf,
  POSTGRES,
  STORED_COLUMNS,
  storedValues,
  upsertInto,
} from './dialect.ts'
import { type PgRow, type PgValue, sent } from './drivers.ts'
import { eraseFrom } from './erase.ts'
import { codeOf, dataLoss, faultNamed, schemaNewer } from './faults.ts'
import { MIGRATIONS, REFUSALS } from './schema.ts'

const PART_ROWS = 10_000
const PART_BYTES = 8_388_608 // of bodies and texts; in a statement they take twice as much

type Row = readonly PgValue[]

/** Rows passed as lists, one list per column, in as many statements as keep each small. */
export async function putRows(
  connection: Connection,
  sql: string,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly ListColumn[] },
): Promise<void> {
  const sent: Promise<unknown>[] = []
  for (const part of partsOf(rows)) {
    const lists = columns.map((_, at) => listOf(part.map((row) => row[at] ?? null)))
    sent.push(connection.rows(sql, ...lists))
  }
  await Promise.all(sent)
}

function* partsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let start = 0
  let bytes = 0
  for (const [at, row] of rows.entries()) {
    for (const value of row) if (value !== null && typeof value === 'object') bytes += value.length
    for (const value of row) if (typeof value === 'string') bytes += value.length
    if (at + 1 - start < PART_ROWS && bytes < PART_BYTES) continue
    yield rows.slice(start, at + 1)
    start = at + 1
    bytes = 0
  }
  if (start < rows.length) yield rows.slice(start)
}

/** Cached keys of memories: a memory has a key from birth and keeps the key. */
type KnownKeys = ReadonlyMap<Ref, number>

const COLUMNS: readonly ListColumn[] = [
  { name: 'child', type: 'bigint' },
  { name: 'position', type: 'integer' },
  { name: 'parent', type: 'bigint' },
]
const PUT = `${insertInto('edges', COLUMNS)}
  ON CONFLICT (stack_id, child, position) DO UPDATE SET parent = excluded.parent
  WHERE edges.parent <> excluded.parent`

// Links that a revision no longer cites have positions after its last parent.
const CUT = `
  DELETE FROM edges e USING unnest(?::bigint[], ?::integer[]) AS kept (child, count)
  WHERE e.stack_id = $1 AND e.child = kept.child AND e.position >= kept.count`

interface Link {
  readonly child: number
  readonly position: number
  readonly ref: Ref
}

interface Linking {
  /** Memories born after `lastSeq` have no links yet. */
  readonly lastSeq: number
  readonly keys: KnownKeys
  /** True when an absent parent may be among the new memories. */
  readonly mayAdopt: boolean
}

const bornIn = (memories: readonly MemoryState[], lastSeq: number): KnownKeys =>
  new Map(memories.filter(({ seq }) => seq > lastSeq).map(({ ref, seq }) => [ref, seq]))

/** True when all keys are cached, so the links need no query first. */
function areAllKnown(
  memories: readonly MemoryState[],
  { lastSeq, keys, mayAdopt }: Linking,
): boolean {
  const born = bornIn(memories, lastSeq)
  const isKnown = (ref: Ref): boolean => keyIn(ref, born, keys) !== undefined
  return (
    !mayAdopt &&
    memories.every((memory) => !isLinkedAnew(memory, lastSeq) || memory.parents.every(isKnown))
  )
}

/** Links memories to their parents. */
export async function putEdges(
  connection: Connection,
  memories: readonly MemoryState[],
  { lastSeq, keys, mayAdopt }: Linking,
): Promise<void> {
  const latest = [...new Map(memories.map((memory) => [memory.seq, memory])).values()]
  const born = bornIn(latest, lastSeq)
  const linked = latest.filter((memory) => isLinkedAnew(memory, lastSeq))
  const links = linked.flatMap(({ seq, parents }) =>
    parents.map((ref, position): Link => ({ child: seq, position, ref })),
  )
  const unknown = new Set(
    links.map(({ ref }) => ref).filter((ref) => keyIn(ref, born, keys) === undefined),
  )
  const adopting = mayAdopt ? sent(adopt(connection, born)) : null
  const old = linked.filter(({ seq }) => seq <= lastSeq)
  const cutting = sent(cut(connection, old))
  const put = (found: KnownKeys): Promise<void> => {
    const rows = links.map(({ child, position, ref }) => {
      return [child, position, keyIn(ref, born, keys) ?? found.get(ref) ?? 0]
    })
    return putRows(connection, PUT, { rows, columns: COLUMNS })
  }
  // With every parent known, the links are sent without waiting.
  const putting = unknown.size === 0 ? put(keys) : keysOf(connection, [...unknown]).then(put)
  await Promise.all([adopting, cutting, putting])
}

const keyIn = (ref: Ref, ...among: readonly KnownKeys[]): number | undefined => {
  for (const keys of among) {
    const key = keys.get(ref)
    if (key !== undefined) return key
  }
  return undefined
}

async function cut(connection: Connection, memories: readonly MemoryState[]): Promise<void> {
  if (memories.length === 0) return
  const children = listOf(memories.map(({ seq }) => seq))
  await connection.rows(CUT, children, listOf(memories.map(({ parents }) => parents.length)))
}

const ASKED_REFS = POSTGRES.list('text').replace('?', '$2')
const FOUND = `
  SELECT m.ref, m.seq FROM ${ASKED_REFS} ${POSTGRES.one('memories', 'ref', 'j.key', 'm')}
  UNION ALL
  SELECT a.ref, a.key FROM ${ASKED_REFS} ${POSTGRES.one('absent', 'ref', 'j.key', 'a')}`

const PUT_ABSENT = `
  INSERT INTO absent (stack_id, key, ref)
  SELECT $1, (SELECT coalesce(min(a.key), 0) FROM absent a WHERE a.stack_id = $1) - n.at, n.ref
  FROM unnest(?::text[]) WITH ORDINALITY AS n (ref, at)
  RETURNING ref, key`

/** Keys of memories and of absent parents; a new ref gets a key below zero. */
async function keysOf(connection: Connection, refs: readonly Ref[]): Promise<KnownKeys> {
  const rows = await connection.rows(FOUND, listOf(refs))
  const found = new Map(rows.map(([ref, key]) => [ref as Ref, Number(key)])) // asked for by refs
  const absent = refs.filter((ref) => !found.has(ref))
  if (absent.length === 0) return found
  for (const [ref, key] of await connection.rows(PUT_ABSENT, listOf(absent))) {
    found.set(ref as Ref, Number(key))
  }
  return found
}

const ADOPTED = `
  DELETE FROM absent a USING unnest(?::text[], ?::bigint[]) AS born (ref, seq)
  WHERE a.stack_id = $1 AND a.ref = born.ref RETURNING a.key, born.seq`
const RELINK = 'UPDATE edges SET parent = ? WHERE stack_id = $1 AND parent = ?'

/** A ref cited before its birth is born now: the links to the ref get its key. */
async function adopt(connection: Connection, born: KnownKeys): Promise<void> {
  if (born.size === 0) return
  const lists = [listOf([...born.keys()]), listOf([...born.values()])]
  for (const [key = null, seq = null] of await connection.rows(ADOPTED, ...lists)) {
    await connection.rows(RELINK, seq, key)
  }
}

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
    VALUES ($1, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, ?, ?)
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

export const hasMoved = (cause: unknown): boolean => codeOf(cause) === REFUSALS.headMoved
const isNewer = (cause: unknown): boolean => codeOf(cause) === REFUSALS.schemaNewer

interface Moving extends Pick<Batch, 'tip' | 'stack'> {
  readonly words: Pick<WordRows, 'documents' | 'lengths'>
  readonly expected: Head
  readonly mark: string
}

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
    ...[JSON.stringify(distrusted), JSON.stringify(corrections), stack.received],
    ...[words.documents, words.lengths, mark, expected.seq, expected.hash, expected.rev],
  )
  await moving.catch((cause: unknown) => {
    throw isNewer(cause) ? schemaNewer(MIGRATIONS.length + 1, MIGRATIONS.length) : cause
  })
}
