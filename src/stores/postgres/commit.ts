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
import { putTexts } from './words.ts'

export interface Committed {
  readonly result: CommitResult
  /** By which it can be asked later whether the transaction was kept. */
  readonly xid: string | null
}

const BEFORE = `
  SELECT l.seq, encode(l.entry_hash, 'hex') FROM provenance_log l
  WHERE l.stack_id = $1 ORDER BY l.seq DESC LIMIT 1`

export const XID = "SELECT pg_current_xact_id()::text WHERE $1 <> ''"

const NOW = `
  SELECT pg_current_xact_id()::text, (SELECT max(version) FROM schema_version) WHERE $1 <> ''`

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
  const standing = connection.standing()
  const last = connection.row(BEFORE)
  const now = connection.row(NOW)
  // On another head its failure means nothing.
  const early = way === 'at_once' && doesContinue(asked) ? sent(put(connection, asked)) : null
  const { head } = (await standing).tip
  if (!isSameHead(head, expected)) return { result: { committed: false, head }, xid: null }
  assertWhole(head, await last)
  assertContinues(batch, expected)
  const [xid, version] = (await now) ?? []
  if (Number(version) > MIGRATIONS.length) throw schemaNewer(Number(version), MIGRATIONS.length)
  await (early ?? put(connection, asked))
  return { result: { committed: true }, xid: String(xid) }
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
async function put(connection: Connection, { batch, expected, keys }: Asked): Promise<void> {
  await Promise.all([
    putEntries(connection, batch),
    putMemories(connection, batch.memories),
    putEdges(connection, batch.memories, { lastSeq: expected.seq, keys }),
    putStanding(connection, batch),
    putTexts(connection, batch.texts, expected.seq),
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

export const lastEntry = (connection: Connection) => connection.row(BEFORE)

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
] as const
const REPLACED = STANDING_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')

const PUT_STANDING = `
  INSERT INTO stacks (stack_id, ${STANDING_COLUMNS.join(', ')})
  VALUES ($1, ?, decode(?, 'hex'), ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, ?)
  ON CONFLICT (stack_id) DO UPDATE SET ${REPLACED}`

export async function putStanding(
  connection: Connection,
  { tip, stack }: Pick<Batch, 'tip' | 'stack'>,
): Promise<void> {
  const { head, time, tree } = tip
  const { uid, replica, state, policyHash, enforcing, tombstones } = stack
  await connection.rows(
    PUT_STANDING,
    ...[head.seq, head.hash, head.rev, time, JSON.stringify(tree)],
    ...[uid, replica, state, policyHash, enforcing ? 1 : 0, tombstones],
  )
}
