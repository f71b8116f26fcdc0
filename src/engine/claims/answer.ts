import { type ClaimWord, hasGivenWay } from '../../domain/claims.ts'
import type { Tier } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import { lineParts } from '../../domain/kinds/content.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type DateGiven, type Instant, tryParseDate } from '../../domain/time.ts'
import { tierNow } from '../../fold/effective.ts'
import {
  type ErasedClaims,
  type ErasedPlace,
  foldLine,
  isEnough,
  type LineFold,
  type Side,
  type Standing,
} from '../../fold/fold-line.ts'
import {
  type Basis,
  type Currency,
  cardinalityOf,
  isLineClaim,
  type LineClaim,
} from '../../fold/line-claims.ts'
import { contentHash } from '../../ledger/ledger.ts'
import type { ClaimRow, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, memoryAsOf, momentAsOf, type Past } from '../read/as-of.ts'
import type { Served } from '../read/served.ts'
import { tierMinOf, type UseOptions } from '../read/use-gate.ts'
import type { Moment } from '../world.ts'
import { nameOf } from '../write/arguments.ts'
import { claimOpener, type OpenedClaim } from './open-claim.ts'

/** The subject and predicate of a timeline. */
export interface TimelineKey {
  readonly subject: string
  readonly predicate: string
}

/** The time and the use of a question. */
export interface AskOptions extends UseOptions {
  /** Moment in valid time: a date of any granularity, read as its first moment; now by default. */
  readonly validAt?: string
  /** Knowledge as of an entry number or a time. */
  readonly asOf?: AsOf
}

/** A claim behind a value of an answer. */
export interface AnswerClaim extends OpenedClaim {
  readonly ref: Ref
  readonly label: MemoryState['label']
  readonly actor: string
  readonly saidAt: Instant
  readonly disposition: MemoryState['disposition']
  readonly tier: MemoryState['tier']
  readonly confidence: number
  /** The last word on the whole claim: a verdict or a retraction. */
  readonly word: ClaimWord | null
}

/** One value with the claims that support the value. */
export interface AnswerValue {
  readonly value: JsonValue
  readonly basis: Basis
  readonly evidence: number
  readonly currency: Currency
  readonly claims: readonly AnswerClaim[]
}

/** The answer of a timeline, computed on read and never stored. */
export interface Answer extends TimelineKey {
  readonly standing: Standing
  /** True if the timeline has any claim: unknown then only means unknown at this time. */
  readonly isSaid: boolean
  readonly cardinality: LineFold['cardinality']
  /** The held value; null for unknown, contested and set-valued timelines. */
  readonly value: JsonValue | null
  /** The held value, the sides of a contest, or the members of a set. */
  readonly values: readonly AnswerValue[]
  /** Other values of models: shown, and never above a first-hand value. */
  readonly beside: readonly AnswerValue[]
  readonly claims: readonly AnswerClaim[]
  /** Currency of the held value, or of the freshest member of a set; null where nothing is held. */
  readonly currency: Currency | null
  /** Independent first-hand sources of the held value. */
  readonly evidence: number
  /** Retracted claims; without the retraction they would answer. */
  readonly retracted: readonly Ref[]
  /** Erased claims; without the erasure they would answer. */
  readonly erased: readonly Ref[]
  /** Claims below the tier of the use. A value that only withheld claims support is not shown. */
  readonly withheld: {
    readonly tierMin: Tier
    readonly count: number
    readonly refs: readonly Ref[]
  }
  readonly validAt: Instant
  /** The last entry that counts; null is all entries. */
  readonly asOf: number | null
}

export const lineOf = ({ sha256 }: Pick<Engine, 'sha256'>, line: TimelineKey): Hash => {
  const subject = nameOf('subject', line.subject)
  const predicate = nameOf('predicate', line.predicate)
  return contentHash(sha256, lineParts('claim', { subject, predicate }))
}

export const instantOf = (field: string, text: string): Instant => dateGiven(field, text).at

/** Parses a date of any granularity; errors name the field. */
export function dateGiven(field: string, text: string): DateGiven {
  const date = tryParseDate(text)
  if (date) return date
  throw new MunimentError(
    'invalid_input',
    `${field}: expected 2024, 2024-05, 2024-05-15 or a time.`,
    {
      issues: [{ path: field, message: 'is no date' }],
    },
  )
}

export interface LineThen extends Moment {
  readonly claims: readonly ClaimRow[]
  readonly erased: ErasedClaims
  readonly seq: number | null
  /** The cardinality, where only part of the timeline was read. */
  readonly cardinality?: LineFold['cardinality']
  readonly isSaid?: boolean
}

