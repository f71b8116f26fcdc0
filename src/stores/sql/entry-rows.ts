import type { Door, Tier } from '../../domain/doors.ts'
import type { SealedRow } from '../../domain/entry.ts'
import { type Hash, type MemoryId, type Ref, ZERO_HASH } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import {
  type ActorKey,
  type Burst,
  type StackState,
  type Tally,
  type Tombstone,
  UNBORN,
} from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { BurstKey, Context, Needs, Tip, TreeEdge } from '../../domain/waist.ts'
import type { RecalledRow } from '../../ports/queries.ts'
import type { IdempotentRequest, KeptReceipt, Receipt, ServedPrint } from '../../ports/receipts.ts'
import type { EntryRow } from '../../ports/store.ts'
import {
  type Dialect,
  rowsOf,
  type SqlRow,
  type SqlValue,
  type Steps,
  selected,
  written,
} from './dialect.ts'

/**
 * Rows are read as the types they were written with. The tables are STRICT, and the audit checks
 * the truth of a row; each cast to `Untrusted` has this reason.
 */
export type Untrusted<T> = T

export const hashOrNull = (value: SqlValue | undefined): Hash | null =>
  value === '' ? null : (value as Untrusted<Hash>)

const ENTRY_COLUMNS = ['seq', 'bytes', 'entry_hash', 'prev_hash'] as const
export const ENTRY = (d: Dialect): string => selected(d, ENTRY_COLUMNS, 'l')

export function entryOf([seq, bytes, hash, prevHash]: SqlRow): EntryRow {
  return { seq, bytes, hash, prevHash } as Untrusted<EntryRow>
}

export const SEALED_COLUMNS = ['seq', 'ref', 'salt', 'bytes'] as const
export const SEALED = (d: Dialect): string => selected(d, SEALED_COLUMNS, 's')

export const sealedOf = ([seq, ref, salt, bytes]: SqlRow): SealedRow =>
  ({ seq, ref, salt, bytes }) as Untrusted<SealedRow>

const decoder = new TextDecoder()

/**
 * Text that a statement returns as text or as bytes: PostgreSQL refuses some text that SQLite
 * keeps.
 */
export const textIn = (value: SqlValue | undefined): string | null =>
  value instanceof Uint8Array
    ? decoder.decode(value)
    : ((value ?? null) as Untrusted<string | null>)

export const actorKeyOf = ([actor, key, since]: SqlRow): ActorKey =>
  ({ actor, key, since }) as Untrusted<ActorKey>

export const tombstoneOf = ([mark, seq]: SqlRow): Tombstone =>
  ({ mark, seq }) as Untrusted<Tombstone>

export function recalledOf(row: SqlRow): RecalledRow {
  const [seq, revisionSeq, label, tier, sourceId, session, bornAt, strength, terms] = row
  const found = { seq, revisionSeq, label, tier, sourceId, session, bornAt, strength, terms }
  return found as unknown as Untrusted<RecalledRow>
}

export const TALLY_COLUMNS = [
  'key',
  'rule',
  'about',
  'actor',
  'door',
  'pseudonym',
  'entry_seq',
  'entry_hash',
  'count',
  'first_at',
  'last_at',
] as const
export const TALLY = (d: Dialect): string => selected(d, TALLY_COLUMNS, 't')

export function tallyOf(row: SqlRow): Tally {
  const [key, rule, about, actor, door, pseudonym, entrySeq, entryHash, count, firstAt, lastAt] =
    row
  return {
    key,
    rule,
    about,
    actor,
    door,
    pseudonym: hashOrNull(pseudonym),
    entrySeq,
    entryHash,
    count,
    firstAt,
    lastAt,
  } as Untrusted<Tally>
}

export const BURST = (d: Dialect): string =>
  selected(d, ['actor', 'identity', 'times', 'quarantined'], 'b')

export function burstOf([actor, identity, times, quarantined]: SqlRow): Burst {
  const parsed: unknown = JSON.parse(String(times))
  return { actor, identity, times: parsed, quarantined } as Untrusted<Burst>
}

export const TIP_COLUMNS = ['one', 'stack', 'seq', 'hash', 'rev', 'time', 'tree'] as const
export const STATE_COLUMNS = [
  'one',
  'uid',
  'replica',
  'state',
  'policy_hash',
  'enforcing',
  'tombstones',
  'distrusted',
  'corrections',
  'received',
] as const

export interface Standing {
  /** The stack of the file; null before the first write. */
  readonly owner: string | null
  readonly tip: Tip
  readonly stack: StackState
}

