import type { SealedRow } from '../../domain/entry.ts'
import type { Ref, StackId } from '../../domain/ids.ts'
import { isOneCharacter } from '../../domain/words/terms.ts'
import { byteOrder } from '../../ledger/canonical.ts'
import { COMMITMENT_TAG, SALT_BYTES } from '../../ledger/ledger.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import { toHex } from '../../ledger/sha256.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/queries.ts'
import type { Answers, EntryRow, LedgerRun, Preimages, ReadQuery } from '../../ports/store.ts'
import { lineRows, standingAt } from '../sql/claims.ts'
import { numbersOf, type SqlRow, type SqlValue, TERM } from '../sql/dialect.ts'
import type { Untrusted } from '../sql/entry-rows.ts'
import { read } from '../sql/lineage.ts'
import { atMost } from '../sql/memories.ts'
import type { Connection } from './connection.ts'
import { anyOf, SQLITE } from './dialect.ts'

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

function entriesIn(connection: Connection, { from, limit }: Page): readonly EntryRow[] {
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

function sealedIn(connection: Connection, { from, to }: Range): readonly SealedRow[] {
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
const runIn = (connection: Connection, { from, to: last }: Range): LedgerRun =>
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

/** All terms, separated by spaces; some repeat, and some are no longer in any memory. */
interface KnownTerms {
  /** The last entry and commit included. */
  readonly seq: number
  readonly rev: number
  readonly text: string
  readonly addedChars: number
}

// A scan of the whole index, a seventh of a second at 100,000 memories. The list is built on the
// first search for a part of a word and then follows the ledger.
const TERMS = "SELECT group_concat(term, ' ') FROM vocabulary"
const TIP = 'SELECT seq, rev FROM tip'
const SAID_SINCE = `
  SELECT w.c0 FROM (SELECT DISTINCT ref FROM provenance_log WHERE seq > ?) l
    CROSS JOIN memories m ON m.ref = l.ref JOIN words_content w ON w.id = m.seq`

const ADDED_SHARE_MAX = 0.5 // share of added text above which the list is rebuilt
const LOOKED_THROUGH_MAX = 100_000_000 // characters compared to find new terms; more costs more than a rebuild

const known = new WeakMap<Connection, KnownTerms>()

/** The first terms, in the order of their bytes, that contain a part and occur in a memory. */
function termsWith(
  connection: Connection,
  part: string,
  isSaid: (term: string) => boolean,
): readonly string[] {
  const { text } = knownTerms(connection)
  const holding = new Set<string>()
  for (let at = text.indexOf(part); at >= 0; ) {
    const end = text.indexOf(' ', at)
    holding.add(text.slice(text.lastIndexOf(' ', at) + 1, end))
    at = text.indexOf(part, end)
  }
  const found: string[] = []
  for (const term of [...holding].sort(byteOrder)) {
    if (found.length === BEGUN_MAX) break
    if (isSaid(term)) found.push(term)
  }
  return found
}

function knownTerms(connection: Connection): KnownTerms {
  const [seq, rev] = (connection.prepare(TIP).get() ?? [-1, -1]).map(Number) as [number, number] // two numbers
  const before = known.get(connection)
  if (before?.rev === rev) return before
  const after = (before && followed(connection, before, { seq, rev })) ?? {
    seq,
    rev,
    text: ` ${connection.prepare(TERMS).get()?.[0] ?? ''} `,
    addedChars: 0,
  }
  known.set(connection, after)
  return after
}

/** Null when a rebuild is cheaper: rows were folded anew, or very much was written. */
function followed(
  connection: Connection,
  before: KnownTerms,
  tip: { readonly seq: number; readonly rev: number },
): KnownTerms | null {
  if (tip.seq <= before.seq) return null
  const said = connection.prepare(SAID_SINCE).all(before.seq)
  const terms = new Set(said.flatMap(([text]) => String(text).split(' ')))
  if (terms.size * before.text.length > LOOKED_THROUGH_MAX) return null
  const added = [...terms].filter((term) => !before.text.includes(` ${term} `)).join(' ')
  const addedChars = before.addedChars + added.length
  if (addedChars > before.text.length * ADDED_SHARE_MAX) return null
  return { ...tip, text: `${before.text}${added} `, addedChars }
}

const IS_SAID = 'SELECT 1 FROM words WHERE words MATCH ? LIMIT 1'
const BEGUN = `SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ${BEGUN_MAX}`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/**
 * For an unknown or one-character term, the terms with this prefix; without any, the terms that
 * contain the term.
 */
function begunBy(connection: Connection, term: string): readonly string[] {
  if (!TERM.test(term)) return []
  const isSaid = (some: string): boolean =>
    connection.prepare(IS_SAID).get(anyOf([some])) !== undefined
  if (!isOneCharacter(term) && (term.length < BEGINNING_MIN || isSaid(term))) return []
  const begun = connection.prepare(BEGUN).all(term, term + BEHIND_ALL)
  if (begun.length === 0 && term.length >= INSIDE_MIN) return termsWith(connection, term, isSaid)
  return begun.map(([some]) => String(some))
}

/** A member of an entry; NULL where the entry cannot be read, which is for the audit to say. */
export const member = (path: string): string =>
  `CASE WHEN json_valid(e.entry) THEN e.entry ->> '$.${path}' END`

/** Entries filed under another memory than their bytes name. */
export const MISFILED = `
  SELECT e.seq FROM entries e WHERE json_valid(e.entry) AND e.ref IS NOT (${member('ref')})`

export function readFrom(connection: Connection, stack: StackId, query: ReadQuery): unknown {
  connection.answersFor(stack)
  switch (query.type) {
    case 'standing': {
      const { tip, stack: state } = connection.standing(stack)
      return { tip, stack: state, policy: connection.policy(state.policyHash) }
    }
    case 'begins':
      return connection.atOnce(() => query.terms.map((term) => begunBy(connection, term)))
    case 'line':
      return connection.atOnce(() => lineIn(connection, query))
    case 'run':
      return runIn(connection, query)
    case 'policy':
      return connection.policy(query.hash)
    default:
      if (query.type === 'entries' && 'from' in query) return entriesIn(connection, query)
      if (query.type === 'table' && query.name === 'sealed') return sealedIn(connection, query)
      if (query.type === 'table' && query.name === 'misfiled') return misfiledIn(connection)
      return connection.atOnce(() => connection.run(read(SQLITE, query)))
  }
}

const misfiledIn = (connection: Connection): readonly number[] =>
  numbersOf(connection.prepare(`${MISFILED} ORDER BY 1`).all())

/** A long timeline stays cached between two questions; a whole timeline is rarely read. */
function lineIn(
  connection: Connection,
  query: Extract<ReadQuery, { type: 'line' }>,
): Answers['line'] {
  const { line } = query
  if (query.which === 'all') return connection.run(read(SQLITE, query)) as Answers['line']
  const at = query.at ?? ''
  const { known } = connection
  const kept = known?.hasRows(line) ? known.rowsOf(line, connection.head()) : undefined
  if (kept && kept.at <= at) return standingAt(kept, at)
  const rows = connection.run(lineRows(SQLITE, line, at))
  if (known?.isWorth(rows.claims.length)) known.keepRows(line, connection.head(), rows)
  return standingAt(rows, at)
}
