import { hasGivenWay, KEPT_OUT } from '../../domain/claim-state.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import { FIRST_HAND } from '../../domain/labels.ts'
import type { ReadQuery, ReadResults } from '../../ports/store.ts'
import { CLAIM_COLUMNS, claimsOf } from '../sql/claim-rows.ts'
import { selected } from '../sql/columns.ts'
import { MEMORY_COLUMNS, WITH_SEALED } from '../sql/memory-rows.ts'
import type { Untrusted } from '../sql/rows.ts'
import type { SqlRow } from '../sql/values.ts'
import type { Connection } from './connection.ts'
import { isStillOn, type KnownRows } from './known-lines.ts'
import { atMost, storedWith } from './listing.ts'

const CLAIM = `${selected(CLAIM_COLUMNS, 'm')}, CAST(s.bytes AS TEXT) AS s_text`

const texts = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

// Every claim of a line is in one of two indexes, each in the order of birth.
const STANDS = 'standing_until IS NOT NULL'
const GAVE_WAY = 'standing_until IS NULL'

const oldestAmong = (side: string, line: string, which: string): string => `
  SELECT * FROM (SELECT f.seq FROM memories f
    WHERE f.line = ${line} AND f.${side} AND ${which}
      AND f.disposition NOT IN (${texts(KEPT_OUT)})
    ORDER BY f.seq LIMIT 1)`

const oldestOf = (line: string, which: string): string => `(
  SELECT min(seq) FROM (
    ${oldestAmong(STANDS, line, which)} UNION ALL ${oldestAmong(GAVE_WAY, line, which)}))`

/** The oldest claim of a line that says what kind of line it is; `which` narrows it. */
const tellerOf = (line: string, which: string): string =>
  oldestOf(line, `f.subtype IS NOT 'Unknown' AND ${which}`)

const SAID_FIRST_HAND = `f.label IN (${texts(FIRST_HAND)})`

/** The same of those said first-hand; where none of them says it, the oldest. */
function firstHandOf(line: string, which = 'TRUE'): string {
  const said = `${SAID_FIRST_HAND} AND ${which}`
  return `coalesce(${tellerOf(line, said)}, ${oldestOf(line, said)})`
}

const claimsWhere = (which: string): string => `
  SELECT ${CLAIM} FROM memories m ${WITH_SEALED}
  WHERE m.line = unhex(?1) AND m.${which} ORDER BY m.seq`

const STANDING = claimsWhere('standing_until > ?2')
const GONE = claimsWhere(GAVE_WAY)

const TELLERS = `
  SELECT ${CLAIM} FROM memories m ${WITH_SEALED} WHERE m.seq IN (
    ${tellerOf('unhex(?1)', 'TRUE')}, ${firstHandOf('unhex(?1)')})`

// Both are counted in their indexes alone.
const COUNTS = `
  SELECT (SELECT count(*) FROM memories WHERE line = unhex(?1) AND ${GAVE_WAY}),
    (SELECT count(*) FROM memories WHERE line = unhex(?1) AND ${STANDS})`

/** Asked for in one moment, so that no claim is missing from both. */
export function lineIn(
  connection: Connection,
  { line, ...query }: Extract<ReadQuery, { type: 'line' }>,
): ReadResults['line'] {
  return connection.atOnce(() =>
    query.which === 'all' ? wholeIn(connection, line) : tailIn(connection, line, query.at ?? ''),
  )
}

const noneLater = (side: string): string => `NOT EXISTS (
  SELECT 1 FROM memories n
  WHERE n.line = m.line AND n.${side} AND n.seq > m.seq AND n.erased IS NULL)`

const NEWEST = `
  SELECT m.seq FROM memories m
  WHERE m.kind = 'claim' AND m.seq < ? AND m.line IS NOT NULL AND m.erased IS NULL
    AND ${noneLater(STANDS)} AND ${noneLater(GAVE_WAY)}
  ORDER BY m.seq DESC LIMIT +?`

export function linesIn(
  connection: Connection,
  { before, limit }: Extract<ReadQuery, { type: 'lines' }>,
): ReadResults['lines'] {
  return connection.atOnce(() => {
    const rows = connection.prepare(NEWEST).all(atMost(before ?? Infinity), atMost(limit))
    return storedWith(
      connection,
      rows.flatMap(([key]) => key ?? []),
    )
  })
}