const NOTHING_WRITTEN: Standing = {
  owner: null,
  tip: { head: { seq: -1, hash: ZERO_HASH, rev: 0 }, time: null, tree: { size: 0, hashes: [] } },
  stack: UNBORN,
}

export function standingOf(row: SqlRow | undefined): Standing {
  if (!row) return NOTHING_WRITTEN
  const [
    owner,
    seq,
    hash,
    rev,
    time,
    tree,
    uid,
    replica,
    state,
    policy,
    enforcing,
    tombstones,
    distrusted,
    corrections,
    received,
  ] = row
  return {
    owner,
    tip: { head: { seq, hash, rev }, time, tree: JSON.parse(String(tree)) as TreeEdge },
    stack: {
      uid,
      replica,
      state,
      policyHash: hashOrNull(policy),
      enforcing: enforcing === 1,
      tombstones,
      distrusted: JSON.parse(String(distrusted ?? '[]')),
      corrections: JSON.parse(String(corrections ?? '[]')),
      received: Number(received ?? 0),
    },
  } as Untrusted<Standing>
}

const NOTES = written(
  (d) => `SELECT ${SEALED(d)} FROM ${d.list('bigint')} ${d.one('sealed', 'seq', d.item, 's')}`,
)

interface Noted {
  readonly state: { readonly notes: Readonly<Record<string, number>> }
  readonly notes: readonly SealedRow[]
}

/** Adds the sealed rows of annotations, in one statement and only for memories with any. */
export function* withNotes<M extends Noted>(d: Dialect, found: readonly M[]): Steps<readonly M[]> {
  const seqs: number[] = []
  for (const { state } of found) for (const name in state.notes) seqs.push(state.notes[name] ?? -1)
  if (seqs.length === 0) return found
  const rows = yield* rowsOf(NOTES(d), d.listValue(seqs))
  const bySeq = new Map<number, SealedRow>(rows.map(sealedOf).map((row) => [row.seq, row]))
  return found.map((memory) => {
    const notes = Object.values(memory.state.notes).flatMap((seq) => bySeq.get(seq) ?? [])
    return notes.length === 0 ? memory : { ...memory, notes }
  })
}

const ACTOR_KEYS = written(
  (d) => `
  SELECT a.actor, a.key, a.since
  FROM ${d.list(d.keyType)} ${d.one('actor_keys', d.keyColumn('actor'), d.item, 'a')}`,
)

const BURSTS = written((d) => `SELECT ${BURST(d)} FROM ${d.askedBursts}`)

const TOMBSTONES = written(
  (d) => `
  SELECT ${d.hex('t.mark')} AS mark, t.seq
  FROM ${d.list('bytea')} ${d.one('tombstones', 'mark', d.hashItem, 't')}`,
)

const WORDS = written(
  (d) => `
  SELECT ${SEALED(d)} FROM ${d.list('text')} ${d.one('memories', 'ref', d.item, 'm')}
    ${d.one('sealed', 'seq', 'm.revision_seq', 's')} ${d.inListOrder}`,
)

type Counters = Pick<Context, 'actorKeys' | 'bursts' | 'tombstones' | 'words'>

/** Rows that the gate needs beside memories and tallies; empty needs send no statement. */
export function* countersFor(d: Dialect, needs: Needs): Steps<Counters> {
  const { actors, bursts, tombstones, words } = needs
  const asked: [readonly unknown[], (d: Dialect) => string, () => readonly SqlValue[]][] = [
    [actors, ACTOR_KEYS, () => [d.keysValue(actors)]],
    [bursts, BURSTS, () => d.burstsValues(bursts)],
    [tombstones, TOMBSTONES, () => [d.hashesValue(tombstones)]],
    [words, WORDS, () => [d.listValue(words)]],
  ]
  const wanted = asked.flatMap(([items], at) => (items.length > 0 ? [at] : []))
  const statements = asked
    .filter(([items]) => items.length > 0)
    .map(([, sql, values]) => ({ sql: sql(d), values: values() }))
  const answers = statements.length === 0 ? [] : yield statements
  const answerTo = (at: number): readonly SqlRow[] => answers[wanted.indexOf(at)] ?? []
  return {
    actorKeys: pick(actors, String, answerTo(0).map(actorKeyOf), ({ actor }) => actor),
    bursts: pick(bursts, burstKey, answerTo(1).map(burstOf), burstKey),
    tombstones: pick(tombstones, String, answerTo(2).map(tombstoneOf), ({ mark }) => mark),
    words: answerTo(3).map(sealedOf),
  }
}

const burstKey = ({ actor, identity }: BurstKey | Burst): string => `${identity} ${actor}`

