import type { Ref } from '../../domain/ids.ts'
import type { MetMemory } from '../../ports/store.ts'
import { MET_COLUMNS, metOf, SELDOM_COLUMNS } from '../sql/met-rows.ts'
import type { Untrusted } from '../sql/rows.ts'
import { each, listed, selected } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgRow } from './driver.ts'
import { WITH_SEALED } from './memory-rows.ts'
import { withNotes } from './notes.ts'
import { listOf } from './text.ts'

const SELDOM_AT: number = MET_COLUMNS.length
export const SEALED_AT = SELDOM_AT + SELDOM_COLUMNS.length
const KEY_AT = MET_COLUMNS.indexOf('seq')

export const MET = `${selected([...MET_COLUMNS, ...SELDOM_COLUMNS], 'm')}, s.bytes`

export const seldomIn = (row: PgRow): PgRow => row.slice(SELDOM_AT, SEALED_AT)

const FOUND = `
  SELECT ${MET}
  FROM ${listed('bigint')}
    ${each('memories', 'seq', 'j.key')} ${WITH_SEALED}
  ORDER BY j.at`

const NAMED = `
  SELECT j.key, coalesce(p.ref, a.ref, chr(63)) FROM ${listed('bigint')}
    LEFT ${each('memories', 'seq', 'j.key', 'p')}
    LEFT ${each('absent', 'key', 'j.key', 'a')}`

/** A child and one of its parents, by their keys; those of one child in their order. */
export type Link = readonly [child: number, parent: number]

const decoder = new TextDecoder()

/** The memories of these keys, in this order, with the links that were met on the way. */
export async function metWith(
  connection: Connection,
  keys: readonly number[],
  links: readonly Link[],
): Promise<readonly MetMemory[]> {
  const rows = await connection.rows(FOUND, listOf(keys))
  const refs = new Map<number, Ref>()
  for (const row of rows) refs.set(Number(row[KEY_AT]), row[0] as Untrusted<Ref>)
  const others = new Set(links.map(([, parent]) => parent).filter((key) => !refs.has(key)))
  const named = others.size === 0 ? [] : await connection.rows(NAMED, listOf([...others]))
  for (const [key, ref] of named) refs.set(Number(key), ref as Untrusted<Ref>)
  const parents = new Map<number, Ref[]>()
  for (const [child, parent] of links) {
    const ref = refs.get(parent) as Ref // all of them were looked up
    const known = parents.get(child)
    if (known) known.push(ref)
    else parents.set(child, [ref])
  }
  const found = rows.map((each) => {
    const row = withText(each)
    return metOf(row, {
      seldom: seldomIn(row),
      sealed: row[SEALED_AT] ?? null,
      parents: parents.get(Number(row[KEY_AT])) ?? [],
    })
  })
  return withNotes(connection, found)
}

/** Bytes that are text are read here: the server would refuse some that other stores keep. */
export function withText(row: PgRow, at = SEALED_AT): PgRow {
  const bytes = row[at]
  return bytes instanceof Uint8Array ? row.with(at, decoder.decode(bytes)) : row
}
