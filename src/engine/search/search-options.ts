import { LimitError } from '../../domain/errors.ts'
import { isRecordKind, KINDS, type RecordKind } from '../../domain/kind-names.ts'
import type { Use } from '../../domain/use.ts'
import type { SearchQuery } from '../../ports/component.ts'
import type { Moment, Uses } from '../engine.ts'
import { type AsOf, momentAsOf } from '../read/as-of.ts'
import type { LearntBetween } from '../read/learnt-range.ts'
import { type FindOptions, narrowing } from '../read/list.ts'
import { isBounded, tierMinOf, type UseOptions } from '../read/use-gate.ts'
import { flagOf, given, limitOf, wrong } from '../write/arguments.ts'
import type { Understood } from './ranking.ts'

export interface SearchOptions extends UseOptions, LearntBetween {
  readonly limit?: number
  readonly recordTypes?: readonly string[]
  readonly context?: string
  readonly minConfidence?: number
  /** Written in this session; who reads it is another matter. */
  readonly inSession?: string
  /** Said by this actor; who reads it is another matter. */
  readonly saidBy?: string
  /** What was known then: the number of an entry, or a time. */
  readonly asOf?: AsOf
  /** Each result says in its metadata why it was found. */
  readonly explain?: boolean
  /** Every rewording has a place of its own, instead of one place per group. */
  readonly expand?: boolean
}

/** A search as it was asked for, every option read once. */
export interface Asked {
  readonly query: SearchQuery
  readonly kinds: readonly RecordKind[]
  readonly filter: FindOptions
  /** The filter that was lifted, where one was: what it bars still tells nothing of others. */
  readonly lifted?: FindOptions
  /** The question as it was understood before, where it is asked again. */
  readonly understood?: Understood
  /** How many that hold a term are ranked by all signals, where fewer will do. */
  readonly hitsMin?: number
  /** What the lowest tier follows from, where a use was named. */
  readonly use: Use | null
  /** Whether a tier was asked for, by a use or a number, and not only what is usual. */
  readonly isBounded: boolean
  readonly moment: Moment
  /** Up to which entry it is known; null is everything. */
  readonly seq: number | null
  /** The same as it was asked for. */
  readonly asOf?: AsOf
  readonly isExplained: boolean
  readonly isExpanded: boolean
}

const SEARCH_LIMIT = 10
const QUERY_CHARS_MAX = 10_000 // of the text that is searched for
const TIER_USUAL = 1 // unless asked: what nobody vouches for would cap what is written next

export const SEARCHED: readonly RecordKind[] = KINDS.filter((kind) => kind !== 'epoch')

export async function askedFor(
  uses: Uses,
  text: string,
  options: SearchOptions | null | undefined,
): Promise<Asked> {
  if (typeof text !== 'string') throw wrong('query', 'text')
  if (text.length > QUERY_CHARS_MAX) {
    throw new LimitError('queryCharsMax', QUERY_CHARS_MAX, text.length)
  }
  const asked = given(options)
  const { limit, recordTypes, context, minConfidence, inSession, saidBy, since, until, asOf } =
    asked
  const kinds = kindsOf(recordTypes)
  const isExplained = flagOf('explain', asked.explain, false)
  const isExpanded = flagOf('expand', asked.expand, false)
  const past = asOf === undefined ? null : await momentAsOf(uses, asOf)
  const moment = past ?? (await uses.moment())
  const narrowed = {
    ...(context === undefined ? {} : { context }),
    ...(minConfidence === undefined ? {} : { minConfidence }),
  }
  const filter: FindOptions = {
    ...narrowed,
    ...(inSession === undefined ? {} : { inSession }),
    ...(saidBy === undefined ? {} : { saidBy }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    minTier: tierMinOf(moment.policy, asked, TIER_USUAL),
    includeWeak: true,
  }
  narrowing(filter, moment) // what is no filter is refused before anything is read
  return {
    query: { text, limit: limitOf(limit, SEARCH_LIMIT), recordTypes: kinds, ...narrowed },
    kinds,
    filter,
    use: asked.for ?? asked.caller?.use ?? null,
    isBounded: isBounded(asked),
    moment,
    seq: past?.seq ?? null,
    ...(asOf === undefined ? {} : { asOf }),
    isExplained,
    isExpanded,
  }
}

function kindsOf(types: unknown): readonly RecordKind[] {
  if (types === undefined) return SEARCHED
  if (!Array.isArray(types)) throw wrong('recordTypes', 'a list of kinds')
  return types.map((type) => {
    if (isRecordKind(type) && SEARCHED.includes(type)) return type
    throw wrong('recordTypes', `kinds among ${SEARCHED.join(', ')}`)
  })
}