const SEQ_AT = CLAIM_COLUMNS.indexOf('seq')

const inOrder = (rows: SqlRow[]): SqlRow[] =>
  rows.sort((a, b) => Number(a[SEQ_AT]) - Number(b[SEQ_AT]))

function wholeIn(connection: Connection, line: Hash): ReadResults['line'] {
  const standing = connection.prepare(STANDING).all(line, '')
  const gone = connection.prepare(GONE).all(line)
  const claims = claimsOf(gone.length === 0 ? standing : inOrder([...gone, ...standing]))
  return { claims, gaveWay: gone.length, over: 0 }
}

function tailIn(connection: Connection, line: Hash, at: string): ReadResults['line'] {
  const { known } = connection
  const kept = known?.hasRows(line) ? known.rowsOf(line, connection.head()) : undefined
  if (kept && kept.at <= at) return since(kept, at)
  const read = tailRead(connection, line, at)
  if (known?.isWorth(read.claims.length)) known.keepRows(line, connection.head(), read)
  return since(read, at)
}

function since({ claims: rows, tellers, gaveWay, standing }: KnownRows, at: string) {
  const claims = rows.filter(({ state }) => tellers.has(state.ref) || isStillOn(state, at))
  const read = claims.filter(({ state }) => !hasGivenWay(state)).length
  return { claims, gaveWay, over: standing - read }
}

function tailRead(connection: Connection, line: Hash, at: string): KnownRows {
  const [gaveWay = 0, standing = 0] = connection.prepare(COUNTS).get(line) ?? []
  const rows = connection.prepare(STANDING).all(line, at)
  const known = new Set(rows.map((row) => row[SEQ_AT]))
  const telling = connection.prepare(TELLERS).all(line)
  const rest = telling.filter((row) => !known.has(row[SEQ_AT] ?? null))
  return {
    at,
    claims: claimsOf(rest.length === 0 ? rows : inOrder([...rest, ...rows])),
    tellers: new Set(telling.map(([ref]) => ref as Untrusted<Ref>)),
    gaveWay: Number(gaveWay),
    standing: Number(standing),
  }
}

const LINE_GIVEN = `?${MEMORY_COLUMNS.indexOf('line') + 1}`
const nobodyOn = (side: string): string => `NOT EXISTS (
  SELECT 1 FROM memories o WHERE o.line = unhex(${LINE_GIVEN}) AND o.${side})`

/** Whether a memory on its way in is the first claim of its line. */
export const OPENS = `${LINE_GIVEN} IS NOT NULL AND ?${MEMORY_COLUMNS.indexOf('kind') + 1} = 'claim'
  AND ${nobodyOn(STANDS)} AND ${nobodyOn(GAVE_WAY)}`

const firstAmong = (side: string): string => `(
  SELECT o.seq FROM memories o WHERE o.line = unhex(j.value) AND o.${side} ORDER BY o.seq LIMIT 1)`

/** Of the claims that opened lines, a list as JSON, those that say one of the same; another list. */
export const openersOf = (lines: string, identities: string): string => `
  SELECT f.seq FROM json_each(${lines}) j
    CROSS JOIN memories f ON f.seq IN (${firstAmong(STANDS)}, ${firstAmong(GAVE_WAY)})
  WHERE f.opens = 1 AND f.identity IN (SELECT unhex(value) FROM json_each(${identities}))`

/** Asked lines with who tells their kind; no member of a set stands against another. */
export const ASKED_LINES = `
  asked (line, since, any_teller, teller, is_set) AS MATERIALIZED (
    SELECT line, since, any_teller, teller, (
      SELECT f.subtype IS 'SetValued' FROM memories f WHERE f.seq = teller
    ) FROM (
      SELECT unhex(j.value ->> 0) AS line, j.value ->> 1 AS since,
        ${tellerOf('unhex(j.value ->> 0)', 'f.ref IS NOT (j.value ->> 2)')} AS any_teller,
        ${firstHandOf('unhex(j.value ->> 0)', 'f.ref IS NOT (j.value ->> 2)')} AS teller
      FROM json_each(?1) j))`

export const ON_ASKED_LINES = `
  SELECT any_teller FROM asked
  UNION SELECT teller FROM asked
  UNION SELECT f.seq FROM asked a CROSS JOIN memories f
    ON f.line = a.line AND f.standing_until > a.since WHERE a.is_set IS NOT 1`
