import type { Use } from '../../domain/doors.ts'
import { LimitError } from '../../domain/errors.ts'
import { isRecordKind, KINDS, type RecordKind } from '../../domain/ids.ts'
import type { SearchQuery } from '../../ports/component.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, momentAsOf } from '../read/as-of.ts'
import { type FindOptions, type LearntBetween, narrowing } from '../read/list.ts'
import { isBounded, tierMinOf, type UseOptions } from '../read/use-gate.ts'
import type { Moment } from '../world.ts'
import { flagOf, given, limitOf, wrong } from '../write/arguments.ts'
import type { Understood } from './search-ranking.ts'

/** The kinds, the number and the use of results. */
export interface SearchOptions extends UseOptions, LearntBetween {
  readonly limit?: number
  readonly recordTypes?: readonly string[]
  readonly context?: string
  readonly minConfidence?: number
  /** Only memories written in this session; `ReadBy` names the session of the reader. */
  readonly inSession?: string
  /** Only memories of this actor; `ReadBy` names the reader. */
  readonly saidBy?: string
  /** Knowledge as of an entry number or a time. */
  readonly asOf?: AsOf
  /** Each result explains its rank in its metadata. */
  readonly explain?: boolean
  /** Every rewording has a place of its own, instead of one place per group. */
  readonly expand?: boolean
}

export interface SearchRequest {
  readonly query: SearchQuery
  readonly kinds: readonly RecordKind[]
  readonly filter: FindOptions
  /** The original filter, where `filter` was lifted: hidden memories must reveal no dates. */
  readonly lifted?: FindOptions
  /** The parsed question, where a search runs again. */
  readonly understood?: Understood
  /** Memories with a term for ranking by all signals, where a count needs fewer. */
  readonly hitsMin?: number
  /** The use that decides the lowest tier, where the caller named a use. */
  readonly use: Use | null
  /** True if a use or a number set the tier, false for the default. */
  readonly isBounded: boolean
  readonly moment: Moment
  /** The last entry that counts; null is all entries. */
  readonly seq: number | null
  /** The value of the caller. */
  readonly asOf?: AsOf
  readonly isExplained: boolean
  readonly isExpanded: boolean
}

const SEARCH_LIMIT = 10
const QUERY_CHARS_MAX = 10_000 // of the search text
const TIER_USUAL = 1 // default, because unvouched text would cap the tier of the next write

export const SEARCHED: readonly RecordKind[] = KINDS.filter((kind) => kind !== 'epoch')

export async function askedFor(
  engine: Engine,
  text: string,
  options: SearchOptions | null | undefined,
): Promise<SearchRequest> {
  if (typeof text !== 'string') throw wrong('query', 'text')
  if (text.length > QUERY_CHARS_MAX) {
    throw new LimitError('queryCharsMax', QUERY_CHARS_MAX, text.length)
  }
  const asked = given(options)
  const { limit, recordTypes, context, minConfidence, inSession, saidBy, since, until, asOf } =
    asked
  const kinds = kindsOf(recordTypes)
  await engine.checks.settled()
  const isExplained = flagOf('explain', asked.explain, false)
  const isExpanded = flagOf('expand', asked.expand, false)
  const past = asOf === undefined ? null : await momentAsOf(engine, asOf)
  const moment = past ?? (await engine.moment())
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
  narrowing(filter, moment) // validates the filter before any read
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
