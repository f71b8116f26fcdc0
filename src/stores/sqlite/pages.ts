import type { SealedRow } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { COMMITMENT_TAG, SALT_BYTES } from '../../ledger/ledger.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import { toHex } from '../../ledger/sha256.ts'
import type { EntryRow, LedgerRun, Preimages } from '../../ports/store.ts'
import { atMost } from '../sql/memories.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlRow, SqlValue } from '../sql/values.ts'
import type { Connection } from './connection.ts'

// Long runs of entries and sealed rows come joined: a page is a single driver row, with lists as
// columns and bytes joined. Most of the cost of a row is its own buffers.

const PAGE_SEQS = 256 // some 400 kB; also what keeps the largest bodies well below SQLite's limit

/** A range of positions, both ends included. */
interface Range {
  readonly from: number
  readonly to: number
}

/** Numbers as a list; joining them is cheaper than asking for JSON of each. */
const listed = (number: string): string => `'[' || group_concat(${number}) || ']'`
const joined = (column: string): string => `CAST(group_concat(${column}, '') AS BLOB)`
const joinedHex = (column: string): string => `lower(group_concat(hex(${column})))`

/** Rows lie in the order of their keys; NOT INDEXED keeps the planner from a detour. */
const within = (table: string): string => `FROM ${table} NOT INDEXED WHERE seq BETWEEN ? AND ?`

const FIRST_ENTRY = `SELECT min(seq) ${within('provenance_log')}`
const ENTRIES = `
  SELECT ${listed('seq')}, ${listed('length(bytes)')}, ${joined('bytes')},
    ${joinedHex('entry_hash')}, ${joinedHex('prev_hash')}
  ${within('provenance_log')}`

interface Page {
  readonly from: number
  readonly limit: number
}

export function entriesIn(connection: Connection, { from, limit }: Page): readonly EntryRow[] {
  const range = { from, to: atMost(from + limit) - 1 }
  return pagesOf(connection, range, { first: FIRST_ENTRY, page: ENTRIES }).flatMap(entriesOf)
}

function entriesOf([seqs, lengths, bytes, hash, prevHash]: SqlRow): readonly EntryRow[] {
  const lengthAt = listIn<number>(lengths)
  const hashAt = String(hash).split(',')
  const prevHashAt = String(prevHash).split(',')
  const next = partsOf(bytes)
  return listIn<number>(seqs).map(
    (seq, at) =>
      ({
        seq,
        bytes: next(lengthAt[at]),
        hash: hashAt[at],
        prevHash: prevHashAt[at],
      }) as Untrusted<EntryRow>,
  )
}

const FIRST_SEALED = `SELECT min(seq) ${within('sealed')}`
const SEALED = `
  SELECT ${listed('seq')}, json_group_array(ref), ${listed('length(salt)')},
    ${listed('length(bytes)')}, ${joined('salt || bytes')}
  ${within('sealed')}`

export function sealedIn(connection: Connection, { from, to }: Range): readonly SealedRow[] {
  const range = { from, to: atMost(to) }
  return pagesOf(connection, range, { first: FIRST_SEALED, page: SEALED }).flatMap(sealedRowsOf)
}

function sealedRowsOf([seqs, refs, salts, lengths, bytes]: SqlRow): readonly SealedRow[] {
  const refAt = listIn<Ref>(refs)
  const saltLengthAt = listIn<number>(salts)
  const lengthAt = listIn<number>(lengths)
  const next = partsOf(bytes)
  return listIn<number>(seqs).map(
    (seq, at) =>
      ({
        seq,
        ref: refAt[at],
        salt: next(saltLengthAt[at]),
        bytes: next(lengthAt[at]),
      }) as Untrusted<SealedRow>,
  )
}

const RUN_OF_ENTRIES = `
  SELECT ${listed('seq')}, ${listed(`length(bytes) + ${LEAF_TAG.length}`)},
    ${joined(`x'${toHex(LEAF_TAG)}' || bytes`)},
    ${joinedHex('entry_hash')}, ${joinedHex('prev_hash')}
  ${within('provenance_log')}`

const RUN_OF_SEALED = `
  SELECT ${listed('seq')},
    ${listed(`CASE length(salt) WHEN ${SALT_BYTES}
      THEN length(bytes) + ${COMMITMENT_TAG.length + SALT_BYTES} ELSE -1 END`)},
    ${joined(`x'${toHex(COMMITMENT_TAG)}' || salt || bytes`)}
  ${within('sealed')}`

/** Bytes joined as they are hashed and left joined; missing rows are left out. */
export const runIn = (connection: Connection, { from, to: last }: Range): LedgerRun =>
  connection.atOnce(() => {
    const to = atMost(last)
    const [seqs, lengths, bytes, hashes, prevHashes] =
      connection.prepare(RUN_OF_ENTRIES).get(from, to) ?? []
    const sealed = connection.prepare(RUN_OF_SEALED).get(from, to) ?? []
    return {
      entries: preimagesOf(seqs, lengths, bytes),
      hashes: hashes ?? '',
      prevHashes: prevHashes ?? '',
      sealed: preimagesOf(...sealed),
    } as Untrusted<LedgerRun>
  })

const preimagesOf = (seqs?: SqlValue, lengths?: SqlValue, bytes?: SqlValue): Preimages => ({
  seqs: listIn(seqs),
  lengths: listIn(lengths),
  bytes: (bytes ?? new Uint8Array()) as Untrusted<Uint8Array>,
})

/** Each page begins at an existing row, so a gap of any width is a single step. */
function pagesOf(
  connection: Connection,
  { from, to }: Range,
  { first, page }: { readonly first: string; readonly page: string },
): readonly SqlRow[] {
  const pages: SqlRow[] = []
  for (let next = from; next <= to; next += PAGE_SEQS) {
    const start = connection.prepare(first).get(next, to)?.[0] ?? null
    if (start === null) break
    next = Number(start)
    const row = connection.prepare(page).get(next, Math.min(to, next + PAGE_SEQS - 1))
    if (row) pages.push(row)
  }
  return pages
}

/** Null where there was nothing to join. */
const listIn = <Item>(list: SqlValue | undefined): Untrusted<readonly Item[]> =>
  JSON.parse(String(list ?? '[]'))

/** The bytes piece by piece as views: keeping a view keeps the whole page. */
function partsOf(joinedBytes: SqlValue | undefined): (length: number | undefined) => Uint8Array {
  const bytes = joinedBytes as Untrusted<Uint8Array>
  let end = 0
  return (length = 0) => {
    const start = end
    end += length
    return bytes.subarray(start, end)
  }
}