/** Returns the rows in the order of the keys, once for each repeated key. */
function pick<Key, Row>(
  asked: readonly Key[],
  nameOf: (key: Key) => string,
  found: readonly Row[],
  rowName: (row: Row) => string,
): readonly Row[] {
  if (found.length === 0) return []
  const byName = new Map(found.map((row) => [rowName(row), row]))
  return asked.flatMap((key) => byName.get(nameOf(key)) ?? [])
}

const POINTED = written(
  (d) => `
  SELECT l.seq, l.bytes FROM policies p ${d.one('provenance_log', 'seq', 'p.seq', 'l')}
  WHERE ${d.inStack('p')} AND p.hash = ${d.unhex('?')}`,
)

const SOUGHT = written(
  (d) => `
  SELECT l.seq, l.bytes FROM provenance_log l
  WHERE ${d.inStack('l')} AND ${d.holdsBytes('l.bytes', '"op":"policy"')} ORDER BY l.seq`,
)

/** Policies are read out of the log itself, each once; a lost pointer costs time, no more. */
export function* policyOf(
  d: Dialect,
  known: Map<Hash, Policy>,
  hash: Hash | null,
): Steps<Policy | null> {
  if (hash === null) return null
  const before = known.get(hash)
  if (before) return before
  const isAsked = (each: LoggedPolicy): boolean => each.hash === hash
  const pointed = policiesIn(yield* rowsOf(POINTED(d), hash)).find(isAsked)
  const found = pointed ?? (yield* policiesOf(d)).find(isAsked)
  if (found) known.set(hash, found.policy)
  return found?.policy ?? null
}

interface LoggedPolicy {
  readonly seq: number
  readonly hash: Hash
  readonly policy: Policy
}

/** Every policy in the log, oldest first. */
export function* policiesOf(d: Dialect): Steps<readonly LoggedPolicy[]> {
  return policiesIn(yield* rowsOf(SOUGHT(d)))
}

interface PolicyEntry {
  readonly op?: string
  readonly decision?: { readonly facts?: Omit<LoggedPolicy, 'seq'> }
}

const policiesIn = (rows: readonly SqlRow[]): readonly LoggedPolicy[] =>
  rows.flatMap(([seq, bytes]) => {
    const { op, decision } = JSON.parse(textIn(bytes) ?? '') as PolicyEntry // checked in the next line
    if (op !== 'policy' || !decision?.facts) return []
    const { hash, policy } = decision.facts
    return [{ seq: Number(seq), hash, policy }]
  })

/** Written by `begin` and by nobody else. */
export const askedOf = ([key, print, id, at, answer]: SqlRow): IdempotentRequest => ({
  key: String(key),
  print: String(print),
  id: String(id) as MemoryId,
  at: String(at) as Instant,
  answer: answer === null ? null : String(answer),
})

const WORD_BYTES = 4

/** Little-endian on every machine, because a file may move to another machine. */
export function printBytes(print: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(print.length * WORD_BYTES))
  for (let at = 0; at < print.length; at += 1) view.setUint32(at * WORD_BYTES, print[at] ?? 0, true)
  return new Uint8Array(view.buffer)
}

function printIn(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const print = new Uint32Array(Math.floor(bytes.byteLength / WORD_BYTES))
  for (let at = 0; at < print.length; at += 1) print[at] = view.getUint32(at * WORD_BYTES, true)
  return print
}

export const toldOf = ([ref, bytes]: SqlRow): readonly ServedPrint[] =>
  bytes instanceof Uint8Array ? [{ ref: String(ref) as Ref, print: printIn(bytes) }] : []

/** Columns of a receipt, in the order in which `receiptOf` reads them. */
export const RECEIPT_COLUMNS = [
  ...(['time', 'session', 'turn', 'actor'] as const),
  ...(['door', 'operation', 'ref', 'tier'] as const),
] as const

/** A receipt whose last column is the print. */
export function keptOf(row: SqlRow): KeptReceipt {
  const bytes = row.at(-1)
  return { receipt: receiptOf(row), print: bytes instanceof Uint8Array ? printIn(bytes) : null }
}

/** Written by `record` and by nobody else. */
export const receiptOf = ([
  time,
  session,
  turn,
  actor,
  door,
  operation,
  ref,
  tier,
]: SqlRow): Receipt => ({
  time: String(time) as Instant,
  session: String(session),
  turn: turn === null ? null : String(turn),
  actor: String(actor),
  door: String(door) as Door,
  operation: String(operation),
  ref: String(ref) as Ref,
  tier: Number(tier) as Tier,
})