/** Reads the whole timeline, now or as of the past. */
export async function lineThen(engine: Engine, line: Hash, asOf?: AsOf): Promise<LineThen> {
  if (asOf === undefined) {
    const { claims } = await engine.read({ type: 'line', line, which: 'all' })
    return {
      ...(await engine.moment()),
      claims,
      erased: await erasedAmong(engine, claims),
      seq: null,
    }
  }
  const past = await momentAsOf(engine, asOf)
  const { claims } = await engine.read({ type: 'line', line, which: 'all' })
  const born = claims.filter(({ state }) => state.seq <= past.seq)
  const stood = await asTheyStood(engine, born, past)
  return { ...past, claims: stood, erased: await erasedAmong(engine, stood), seq: past.seq }
}

/** Folds only claims that changed after the past moment; unchanged claims keep their row. */
async function asTheyStood(
  engine: Engine,
  claims: readonly ClaimRow[],
  past: Past,
): Promise<readonly ClaimRow[]> {
  const refs = claims.map(({ state }) => state.ref)
  const changed = new Set(
    await engine.read({
      type: 'memories',
      as: 'ref',
      where: { refs, changedAfter: past.seq },
      order: 'given',
    }),
  )
  const then = claims.map(async (row) => {
    if (!changed.has(row.state.ref)) return row
    const stored = await memoryAsOf(engine, row.state.ref, past)
    return stored && rowOf(stored)
  })
  return (await Promise.all(then)).flatMap((row) => row ?? [])
}

const decoder = new TextDecoder()

const rowOf = ({ state, sealed }: StoredMemory): ClaimRow => ({
  state,
  sealed: sealed && decoder.decode(sealed.bytes),
})

/** Reads standing claims, usually enough, and the whole timeline otherwise. */
export async function lineFor(engine: Engine, line: Hash, validAt?: Instant): Promise<LineThen> {
  const moment = await engine.moment()
  // Another replica may tell of earlier claims at any time, so no part of a timeline is settled.
  if (moment.byOrigin) return lineThen(engine, line)
  const at = validAt ?? moment.now
  const { claims, ...leftOut } = await engine.read({ type: 'line', line, which: 'standing', at })
  const standing = claims.filter(({ state }) => !hasGivenWay(state))
  const states = standing.map(({ state }) => state).filter(isLineClaim)
  const cardinality = cardinalityOf(claims.map(({ state }) => state))
  const { policy } = moment
  const isTail = isEnough(states, { policy, validAt: at, cardinality }, leftOut)
  // Distrusted claims no longer record their successor, so the whole timeline is read.
  const isDoubted = states.some(({ disposition }) => disposition === 'Distrusted')
  // A replaced claim keeps the link to its successor, also after a retraction.
  const isLinked = leftOut.gaveWay + leftOut.over > 0 || states.some(hasSuccessor)
  if (!isTail || isDoubted || (isLinked && (await hasErased(engine)))) return lineThen(engine, line)
  const isSaid = claims.length + leftOut.gaveWay + leftOut.over > 0
  return { ...moment, claims: standing, erased: new Map(), seq: null, cardinality, isSaid }
}

const hasSuccessor = ({ claim }: LineClaim): boolean =>
  claim.overruledBy !== null || claim.silencedBy !== undefined

/** An erased successor is on no timeline, and only the whole timeline reveals the gap. */
const hasErased = async ({ read }: Pick<Engine, 'read'>): Promise<boolean> =>
  (await read({ type: 'standing' })).stack.tombstones > 0

/** Finds the erased claims that replaced some of these claims; erased claims are on no timeline. */
export async function erasedAmong(
  { read }: Pick<Engine, 'read'>,
  claims: readonly Pick<ClaimRow, 'state'>[],
): Promise<ErasedClaims> {
  const there = new Set(claims.map(({ state }) => state.ref))
  const gone = new Set<Ref>()
  const follow = (by: Ref | null): void => {
    if (by !== null && !there.has(by)) gone.add(by)
  }
  for (const { claim } of claims.map(({ state }) => state)) {
    for (const by of [claim?.overruledBy ?? null, ...(claim?.silencedBy ?? [])]) follow(by)
  }
  const erased = new Map<Ref, ErasedPlace>()
  for (const ref of gone) {
    const state = (await read({ type: 'memory', ref }))?.state
    if (!state?.erased) continue
    const { dated, silent, by = null, until = null } = state.erased
    const from = dated ? null : state.bornAt
    erased.set(ref, { from, until, by, isSilent: silent === true })
    follow(by)
  }
  return erased
}

export async function ask(engine: Engine, line: TimelineKey, options: AskOptions): Promise<Answer> {
  const { validAt, ...rest } = options
  const at = validAt === undefined ? undefined : instantOf('validAt', validAt)
  return answerTo(engine, { ...line, hash: lineOf(engine, line) }, { ...rest, validAt: at })
}

/** A question to a timeline with parsed dates. */
export interface Asking extends UseOptions {
  readonly validAt: Instant | undefined
  readonly asOf?: AsOf
}

