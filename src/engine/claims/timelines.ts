import { KEPT_OUT } from '../../domain/claims.ts'
import type { Tier } from '../../domain/doors.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import { tierNow } from '../../fold/effective.ts'
import { type ClaimStatus, foldLine, statusIn } from '../../fold/fold-line.ts'
import { isLineClaim, type LineClaim, speaksFrom } from '../../fold/line-claims.ts'
import type { ClaimRow, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, momentAsOf } from '../read/as-of.ts'
import { openSealed } from '../read/memory-view.ts'
import type { ReadBy, Served } from '../read/served.ts'
import { tierMinOf, type UseOptions, WITHHELD_TEXT } from '../read/use-gate.ts'
import { searchTermsOf } from '../search/search-terms.ts'
import { flagOf, limitOf, nameOf, wrong } from '../write/arguments.ts'
import {
  type Answer,
  type AnswerClaim,
  type AskOptions,
  answerTo,
  instantOf,
  lineFor,
  lineOf,
  lineThen,
  servedByAnswer,
  shownOf,
  type TimelineKey,
} from './answer.ts'
import { claimOpener } from './open-claim.ts'

/** The filter of a page of timelines. */
export interface TimelinesOptions extends UseOptions {
  /** Only timelines of claims that contain all these words or parts of words. */
  readonly about?: string
  /** Only timelines that wait for a verdict. */
  readonly contested?: boolean
  readonly limit?: number
  /** Continue after the timeline whose latest claim is this entry. */
  readonly before?: number
}

/** The present values of a timeline, and the time of its latest claim. */
export interface TimelineSummary
  extends Pick<Answer, 'subject' | 'predicate' | 'standing' | 'cardinality' | 'withheld'> {
  /** The held or contested values, the first few where there are many. */
  readonly values: readonly JsonValue[]
  readonly valueCount: number
  readonly saidAt: Instant
  /** The entry of the newest claim, or of the claim that matched `about`. */
  readonly entry: number
}

/** A page of timelines. */
export interface TimelinesPage {
  readonly lines: readonly TimelineSummary[]
  /** The cursor of the next page; null at the end and for `about`. */
  readonly before: number | null
}

interface ServedPage {
  readonly page: TimelinesPage
  /** Memories whose words are shown, for the receipt. */
  readonly served: readonly Served[]
  readonly by: ReadBy
}

const LINES_LIMIT = 50
const CANDIDATES = 500 // matching claims for `about`, best first
const VALUES_SHOWN_MAX = 5

/** Lists timelines, the latest claims first. */
export async function lines(
  engine: Engine,
  options: TimelinesOptions & ReadBy,
): Promise<ServedPage> {
  const { about, contested, before: behind, limit: wanted, for: forUse, minTier, ...by } = options
  const use: UseOptions = {
    ...(forUse === undefined ? {} : { for: forUse }),
    ...(minTier === undefined ? {} : { minTier }),
    ...(by.caller === undefined ? {} : { caller: by.caller }),
  }
  const limit = limitOf(wanted, LINES_LIMIT)
  const from = behind === undefined ? null : entryOf(behind)
  const isContested = flagOf('contested', contested, false)
  if (about !== undefined && (from !== null || isContested)) {
    throw wrong('about', 'neither before nor contested beside it')
  }
  const candidates =
    about !== undefined
      ? await speakingOf(engine, nameOf('about', about))
      : isContested
        ? await contestedBefore(engine, from)
        : newestBefore(engine, from, limit)
  const served: Served[] = []
  const shown: TimelineSummary[] = []
  let isMore = false
  for await (const { state, hash, body } of candidates) {
    if (shown.length === limit) {
      isMore = true
      break
    }
    const line = { subject: body.subject, predicate: body.predicate, hash }
    const answer = await answerTo(engine, line, { ...use, validAt: undefined })
    if (isKeptOut(state, answer)) continue
    const values = answer.values.slice(0, VALUES_SHOWN_MAX)
    served.push({ ref: state.ref, tier: state.tier, text: contentText('claim', body) })
    served.push(...servedByAnswer({ ...answer, values, beside: [] }))
    shown.push({
      subject: answer.subject,
      predicate: answer.predicate,
      standing: answer.standing,
      cardinality: answer.cardinality,
      values: values.map(({ value }) => value),
      valueCount: answer.values.length,
      withheld: answer.withheld,
      saidAt: state.bornAt,
      entry: state.seq,
    })
  }
  const before = isMore && about === undefined ? (shown.at(-1)?.entry ?? null) : null
  return { page: { lines: shown, before }, served, by }
}

