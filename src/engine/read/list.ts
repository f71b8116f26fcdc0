import { unbelieved } from '../../domain/distrust.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import { parseMemoryId, toRef } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import { confidenceAt, strengthAt } from '../../fold/effective.ts'
import type { Narrowed, StoredMemory } from '../../ports/store.ts'
import type { Moment, Uses } from '../engine.ts'
import { viewsOf } from '../history/confidence-history.ts'
import { flagOf, given, limitOf, shareOf, textOf, wrong } from '../write/arguments.ts'
import { type LearntBetween, learntRange } from './learnt-range.ts'
import type { Memory } from './memory-view.ts'
import type { ReadBy } from './served.ts'
import { gated, tierMinOf, type UseOptions } from './use-gate.ts'

export interface ListOptions extends UseOptions, ReadBy {
  readonly limit?: number
  /** Continue after this memory: the last one of the page before. */
  readonly after?: string
}

/** What readers may ask of a kind; each kind's own getter takes the ones that make sense for it. */
export interface FindOptions extends ListOptions, LearntBetween {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
  /** Written in this session; who reads it is another matter. */
  readonly inSession?: string
  /** Asserted by a person. */
  readonly byPerson?: true
  /** Said by this actor, as certificates name it; who reads it is another matter. */
  readonly saidBy?: string
  /** Its context, or one of its context tags. */
  readonly context?: string
  /** Any of these. */
  readonly tags?: readonly string[]
  readonly minConfidence?: number
  /** Memories of strength 0.2 to 0.5 too. */
  readonly includeWeak?: boolean
  /** Everything, however weak, and what was forgotten. */
  readonly includeForgotten?: boolean
  /** What is kept but believed by nobody: quarantined, rejected, superseded. */
  readonly includeSetAside?: boolean
  /** Without what was captured for another memory. */
  readonly withoutCaptures?: boolean
  /** Only what was written for its own sake and nothing is said to have come of. */
  readonly untouched?: true
}

const LIST_LIMIT = 50
const PAGE_MIN = 64 // rows read at a time while filters are still to be applied

/** Filters first, then the limit: exactly as many as were asked for, where there are as many. */
export async function find<K extends RecordKind>(
  uses: Uses,
  kind: K,
  options?: FindOptions | null,
): Promise<readonly Memory<K>[]> {
  const { found, moment } = await findStored(uses, kind, options)
  const views = await viewsOf<K>(uses, found, moment)
  return views.map((memory) => gated(memory, moment.policy, given(options)))
}

/** The same as the store holds them, for whoever looks at little of them. */
export async function findStored(
  uses: Uses,
  kind: RecordKind,
  options?: (FindOptions & { readonly before?: number }) | null,
): Promise<{ readonly found: readonly StoredMemory[]; readonly moment: Moment }> {
  const asked = given(options)
  const limit = limitOf(asked.limit, LIST_LIMIT)
  const moment = await uses.moment()
  const where = narrowing(asked, moment)
  const found: StoredMemory[] = []
  const { before: until = null, after } = asked
  let before = after === undefined ? until : await seqOf(uses, kind, after)
  let isFirst = true
  while (found.length < limit) {
    // Mostly what is asked for passes; what is looked at again is looked at by the page.
    const size: number = isFirst ? limit : Math.max(PAGE_MIN, limit - found.length)
    isFirst = false
    const page = await uses.read({
      type: 'memories',
      where: { ...where, kind, present: true },
      after: before,
      limit: size,
    })
    found.push(...page.filter(({ state }) => isToday(state, asked, moment)))
    const last = page.at(-1)
    if (last === undefined || page.length < size) break
    before = last.state.seq
  }
  return { found: found.slice(0, limit), moment }
}

async function seqOf({ read }: Uses, kind: RecordKind, id: string): Promise<number> {
  const stored = await read({ type: 'memory', ref: toRef(kind, parseMemoryId(id)) })
  if (!stored) throw new MunimentError('not_found', `There is no ${kind} with that id.`)
  return stored.state.seq
}

/** What the store can narrow to: stored numbers, which today's never exceed. */
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

/** By today's numbers, which only the moment of reading knows. */
export function isToday(state: MemoryState, options: FindOptions, moment: Moment): boolean {
  const { policy, now } = moment
  const needed = strengthNeeded(options, policy.numbers)
  if (needed > 0 && strengthAt(state, policy, now) < needed) return false
  const { minConfidence } = options
  return minConfidence === undefined || confidenceAt(state, policy, now) >= minConfidence
}

/** Every page, for what is asked for whole. */
export async function findAll<K extends RecordKind>(
  uses: Uses,
  kind: K,
  options: FindOptions = {},
): Promise<readonly Memory<K>[]> {
  const all: Memory<K>[] = []
  for (let after: string | undefined; ; ) {
    const from = after === undefined ? {} : { after }
    const page = await find(uses, kind, { ...options, ...from, limit: LIMITS.pageItemsMax })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < LIMITS.pageItemsMax) return all
    after = last.id
  }
}