export async function answerTo(
  engine: Engine,
  { hash, ...line }: TimelineKey & { readonly hash: Hash },
  { validAt, asOf, ...use }: Asking,
): Promise<Answer> {
  const then =
    asOf === undefined ? await lineFor(engine, hash, validAt) : await lineThen(engine, hash, asOf)
  return gatedAnswer(answerFrom(line, then, validAt), tierMinOf(then.policy, use, 0))
}

/**
 * Withholds claims after the fold: without the claims of a lower tier, the values that they
 * replaced would return. A value held only by withheld claims becomes unknown.
 */
export function gatedAnswer(answer: Answer, tierMin: Tier): Answer {
  if (tierMin === 0) return answer
  const refs: Ref[] = []
  const shown = (sides: readonly AnswerValue[]): readonly AnswerValue[] =>
    sides.flatMap((side) => {
      const claims = side.claims.filter(({ ref, tier }) => tier >= tierMin || !refs.push(ref))
      return claims.length === 0 ? [] : [{ ...side, claims }]
    })
  const [values, beside] = [shown(answer.values), shown(answer.beside)]
  const isGone = values.length === 0 && answer.values.length > 0
  return {
    ...answer,
    ...(isGone ? { standing: 'unknown', value: null, currency: null, evidence: 0 } : {}),
    values,
    beside,
    claims: values.flatMap(({ claims }) => claims),
    withheld: { tierMin, count: refs.length, refs },
  }
}

/** Pure: equal claims, moment and question give an equal answer. */
export function answerFrom(line: TimelineKey, then: LineThen, asked?: Instant): Answer {
  const { policy, now, seq, byOrigin = false } = then
  const validAt = asked ?? now
  const states = then.claims.map(({ state }) => state).filter(isLineClaim)
  const { cardinality, erased } = then
  const told = cardinality === undefined ? {} : { cardinality }
  const fold = foldLine(states, { policy, validAt, now, byOrigin, erased, ...told })
  const shown = sideShower(then.claims)
  const values = fold.sides.map(shown)
  const isHeld = fold.standing === 'held'
  const { subject, predicate } = line
  return {
    subject,
    predicate,
    standing: fold.standing,
    isSaid: then.isSaid ?? then.claims.length > 0,
    cardinality: fold.cardinality,
    value: isHeld && fold.cardinality === 'Functional' ? (values[0]?.value ?? null) : null,
    values,
    beside: fold.beside.map(shown),
    claims: values.flatMap(({ claims }) => claims),
    currency: isHeld ? freshestOf(values) : null,
    evidence: isHeld ? sourcesOf(fold) : 0,
    retracted: fold.takenBack,
    erased: fold.erased,
    withheld: { tierMin: 0, count: 0, refs: [] },
    validAt,
    asOf: seq,
  }
}

const freshestOf = (values: readonly AnswerValue[]): Currency | null =>
  values
    .map(({ currency }) => currency)
    .reduce<Currency | null>((best, each) => (best && best.value >= each.value ? best : each), null)

/** Counts each source of any member of a set once. */
const sourcesOf = ({ sides }: LineFold): number =>
  sides.length === 1
    ? (sides[0]?.evidence ?? 0)
    : new Set(
        sides.flatMap(({ claims, basis }) =>
          basis === 'first-hand' ? claims.map(({ sourceId }) => sourceId) : [],
        ),
      ).size

/** Converts sides to values of an answer; consecutive claims share parsed dates. */
function sideShower(rows: readonly ClaimRow[]): (side: Side) => AnswerValue {
  const stored = new Map<number, ClaimRow>()
  for (const row of rows) stored.set(row.state.seq, row)
  const open = claimOpener()
  return ({ basis, evidence, currency, claims: spoken }) => {
    const claims: AnswerClaim[] = []
    for (const { seq } of spoken) {
      const found = stored.get(seq)
      if (found) claims.push(shownOf(found, open))
    }
    return { value: claims[0]?.value ?? null, basis, evidence, currency, claims }
  }
}

export function shownOf(row: ClaimRow, open: ReturnType<typeof claimOpener>): AnswerClaim {
  const { state } = row
  const { value, validFrom, validUntil } = open(row)
  return {
    ref: state.ref,
    value,
    label: state.label,
    actor: state.sourceId,
    saidAt: state.bornAt,
    validFrom,
    validUntil: state.claim?.endedAt ?? validUntil,
    disposition: state.disposition,
    tier: tierNow(state),
    confidence: state.confidence.value,
    word: state.claim?.word ?? null,
  }
}

/** Claims whose words an answer shows. */
export const servedByAnswer = ({ subject, predicate, values, beside }: Answer): readonly Served[] =>
  [...values, ...beside].flatMap(({ value, claims }) => {
    const text = contentText('claim', { subject, predicate, value })
    return claims.map(({ ref, tier }) => ({ ref, tier, text }))
  })