/** Subject and predicate are words of a claim too: a withheld claim shows neither. */
const isKeptOut = ({ disposition, tier }: StoredMemory['state'], answer: Answer): boolean =>
  answer.values.length === 0 && (KEPT_OUT.includes(disposition) || tier < answer.withheld.tierMin)

function entryOf(before: unknown): number {
  if (typeof before === 'number' && Number.isSafeInteger(before) && before >= 0) return before
  throw wrong('before', 'the number of an entry')
}

interface Spoken {
  readonly state: StoredMemory['state']
  readonly hash: Hash
  readonly body: ClaimBody
}

/** Reads page by page on demand: withheld timelines are skipped. */
async function* newestBefore(
  { read }: Engine,
  from: number | null,
  limit: number,
): AsyncIterable<Spoken> {
  const size = Math.min(limit + 1, LIMITS.pageItemsMax)
  for (let before = from; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { newestOfLine: true },
      after: before,
      limit: size,
    })
    yield* spokenIn(page)
    before = page.at(-1)?.state.seq ?? null
    if (page.length < size) return
  }
}

/** Reads the whole queue for any page: a timeline with several waiting claims is listed once. */
async function contestedBefore({ read }: Engine, from: number | null): Promise<readonly Spoken[]> {
  const waiting: Spoken[] = []
  const limit = LIMITS.pageItemsMax
  for (let before: number | null = null; ; ) {
    const query = {
      type: 'memories',
      where: { review: ['contest'] },
      after: before,
      limit,
    } as const
    const page: readonly StoredMemory[] = await read(query)
    waiting.push(...spokenIn(page))
    before = page.at(-1)?.state.seq ?? null
    if (page.length < limit) break
  }
  return onceEach(waiting).filter(({ state }) => state.seq < (from ?? Infinity))
}

/** Best matches first; one claim represents its timeline. */
async function speakingOf({ read }: Engine, about: string): Promise<readonly Spoken[]> {
  const wanted = normaliseText(about).split(' ')
  const { terms } = await searchTermsOf(read, queryTerms(about))
  const query = { type: 'match', terms, kinds: ['claim'], skip: 0, limit: CANDIDATES } as const
  const matches = await read(query)
  const fitting = spokenIn(matches.map(({ memory }) => memory)).filter(({ body }) => {
    const text = normaliseText(contentText('claim', body))
    return wanted.every((word) => text.includes(word))
  })
  return onceEach(fitting)
}

const spokenIn = (stored: readonly StoredMemory[]): readonly Spoken[] =>
  stored.flatMap(
    ({ state, sealed }) =>
      state.line === null || sealed === null
        ? []
        : { state, hash: state.line, body: openSealed(sealed).body as ClaimBody }, // parsed before sealing
  )

const onceEach = (all: readonly Spoken[]): readonly Spoken[] => {
  const first = new Map<Hash, Spoken>()
  for (const each of all) if (!first.has(each.hash)) first.set(each.hash, each)
  return [...first.values()]
}

/** A claim of a timeline with its status. */
export interface TimelineStep extends AnswerClaim {
  readonly status: ClaimStatus
  /** The replacing claim, also where the replacement holds for another time. */
  readonly supersededBy: Ref | null
  /** Time of the last restatement by the same actor. */
  readonly restatedAt: Instant | null
  readonly entry: number
  /** The tier of the use, where the value is withheld; `value` is then null. */
  readonly withheld?: Tier
}

