import { KEPT_OUT } from '../../domain/claims.ts'
import type { Hash } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { ReadBy, Served } from '../read/served.ts'
import type { UseOptions } from '../read/use-gate.ts'
import { flagOf, limitOf, nameOf, wrong } from '../write/arguments.ts'
import { searchTermsOf } from '../write/search-terms.ts'
import { type Answer, answerTo, servedByAnswer } from './answer.ts'

export interface LinesOptions extends UseOptions {
  /** Only timelines of claims that contain all these words or parts of words. */
  readonly about?: string
  /** Only timelines that wait for a verdict. */
  readonly contested?: boolean
  readonly limit?: number
  /** Continue after the timeline whose latest claim is this entry. */
  readonly before?: number
}

/** The present values of a timeline, and the time of its latest claim. */
export interface LineAtGlance
  extends Pick<Answer, 'subject' | 'predicate' | 'standing' | 'cardinality' | 'withheld'> {
  /** The held or contested values, the first few where there are many. */
  readonly values: readonly JsonValue[]
  readonly valueCount: number
  readonly saidAt: Instant
  /** The entry of the newest claim, or of the claim that matched `about`. */
  readonly entry: number
}

export interface LinesPage {
  readonly lines: readonly LineAtGlance[]
  /** The cursor of the next page; null at the end and for `about`. */
  readonly before: number | null
}

interface ServedPage {
  readonly page: LinesPage
  /** Memories whose words are shown, for the receipt. */
  readonly served: readonly Served[]
  readonly by: ReadBy
}

const LINES_LIMIT = 50
const CANDIDATES = 500 // matching claims for `about`, best first
const VALUES_SHOWN_MAX = 5

/** Lists timelines, the latest claims first. */
export async function lines(engine: Engine, options: LinesOptions & ReadBy): Promise<ServedPage> {
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
  const shown: LineAtGlance[] = []
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
