import { unbelieved } from '../../domain/distrust.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import {
  isRecordKind,
  KINDS,
  parseMemoryId,
  type RecordKind,
  type Ref,
  toRef,
} from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import { DAY_MS, type Instant, isInstant, toInstant, toMs } from '../../domain/time.ts'
import { confidenceAt, strengthAt } from '../../fold/effective.ts'
import type { Narrowed, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { viewsOf } from '../history/histories.ts'
import type { Moment } from '../world.ts'
import { flagOf, given, limitOf, shareOf, textOf, wrong } from '../write/arguments.ts'
import type { Memory } from './memory-view.ts'
import type { ReadBy } from './served.ts'
import { gated, tierMinOf, type UseOptions, WITHHELD_MAX, type Withheld } from './use-gate.ts'

/** Range of writing times: days, or times to the millisecond; both ends count. */
export interface LearntBetween {
  readonly since?: string
  readonly until?: string
}

const START_OF_DAY = 'T00:00:00.000Z'
const A_TIME = 'a day, 2026-01-31, or a time, 2026-01-31T12:00:00.000Z'

interface RangeEnd {
  readonly at: Instant
  /** Length of the named time: a day or a millisecond. */
  readonly lastsMs: number
}

function rangeEndOf(field: string, text: unknown): RangeEnd {
  if (isInstant(text)) return { at: text, lastsMs: 1 }
  const start = typeof text === 'string' ? text + START_OF_DAY : null
  if (isInstant(start)) return { at: start, lastsMs: DAY_MS }
  throw wrong(field, A_TIME)
}

/** The range for a store: from the first moment on, and before the last. */
function learntRange({ since, until }: LearntBetween): {
  readonly bornFrom?: Instant
  readonly bornBefore?: Instant
} {
  const last = until === undefined ? null : rangeEndOf('until', until)
  return {
    ...(since === undefined ? {} : { bornFrom: rangeEndOf('since', since).at }),
    ...(last === null ? {} : { bornBefore: toInstant(toMs(last.at) + last.lastsMs) }),
  }
}

export function isLearntBetween(bornAt: Instant, range: LearntBetween): boolean {
  const { bornFrom, bornBefore } = learntRange(range)
  return (
    (bornFrom === undefined || bornAt >= bornFrom) &&
    (bornBefore === undefined || bornAt < bornBefore)
  )
}

export interface ListOptions extends UseOptions, ReadBy {
  readonly limit?: number
  /** The last memory of the page before; the list continues behind this memory. */
  readonly after?: string
}

/** Filters for lists; each kind's own getter takes the filters that fit the kind. */
export interface FindOptions extends ListOptions, LearntBetween {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
  /** Session of the write; the reader's session does not matter. */
  readonly inSession?: string
  /** Asserted by a person. */
  readonly byPerson?: true
  /** Actor of the memory, as certificates name actors; the reader does not matter. */
  readonly saidBy?: string
  /** The memory's context, or one of its context tags. */
  readonly context?: string
  /** At least one of the tags. */
  readonly tags?: readonly string[]
  readonly minConfidence?: number
  /** Includes memories of strength 0.2 to 0.5. */
  readonly includeWeak?: boolean
  readonly includeForgotten?: boolean
  /** Includes kept memories that are not believed: quarantined, rejected, superseded. */
  readonly includeSetAside?: boolean
  /** Without captures for other memories. */
  readonly withoutCaptures?: boolean
  /** Without captures and without processed memories. */
  readonly untouched?: true
  /** Written before this entry. */
  readonly before?: number
}

const LIST_LIMIT = 50
const PAGE_MIN = 64 // rows per read while filters remain to be applied

/** Applies filters first, then the limit: a page is full whenever enough memories match. */
export async function find<K extends RecordKind>(
  engine: Engine,
  kind: K,
  options?: FindOptions | null,
): Promise<readonly Memory<K>[]> {
  const { found, moment } = await findStored(engine, kind, options)
  const views = await viewsOf<K>(engine, found, moment)
  return views.map((memory) => gated(memory, moment.policy, given(options)))
}

/** Matches in stored form, for callers that need few fields. */
export async function findStored(
  engine: Engine,
  kind: RecordKind,
  options?: FindOptions | null,
): Promise<{ readonly found: readonly StoredMemory[]; readonly moment: Moment }> {
  const asked = given(options)
  const limit = limitOf(asked.limit, LIST_LIMIT)
  const moment = await engine.moment()
  const where = narrowing(asked, moment)
  const found: StoredMemory[] = []
  const { before: until = null, after } = asked
  let before = after === undefined ? until : await seqOf(engine, kind, after)
  let isFirst = true
  while (found.length < limit) {
    // Most rows of the first page pass the filters; later pages read more rows at a time.
    const size: number = isFirst ? limit : Math.max(PAGE_MIN, limit - found.length)
    isFirst = false
    const page = await engine.read({
      type: 'memories',
      where: { ...where, kind, present: true },
      after: before,
      byOrigin: moment.byOrigin === true,
      limit: size,
    })
    found.push(...page.filter(({ state }) => isToday(state, asked, moment)))
    const last = page.at(-1)
    if (last === undefined || page.length < size) break
    before = last.state.seq
  }
  return { found: found.slice(0, limit), moment }
}

async function seqOf({ read }: Engine, kind: RecordKind, id: string): Promise<number> {
  const stored = await read({ type: 'memory', ref: toRef(kind, parseMemoryId(id)) })
  if (!stored) throw new MunimentError('not_found', `There is no ${kind} with that id.`)
  return stored.state.seq
}

/** Filters for the store: stored numbers, which today's numbers never exceed. */
export function narrowing(options: FindOptions, { policy }: Moment): Narrowed {
  const { subtype, status, name, inSession, saidBy, context, tags, minConfidence } = options
  const tierMin = tierMinOf(policy, options, 0)
  if (minConfidence !== undefined) shareOf('minConfidence', minConfidence)
  for (const [field, value] of Object.entries({
    subtype,
    status,
    name,
    inSession,
    saidBy,
    context,
  })) {
    if (value !== undefined) textOf(field, value)
  }
  if (tags !== undefined) tagsOf(tags)
  const strengthMin = strengthNeeded(options, policy.numbers)
  return {
    ...(subtype === undefined ? {} : { subtype }),
    ...(status === undefined ? {} : { status }),
    ...(name === undefined ? {} : { name }),
    ...(inSession === undefined ? {} : { session: inSession }),
    ...(options.byPerson ? { byPerson: true } : {}),
    ...(saidBy === undefined ? {} : { source: saidBy }),
    ...learntRange(options),
    ...(context === undefined ? {} : { context }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags }),
    ...(minConfidence === undefined ? {} : { confidenceMin: minConfidence }),
    ...(tierMin === 0 ? {} : { tierMin }),
    ...(strengthMin === 0 ? {} : { strengthMin }),
    ...(flagOf('withoutCaptures', options.withoutCaptures, false) ? { withoutCaptures: true } : {}),
    ...(options.untouched === undefined ? {} : { untouched: options.untouched }),
    ...(flagOf('includeSetAside', options.includeSetAside, false)
      ? {}
      : { except: unbelieved(policy) }),
  }
}

