import { type ClaimState, hasGivenWay, isOverFrom, KEPT_OUT } from '../../domain/claims.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import { FIRST_HAND } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Answers, ClaimRow, ReadQuery } from '../../ports/store.ts'
import {
  type Dialect,
  rowsOf,
  type SqlRow,
  type Steps,
  selected,
  texts,
  written,
} from './dialect.ts'
import { textIn, type Untrusted } from './entry-rows.ts'
import { sharedMarks, WITH_SEALED } from './memory-rows.ts'

const CLAIM_COLUMNS = [
  'ref',
  'seq',
  'born_at',
  'label',
  'source_id',
  'identity',
  'disposition',
  'tier',
  'depth_farthest',
  'confidence',
  'strength',
  'restated_at',
  'verified_at',
  'review',
  'subtype',
  'marks',
] as const

const MARKS_AT = CLAIM_COLUMNS.indexOf('marks')
const CLAIM_SEQ_AT = CLAIM_COLUMNS.indexOf('seq')

/** A claim out of `memories m … sealed s`. */
const CLAIM = (d: Dialect): string =>
  `${selected(d, CLAIM_COLUMNS, 'm')}, ${d.text('s.bytes')} AS s_text`

function claimsOf(rows: readonly SqlRow[]): ClaimRow[] {
  const marks = sharedMarks()
  const numbers = sharedNumbers()
  return rows.map((row) => claimOf(row, marks(row[MARKS_AT] ?? null).claim, numbers(row)))
}

/** Claims with equal confidence and strength share one object for these numbers. */
function sharedNumbers(): (row: SqlRow) => Numbers {
  let last: SqlRow = []
  let numbers: Numbers | null = null
  return (row) => {
    if (numbers === null || row[9] !== last[9] || row[10] !== last[10] || row[14] !== last[14]) {
      numbers = {
        confidence: { value: row[9] },
        strength: { value: row[10] },
        facets: { subtype: row[14] },
      } as Untrusted<Numbers>
    }
    last = row
    return numbers
  }
}

type Numbers = Pick<ClaimRow['state'], 'confidence' | 'strength' | 'facets'>

function claimOf(
  row: SqlRow,
  claim: ClaimState | null,
  { confidence, strength, facets }: Numbers,
): ClaimRow {
  const state = {
    ref: row[0],
    seq: row[1],
    bornAt: row[2],
    label: row[3],
    sourceId: row[4],
    identity: row[5],
    claim,
    disposition: row[6],
    tier: row[7],
    depthFarthest: row[8],
    confidence,
    strength,
    restatedAt: row[11],
    verifiedAt: row[12],
    review: row[13],
    facets,
  }
  return { state, sealed: textIn(row[CLAIM_COLUMNS.length]) } as unknown as Untrusted<ClaimRow>
}

const oldestOf = (d: Dialect, line: string, which: string): string =>
  d.oldestOf(line, `${which} AND f.disposition NOT IN (${texts(KEPT_OUT)})`)

/** The oldest claim of a timeline with a known timeline kind; `which` narrows the claims. */
export const tellerOf = (d: Dialect, line: string, which = 'TRUE'): string =>
  oldestOf(d, line, `f.subtype ${d.isNot} 'Unknown' AND ${which}`)

/** Of first-hand claims, the oldest with a known timeline kind, or else the oldest. */
export function firstHandOf(d: Dialect, line: string, which = 'TRUE'): string {
  const said = `f.label IN (${texts(FIRST_HAND)}) AND ${which}`
  return `coalesce(${tellerOf(d, line, said)}, ${oldestOf(d, line, said)})`
}

const givenLine = (d: Dialect): string => d.unhex(d.nth(1))

const claimsWhere = (d: Dialect, which: string): string => `
  SELECT ${CLAIM(d)} FROM memories m ${WITH_SEALED(d)}
  WHERE ${d.inStack('m')} AND m.line = ${givenLine(d)} AND m.${which} ORDER BY m.seq`