/** Every claim of a timeline, ordered by valid time, then by entry. */
export async function lineHistory(
  engine: Engine,
  line: TimelineKey,
  options: Pick<AskOptions, 'asOf' | 'for' | 'minTier' | 'caller'>,
): Promise<readonly TimelineStep[]> {
  const then = await lineThen(engine, lineOf(engine, line), options.asOf)
  const { claims, policy, now, erased, byOrigin = false } = then
  const needed = tierMinOf(policy, options, 0)
  const states = claims.map(({ state }) => state).filter(isLineClaim)
  const fold = foldLine(states, { policy, validAt: now, now, byOrigin, erased })
  const statusOf = statusIn(fold, { policy, now })
  const byRef = new Map(claims.map((stored) => [stored.state.ref, stored]))
  const open = claimOpener()
  const order = (a: LineClaim, b: LineClaim): number => {
    const [x, y] = [speaksFrom(a, policy), speaksFrom(b, policy)]
    return x === y ? a.seq - b.seq : x < y ? -1 : 1
  }
  return states.sort(order).map((claim) => ({
    ...shownOf(byRef.get(claim.ref) as ClaimRow, open), // states come from these rows
    status: statusOf(claim),
    supersededBy: claim.claim.overruledBy,
    restatedAt: claim.restatedAt,
    entry: claim.seq,
    ...(tierNow(claim) < needed ? { value: null, withheld: needed } : {}),
  }))
}

/** One answer for each predicate of a subject, ordered by predicate; disputes are shown. */
export async function subject(
  engine: Engine,
  name: string,
  options: AskOptions,
): Promise<readonly Answer[]> {
  const validAt = options.validAt === undefined ? undefined : instantOf('validAt', options.validAt)
  const past = options.asOf === undefined ? null : await momentAsOf(engine, options.asOf)
  const found = await claimsAbout(engine, normaliseText(nameOf('subject', name)))
  const needed = tierMinOf((past ?? (await engine.moment())).policy, options, 0)
  const lines = new Map<Hash, TimelineKey>()
  for (const { state, sealed } of found) {
    if (state.line === null || sealed === null || state.seq > (past?.seq ?? Infinity)) continue
    const { subject, predicate } = openSealed(sealed).body as ClaimBody // parsed before sealing
    const known = lines.get(state.line)
    const isReadable = tierNow(state) >= needed
    if (isReadable || !known) lines.set(state.line, lineNamed({ subject, predicate }, isReadable))
  }
  const answers: Answer[] = []
  for (const [hash, line] of lines) {
    answers.push(await answerTo(engine, { ...line, hash }, { ...options, validAt }))
  }
  const order = (a: Answer, b: Answer) =>
    a.predicate === b.predicate ? 0 : a.predicate < b.predicate ? -1 : 1
  return answers.sort(order)
}

/** Predicates are words too, hidden where the use may read no claim of the timeline. */
const lineNamed = (line: TimelineKey, isReadable: boolean): TimelineKey =>
  isReadable ? line : { ...line, predicate: WITHHELD_TEXT }

/** Newest first, so that the oldest claim names the timeline. */
async function claimsAbout({ read }: Engine, name: string): Promise<readonly StoredMemory[]> {
  const found: StoredMemory[] = []
  const limit = LIMITS.pageItemsMax
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { kind: 'claim', present: true, name },
      after: before,
      limit,
    })
    found.push(...page)
    before = page.at(-1)?.state.seq ?? null
    if (page.length < limit) return found
  }
}

/** Statuses that reads show; the other statuses answer nothing today. */
const SHOWN: ReadonlySet<ClaimStatus> = new Set(['held', 'contested', 'beside', 'planned'])

export const isShownAs = (status: ClaimStatus | undefined): boolean =>
  status === undefined || SHOWN.has(status)

/** The status of each claim in its timeline, now or as of an entry; folds each timeline once. */
export async function standingOf(
  engine: Engine,
  claims: readonly Pick<MemoryState, 'ref' | 'line'>[],
  asOf?: AsOf,
): Promise<ReadonlyMap<Ref, ClaimStatus>> {
  const found = new Map<Ref, ClaimStatus>()
  const lines = new Set<Hash>(claims.flatMap(({ line }) => line ?? []))
  for (const line of lines) {
    const {
      claims: rows,
      policy,
      now,
      cardinality,
      erased,
      byOrigin = false,
    } = await (asOf === undefined ? lineFor(engine, line) : lineThen(engine, line, asOf))
    const states = rows.map(({ state }) => state).filter(isLineClaim)
    const kind = cardinality === undefined ? {} : { cardinality }
    const fold = foldLine(states, { policy, now, validAt: now, byOrigin, erased, ...kind })
    const statusOf = statusIn(fold, { policy, now })
    for (const claim of states) found.set(claim.ref, statusOf(claim))
  }
  // A partial read omits only replaced and ended claims.
  for (const { ref, line } of claims)
    if (line !== null && !found.has(ref)) found.set(ref, 'replaced')
  return found
}