function tagsOf(tags: unknown): void {
  if (!Array.isArray(tags)) throw wrong('tags', 'a list of texts')
  if (tags.length > LIMITS.listItemsMax) {
    throw new LimitError('listItemsMax', LIMITS.listItemsMax, tags.length)
  }
  for (const tag of tags) textOf('tags', tag)
}

function strengthNeeded(
  { includeWeak, includeForgotten }: FindOptions,
  numbers: Moment['policy']['numbers'],
): number {
  if (flagOf('includeForgotten', includeForgotten, false)) return 0
  return flagOf('includeWeak', includeWeak, false)
    ? numbers.strengthDormantBelow
    : numbers.strengthWeakBelow
}

/** Checks by today's numbers, which only the time of reading decides. */
export function isToday(state: MemoryState, options: FindOptions, moment: Moment): boolean {
  const { policy, now } = moment
  const needed = strengthNeeded(options, policy.numbers)
  if (needed > 0 && strengthAt(state, policy, now) < needed) return false
  const { minConfidence } = options
  return minConfidence === undefined || confidenceAt(state, policy, now) >= minConfidence
}

/** All pages, for callers that need every match. */
export async function findAll<K extends RecordKind>(
  engine: Engine,
  kind: K,
  options: FindOptions = {},
): Promise<readonly Memory<K>[]> {
  const all: Memory<K>[] = []
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after }
    const page = await find(engine, kind, { ...options, ...from, limit: LIMITS.pageItemsMax })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < LIMITS.pageItemsMax) return all
    after = last.id
  }
}

/** Filters of the list; the page does not matter. */
export interface WithheldOptions extends Omit<FindOptions, 'limit' | 'after'> {
  /** Kinds to look at; every kind by default. */
  readonly kinds?: readonly string[]
}

/**
 * The memories that an equal list withholds from its use, because a list itself has no place to
 * report them.
 */
export async function withheld(
  engine: Engine,
  options?: WithheldOptions | null,
): Promise<Withheld> {
  const { kinds, ...asked } = given(options)
  const moment = await engine.moment()
  const tierMin = tierMinOf(moment.policy, asked, 0)
  const { tierMin: _, ...where } = narrowing(asked, moment)
  const refs: Ref[] = []
  for (const kind of kindsOf(kinds)) {
    let before: number | null = null
    while (tierMin > 0 && refs.length <= WITHHELD_MAX) {
      const below = { ...where, tierBelow: tierMin }
      const query = {
        type: 'memories',
        where: { ...below, kind, present: true },
        after: before,
        limit: PAGE,
      } as const
      const page: readonly StoredMemory[] = await engine.read(query)
      for (const { state } of page) {
        if (isToday(state, asked, moment)) refs.push(state.ref)
      }
      before = page.at(-1)?.state.seq ?? null
      if (page.length < PAGE) break
    }
  }
  const named = refs.slice(0, WITHHELD_MAX)
  return { tierMin, count: named.length, refs: named, hasMore: refs.length > WITHHELD_MAX }
}

const PAGE = WITHHELD_MAX + 1

function kindsOf(kinds: unknown): readonly RecordKind[] {
  if (kinds === undefined) return KINDS
  if (Array.isArray(kinds) && kinds.every(isRecordKind)) return kinds
  throw wrong('kinds', `a list of kinds among ${KINDS.join(', ')}`)
}
