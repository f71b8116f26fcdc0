import { hasGivenWay, KEPT_OUT } from '../../domain/claim-state.ts'
import type { Hash } from '../../domain/ids.ts'
import { FIRST_HAND } from '../../domain/labels.ts'
import type { ClaimRow, ReadQuery, ReadResults } from '../../ports/store.ts'
import { CLAIM_COLUMNS, claimsOf } from '../sql/claim-rows.ts'
import { selected } from './columns.ts'
import type { Connection } from './connection.ts'
import type { PgRow } from './driver.ts'
import { atMost, keysIn, storedWith } from './listing.ts'
import { WITH_SEALED } from './memory-rows.ts'
import { withText } from './met-rows.ts'

const CLAIM = `${selected(CLAIM_COLUMNS, 'm')}, s.bytes`

const texts = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

const oldestOf = (line: string, which: string): string => `(
  SELECT f.seq FROM memories f
  WHERE f.stack_id = $1 AND f.line = ${line} AND ${which}
    AND f.disposition NOT IN (${texts(KEPT_OUT)})
  ORDER BY f.seq LIMIT 1)`

/** The oldest claim of a line that says what kind of line it is; `which` narrows it. */
const tellerOf = (line: string, which: string): string =>
  oldestOf(line, `f.subtype IS DISTINCT FROM 'Unknown' AND ${which}`)

const SAID_FIRST_HAND = `f.label IN (${texts(FIRST_HAND)})`

/** The same of those said first-hand; where none of them says it, the oldest. */
function firstHandOf(line: string, which = 'TRUE'): string {
  const said = `${SAID_FIRST_HAND} AND ${which}`
  return `coalesce(${tellerOf(line, said)}, ${oldestOf(line, said)})`
}

const LINE = "decode($2, 'hex')"

const ALL = `
  SELECT ${CLAIM} FROM memories m ${WITH_SEALED}
  WHERE m.stack_id = $1 AND m.line = ${LINE} ORDER BY m.seq`

const STANDING = `
  SELECT ${CLAIM} FROM memories m ${WITH_SEALED}
  WHERE m.stack_id = $1 AND m.line = ${LINE} AND m.standing_until > $3`

const TELLERS = `
  SELECT ${CLAIM} FROM memories m ${WITH_SEALED} WHERE m.stack_id = $1 AND m.seq IN (
    ${tellerOf(LINE, 'TRUE')}, ${firstHandOf(LINE)})`

// Both are counted in their indexes alone.
const COUNTS = `
  SELECT (SELECT count(*) FROM memories f WHERE f.stack_id = $1 AND f.line = ${LINE}),
    (SELECT count(*) FROM memories f
     WHERE f.stack_id = $1 AND f.line = ${LINE} AND f.standing_until > '')`

const claimsIn = (rows: readonly PgRow[]): ClaimRow[] =>
  claimsOf(rows.map((row) => withText(row, CLAIM_COLUMNS.length)))

export async function lineIn(
  connection: Connection,
  query: Extract<ReadQuery, { type: 'line' }>,
): Promise<ReadResults['line']> {
  const { line } = query
  const counting = connection.row(COUNTS, line)
  const claims =
    query.which === 'all'
      ? claimsIn(await connection.rows(ALL, line))
      : await standingIn(connection, line, query.at ?? '')
  const standing = claims.filter(({ state }) => !hasGivenWay(state)).length
  const [all = 0, allStanding = 0] = (await counting) ?? []
  const gaveWay = Number(all) - Number(allStanding)
  return { claims, gaveWay, over: Number(allStanding) - standing }
}

const NEWEST = `
  SELECT m.seq FROM memories m
  WHERE m.stack_id = $1 AND m.kind = 'claim' AND m.seq < ? AND m.line IS NOT NULL
    AND m.erased IS NULL AND NOT EXISTS (
      SELECT 1 FROM memories n
      WHERE n.stack_id = $1 AND n.line = m.line AND n.seq > m.seq AND n.erased IS NULL)
  ORDER BY m.seq DESC LIMIT ?`

export async function linesIn(
  connection: Connection,
  { before, limit }: Extract<ReadQuery, { type: 'lines' }>,
): Promise<ReadResults['lines']> {
  const rows = await connection.rows(NEWEST, atMost(before ?? Infinity), atMost(limit))
  return storedWith(connection, keysIn(rows))
}

async function standingIn(
  connection: Connection,
  line: Hash,
  at: string,
): Promise<readonly ClaimRow[]> {
  const telling = connection.rows(TELLERS, line)
  const standing = await connection.rows(STANDING, line, at)
  const known = new Set(standing.map(([ref]) => ref))
  const rows = [...standing, ...(await telling).filter(([ref]) => !known.has(ref ?? null))]
  return claimsIn(rows).sort((a, b) => a.state.seq - b.state.seq)
}

/** Asked lines with who tells their kind; no member of a set stands against another. */
export const ASKED_LINES = `
  asked (line, since, any_teller, teller, is_set) AS MATERIALIZED (
    SELECT t.line, t.since, t.any_teller, t.teller, (
      SELECT f.subtype IS NOT DISTINCT FROM 'SetValued' FROM memories f
      WHERE f.stack_id = $1 AND f.seq = t.teller
    ) FROM (
      SELECT j.line, j.since,
        ${tellerOf('j.line', 'f.ref IS DISTINCT FROM j.but')} AS any_teller,
        ${firstHandOf('j.line', 'f.ref IS DISTINCT FROM j.but')} AS teller
      FROM unnest($2::bytea[], $3::text[], $4::text[]) AS j (line, since, but)) t)`

export const ON_ASKED_LINES = `
  SELECT any_teller FROM asked
  UNION SELECT teller FROM asked
  UNION SELECT f.seq FROM asked a JOIN memories f
    ON f.stack_id = $1 AND f.line = a.line AND f.standing_until > a.since
    WHERE a.is_set IS NOT TRUE`
