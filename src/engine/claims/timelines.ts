import { KEPT_OUT } from '../../domain/claim-state.ts'
import { normaliseText } from '../../domain/identity.ts'
import type { Hash } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { contentText } from '../../domain/kinds/table.ts'
import { LIMITS } from '../../domain/limits.ts'
import { queryTerms } from '../../domain/terms.ts'
import type { Instant } from '../../domain/time.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Uses } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { ReadBy, Served } from '../read/served.ts'
import type { UseOptions } from '../read/use-gate.ts'
import { flagOf, limitOf, nameOf, wrong } from '../write/arguments.ts'
import { wordingOf } from '../write/wording.ts'
import { type Answer, answerTo, servedByAnswer } from './answer.ts'

export interface LinesOptions extends UseOptions {
  /** Only lines of claims that hold all of these words, or parts of words. */
  readonly about?: string
  /** Only lines on which somebody waits for a verdict. */
  readonly contested?: boolean
  readonly limit?: number
  /** Continue behind the line that was last spoken of by this entry. */
  readonly before?: number
}

/** A line at a glance: what it comes to now, and when it was last spoken of. */
export interface LineAtGlance
  extends Pick<Answer, 'subject' | 'predicate' | 'standing' | 'cardinality' | 'withheld'> {
  /** What holds, or what is said against each other; the first of them where there are many. */
  readonly values: readonly JsonValue[]
  readonly valueCount: number
  readonly saidAt: Instant
  /** The entry of the claim it was found by: its newest, unless it was looked for. */
  readonly entry: number
}

export interface LinesPage {
  readonly lines: readonly LineAtGlance[]
  /** Where to continue; null at the end, and where lines were looked for by their words. */
  readonly before: number | null
}

interface Found {
  readonly page: LinesPage
  /** Whose words are shown, for whoever keeps account of it. */
  readonly served: readonly Served[]
  readonly by: ReadBy
}

const LINES_LIMIT = 50
const CANDIDATES = 500 // claims that are looked at for words: those that hold most of them come first
const VALUES_SHOWN_MAX = 5

/** What is claimed at all, line by line, what was spoken of last first. */
export async function lines(uses: Uses, options: LinesOptions & ReadBy): Promise<Found> {
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
      ? await speakingOf(uses, nameOf('about', about))
      : isContested
        ? await contestedBefore(uses, from)
        : newestBefore(uses, from, limit)
  const served: Served[] = []
  const shown: LineAtGlance[] = []
  let isMore = false
  for await (const { state, hash, body } of candidates) {
    if (shown.length === limit) {
      isMore = true
      break
    }
    const line = { subject: body.subject, predicate: body.predicate, hash }
    const answer = await answerTo(uses, line, { ...use, validAt: undefined })
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

/** Whom and what it is about are words of a claim too: of one that is kept out, none is shown. */
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

/** Page by page, for as long as somebody looks: lines that are kept out are passed over. */
async function* newestBefore(
  { read }: Uses,
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

/** From the newest on, whatever page is asked for: a line has several claims that wait, and is listed by one. */
async function contestedBefore({ read }: Uses, from: number | null): Promise<readonly Spoken[]> {
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

/** Best first; one claim speaks for its line. */
async function speakingOf({ read }: Uses, about: string): Promise<readonly Spoken[]> {
  const wanted = normaliseText(about).split(' ')
  const { terms } = await wordingOf(read, queryTerms(about))
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
        : { state, hash: state.line, body: openSealed(sealed).body as ClaimBody }, // parsed before it was sealed
  )

const onceEach = (all: readonly Spoken[]): readonly Spoken[] => {
  const first = new Map<Hash, Spoken>()
  for (const each of all) if (!first.has(each.hash)) first.set(each.hash, each)
  return [...first.values()]
}