const STANDING = written((d) => claimsWhere(d, `standing_until > ${d.nth(2)}`))
const GAVE_WAY = written((d) => claimsWhere(d, d.gaveWay))

const TELLERS = written(
  (d) => `
  SELECT ${CLAIM(d)} FROM memories m ${WITH_SEALED(d)} WHERE ${d.inStack('m')} AND m.seq IN (
    ${tellerOf(d, givenLine(d))}, ${firstHandOf(d, givenLine(d))})`,
)

/** Both are counted in their indexes alone. */
const COUNTS = written((d) => {
  const count = (side: string): string =>
    `(SELECT count(*) FROM memories f WHERE ${d.inStack('f')} AND f.line = ${givenLine(d)}${side})`
  const standing = count(` AND f.${d.stands}`)
  const gaveWay = d.countsGaveWay ? count(` AND f.${d.gaveWay}`) : `${count('')} - ${standing}`
  return `SELECT ${gaveWay}, ${standing}`
})

/** The claims of a timeline that stood at a moment, and the claims that set the timeline's kind. */
export interface LineRows {
  /** The moment; claims already over are left out. */
  readonly at: string
  /** Oldest first. */
  readonly claims: readonly ClaimRow[]
  readonly tellers: ReadonlySet<Ref>
  readonly gaveWay: number
  /** The number of standing claims, over or not. */
  readonly standing: number
}

type LineQuery = Extract<ReadQuery, { type: 'line' }>

export function* lineOf(d: Dialect, query: LineQuery): Steps<Answers['line']> {
  if (query.which === 'all') return yield* wholeLine(d, query.line)
  const at = query.at ?? ''
  return standingAt(yield* lineRows(d, query.line, at), at)
}

const inOrder = (rows: SqlRow[]): readonly SqlRow[] =>
  rows.sort((a, b) => Number(a[CLAIM_SEQ_AT]) - Number(b[CLAIM_SEQ_AT]))

function* wholeLine(d: Dialect, line: Hash): Steps<Answers['line']> {
  const standing = yield* rowsOf(STANDING(d), line, '')
  const gone = yield* rowsOf(GAVE_WAY(d), line)
  const claims = claimsOf(gone.length === 0 ? standing : inOrder([...gone, ...standing]))
  return { claims, gaveWay: gone.length, over: 0 }
}

export function* lineRows(d: Dialect, line: Hash, at: string): Steps<LineRows> {
  const [counts = [], standing = [], telling = []] = yield [
    { sql: COUNTS(d), values: [line] },
    { sql: STANDING(d), values: [line, at] },
    { sql: TELLERS(d), values: [line] },
  ]
  const known = new Set(standing.map((row) => row[CLAIM_SEQ_AT]))
  const rest = telling.filter((row) => !known.has(row[CLAIM_SEQ_AT] ?? null))
  const [gaveWay = 0, all = 0] = counts[0] ?? []
  return {
    at,
    claims: claimsOf(rest.length === 0 ? standing : inOrder([...rest, ...standing])),
    tellers: new Set(telling.map(([ref]) => ref as Untrusted<Ref>)),
    gaveWay: Number(gaveWay),
    standing: Number(all),
  }
}

/** Of claims that stood at an earlier moment, the claims that still stand. */
export function standingAt(
  { claims: rows, tellers, gaveWay, standing }: LineRows,
  at: string,
): Answers['line'] {
  const claims = rows.filter(({ state }) => tellers.has(state.ref) || isStillOn(state, at))
  const read = claims.filter(({ state }) => !hasGivenWay(state)).length
  return { claims, gaveWay, over: standing - read }
}

/** As a statement asks of a row: not over by then, whatever the policy. */
export function isStillOn({ claim }: Pick<MemoryState, 'claim'>, at: string): boolean {
  const until = claim && isOverFrom(claim)
  return until === null || until > at
}
