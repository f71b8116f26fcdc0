import type { SealedRow } from '../../domain/entry.ts'
import { isOneCharacter } from '../../domain/words/terms.ts'
import { BEGINNING_MIN, BEGUN_MAX, INSIDE_MIN } from '../../ports/queries.ts'
import type { EntryRow, ReadQuery } from '../../ports/store.ts'
import { joinedAsHashed } from '../memory/read.ts'
import { askable, rowsOf, type SqlRow, type Steps } from '../sql/dialect.ts'
import { read } from '../sql/lineage.ts'
import type { Connection } from './connection.ts'
import { listOf, POSTGRES } from './dialect.ts'

const ARE_SAID = `
  SELECT j.at FROM ${POSTGRES.list('text')} WHERE EXISTS (
    SELECT 1 FROM postings p WHERE p.stack_id = $1 AND p.term = j.key)`
// Each next term is looked up behind the previous term: a term in many memories still takes one
// step.
const BEGUN = `
  SELECT j.at, b.term FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS j (begins, ends, at),
    LATERAL (
      WITH RECURSIVE begun (term, at) AS (
        (SELECT p.term, 1 FROM postings p
         WHERE p.stack_id = $1 AND p.term >= j.begins AND p.term < j.ends ORDER BY p.term LIMIT 1)
        UNION ALL
        SELECT (SELECT p.term FROM postings p
          WHERE p.stack_id = $1 AND p.term > b.term AND p.term < j.ends ORDER BY p.term LIMIT 1), b.at + 1
        FROM begun b WHERE b.term IS NOT NULL AND b.at < ${BEGUN_MAX})
      SELECT term, at FROM begun WHERE term IS NOT NULL) b
  ORDER BY j.at, b.at`
// One scan of the whole index for all parts, only for terms without an exact or a prefix match.
const INSIDE = `
  SELECT at, term FROM (
    SELECT j.at, t.term, row_number() OVER (PARTITION BY j.at ORDER BY t.term) AS place
    FROM (SELECT DISTINCT p.term FROM postings p WHERE p.stack_id = $1 OFFSET 0) t
      JOIN ${POSTGRES.list('text')} ON strpos(t.term, j.key) > 0) held
  WHERE place <= ${BEGUN_MAX} ORDER BY at, place`
const BEHIND_ALL = '\u{10ffff}' // in the order of bytes

/**
 * For each unknown or one-character term, the known terms with this prefix; without any, the terms
 * that contain the term.
 */
function* begunBy(terms: readonly string[]): Steps<readonly (readonly string[])[]> {
  const known = askable(terms)
  const words = known.filter((term) => !isOneCharacter(term) && term.length >= BEGINNING_MIN)
  const rows = words.length === 0 ? [] : yield* rowsOf(ARE_SAID, listOf(words))
  const said = new Set(rows.map(([at]) => words[Number(at) - 1]))
  const parts = [...known.filter(isOneCharacter), ...words.filter((word) => !said.has(word))]
  const found = yield* termsBy(parts)
  return terms.map((term) => found.get(term) ?? [])
}

/** Three questions at most, however many parts there are. */
function* termsBy(parts: readonly string[]): Steps<ReadonlyMap<string, readonly string[]>> {
  if (parts.length === 0) return new Map()
  const ends = parts.map((part) => part + BEHIND_ALL)
  const found = byPart(parts, yield* rowsOf(BEGUN, listOf(parts), listOf(ends)))
  const inside = parts.filter((part) => part.length >= INSIDE_MIN && !found.has(part))
  if (inside.length === 0) return found
  return new Map([...found, ...byPart(inside, yield* rowsOf(INSIDE, listOf(inside)))])
}

/** Rows of a part's position, counted from 1, and a term. */
function byPart(parts: readonly string[], rows: readonly SqlRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [at, term] of rows) {
    const part = parts[Number(at) - 1] ?? ''
    const terms = found.get(part)
    if (terms) terms.push(String(term))
    else found.set(part, [String(term)])
  }
  return found
}

const PAGE_ROWS = 2_048
const PAGE = `
  SELECT l.seq, l.ref, l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND l.seq > ? ORDER BY l.seq LIMIT ${PAGE_ROWS}`

const decoder = new TextDecoder()

/** Entries filed under another memory than their bytes name. */
export async function misfiled(connection: Connection): Promise<readonly number[]> {
  const found: number[] = []
  for (let last = -1; ; ) {
    const page = await connection.rows(PAGE, last)
    for (const [seq, ref, bytes] of page) {
      last = Number(seq)
      if (isNamedIn(bytes as Uint8Array, ref ?? null) === false) found.push(last)
    }
    if (page.length < PAGE_ROWS) return found
  }
}

/** True when the bytes name this ref; null for unreadable bytes, which the audit reports. */
function isNamedIn(bytes: Uint8Array, ref: unknown): boolean | null {
  try {
    const told = JSON.parse(decoder.decode(bytes)) as { readonly ref?: unknown } // any JSON
    return (told.ref ?? null) === ref
  } catch {
    return null
  }
}

export async function readFrom(connection: Connection, query: ReadQuery): Promise<unknown> {
  switch (query.type) {
    case 'standing': {
      const { tip, stack } = await connection.standing()
      return { tip, stack, policy: await connection.policy(stack.policyHash) }
    }
    case 'begins':
      return connection.run(begunBy(query.terms))
    case 'run':
      return runIn(connection, query)
    case 'policy':
      return connection.policy(query.hash)
    default:
      if (query.type === 'table' && query.name === 'misfiled') return misfiled(connection)
      return connection.run(read(POSTGRES, query))
  }
}

async function runIn(
  connection: Connection,
  { from, to }: { readonly from: number; readonly to: number },
) {
  const [entries, sealed] = await Promise.all([
    connection.run(read(POSTGRES, { type: 'entries', from, limit: to - from + 1 })),
    connection.run(read(POSTGRES, { type: 'table', name: 'sealed', from, to })),
  ])
  return joinedAsHashed(entries as readonly EntryRow[], sealed as readonly SealedRow[])
}
