import type { SealedRow } from '../../domain/entry.ts'
import { type Hash, ZERO_HASH } from '../../domain/ids.ts'
import {
  type ActorKey,
  type Burst,
  type StackState,
  type Tally,
  type Tombstone,
  UNBORN,
} from '../../domain/state.ts'
import type { Tip, TreeEdge } from '../../domain/waist.ts'
import type { RecalledRow } from '../../ports/recalled.ts'
import type { EntryRow } from '../../ports/store.ts'
import { selected } from './columns.ts'
import type { Dialect } from './dialect.ts'
import type { SqlRow, SqlValue } from './values.ts'

/**
 * Rows are read as the types they were written with. The tables are STRICT, and the audit checks
 * the truth of a row; each cast to `Untrusted` has this reason.
 */
export type Untrusted<T> = T

export const hashOrNull = (value: SqlValue | undefined): Hash | null =>
  value === '' ? null : (value as Untrusted<Hash>)

export const ENTRY_COLUMNS = ['seq', 'bytes', 'entry_hash', 'prev_hash'] as const
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
    },
  } as Untrusted<Standing>
}
