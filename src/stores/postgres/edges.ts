import type { Ref } from '../../domain/ids.ts'
import { isLinkedAnew, type MemoryState } from '../../domain/state.ts'
import { insertInto, type ListColumn } from './columns.ts'
import type { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { putRows } from './rows-in-parts.ts'
import { sent } from './sent.ts'
import { listOf } from './text.ts'

/** Cached keys of memories: a memory has a key from birth and keeps the key. */
export type KnownKeys = ReadonlyMap<Ref, number>

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

export interface Linking {
  /** Memories born after `lastSeq` have no links yet. */
  readonly lastSeq: number
  readonly keys: KnownKeys
  /** True when an absent parent may be among the new memories. */
  readonly mayAdopt: boolean
}

const bornIn = (memories: readonly MemoryState[], lastSeq: number): KnownKeys =>
  new Map(memories.filter(({ seq }) => seq > lastSeq).map(({ ref, seq }) => [ref, seq]))

/** True when all keys are cached, so the links need no query first. */
export function areAllKnown(
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
