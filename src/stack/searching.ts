import { MunimentError } from '../domain/errors.ts'
import { isRecordKind, KINDS, type RecordKind } from '../domain/kind-names.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import { LIMITS } from '../domain/limits.ts'
import { queryTerms } from '../domain/terms.ts'
import type { SearchResult } from '../ports/component.ts'
import type { Match } from '../ports/store.ts'
import type { ComponentRegistry } from './components.ts'
import { type FindOptions, isToday, limitOf, narrowing } from './finding.ts'
import { type Memory, viewOf } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'

export interface SearchOptions {
  readonly limit?: number
  readonly recordTypes?: readonly string[]
  readonly context?: string
  readonly minConfidence?: number
  readonly minTier?: number
}

const SEARCH_LIMIT = 10
const PAGE_MIN = 50 // matches looked at at a time, while filters are still to be applied
const TIER_MIN = 1 // unless asked: what nobody vouches for would cap what is written next
const SEARCHED: readonly RecordKind[] = KINDS.filter((kind) => kind !== 'epoch')

/**
 * The seed's order: the store matches, results are made of what it found, confidence filters, and
 * components have the last word. Filters come before the limit.
 */
export async function search(
  uses: Uses,
  registry: ComponentRegistry,
  text: string,
  options: SearchOptions = {},
): Promise<readonly SearchResult[]> {
  if (typeof text !== 'string') throw new MunimentError('invalid_input', 'A query is text.')
  if (text.length > LIMITS.shortTextCharsMax * 10) {
    throw new MunimentError('limit_exceeded', 'A query has at most 10,000 characters.')
  }
  const limit = limitOf(options.limit ?? SEARCH_LIMIT)
  const kinds = kindsOf(options.recordTypes)
  const moment = await uses.moment()
  const found = await matching(uses, { text, kinds, limit, options }, moment)
  const results = found.map(({ memory, score }) => resultOf(viewOf(memory, moment), score))
  if (!registry.listens('onSearch')) return results
  const { recordTypes: _, limit: __, minTier: ___, ...asked } = options
  const query = { ...asked, text, limit, recordTypes: kinds }
  return (await registry.dispatchSearch(results, query)).slice(0, limit)
}

function kindsOf(types: readonly string[] | undefined): readonly RecordKind[] {
  if (types === undefined) return SEARCHED
  if (!Array.isArray(types)) throw new MunimentError('invalid_input', 'recordTypes is a list.')
  return types.map((type) => {
    if (isRecordKind(type) && SEARCHED.includes(type)) return type
    throw new MunimentError('invalid_input', `recordTypes are among ${SEARCHED.join(', ')}.`)
  })
}

interface Asked {
  readonly text: string
  readonly kinds: readonly RecordKind[]
  readonly limit: number
  readonly options: SearchOptions
}

/** Dormant and forgotten memories are not found; the rest by the options. */
async function matching(
  { read }: Uses,
  { text, kinds, limit, options }: Asked,
  moment: Moment,
): Promise<readonly Match[]> {
  const terms = queryTerms(text)
  const filter: FindOptions = { minTier: TIER_MIN, ...options, includeWeak: true }
  const where = narrowing(filter, moment)
  const found: Match[] = []
  for (let skip = 0; found.length < limit; ) {
    const size = Math.max(PAGE_MIN, limit)
    const page = await read({ type: 'match', terms, kinds, skip, limit: size, where })
    found.push(...page.filter(({ memory }) => isToday(memory.state, filter, moment)))
    skip += page.length
    if (page.length < size) break
  }
  return found.slice(0, limit)
}

/** What a caller needs to judge a result without asking again. */
function resultOf(memory: Memory, score: number): SearchResult {
  const { provenance } = memory
  const metadata: JsonObject = {
    ref: memory.ref,
    confidence: memory.confidence,
    strength: memory.strength,
    tier: memory.tier,
    createdAt: memory.createdAt,
    tags: [...memory.tags],
    disposition: memory.disposition,
    provenance: {
      sourceType: provenance.sourceType,
      label: { ...provenance.label },
      sourceId: provenance.sourceId,
      sourceEntity: provenance.sourceEntity,
      ingestionPath: provenance.ingestionPath,
      timestamp: provenance.timestamp,
      eventTime: provenance.eventTime,
      derivedFrom: [...provenance.derivedFrom],
      derivationDepth: provenance.derivationDepth,
    },
  }
  return {
    memoryType: memory.kind,
    memoryId: memory.id,
    content: memory.text,
    score,
    metadata,
  }
}
