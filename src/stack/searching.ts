import { LimitError } from '../domain/errors.ts'
import { parseMemoryId, toRef } from '../domain/ids.ts'
import { isRecordKind, KINDS, type RecordKind } from '../domain/kind-names.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { MemoryState } from '../domain/state.ts'
import { toMs } from '../domain/time.ts'
import type { SearchQuery, SearchResult } from '../ports/component.ts'
import type { StoredMemory } from '../ports/store.ts'
import { fuse, type Ranked } from '../recall/rank/fuse.ts'
import { readQuestion } from '../recall/rank/question.ts'
import { DEFAULT_FUSION } from '../recall/rank/weights.ts'
import type { Vouch } from './component-values.ts'
import type { ComponentRegistry } from './components.ts'
import { type FindOptions, isToday, narrowing } from './finding.ts'
import { given, limitOf, wrong } from './given.ts'
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
const QUERY_CHARS_MAX = 10_000 // of the text that is searched for
const HITS_MIN = 200 // memories that hold a term, best by their words, that are ranked by all signals
const HITS_GROWTH = 8 // times as many when filters left too few of them
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
  options?: SearchOptions | null,
): Promise<readonly SearchResult[]> {
  const moment = await uses.moment()
  const asked = askedFor(text, options)
  const found = await matching(uses, asked, moment)
  const results = found.map(({ memory, score }) => resultOf(viewOf(memory, moment), score))
  if (!registry.listens('onSearch')) return results
  const { query, filter } = asked
  const vouch = vouching(uses, { kinds: asked.kinds, filter }, moment)
  return (await registry.dispatchSearch(results, query, vouch)).slice(0, query.limit)
}

interface Asked {
  readonly query: SearchQuery
  readonly kinds: readonly RecordKind[]
  readonly filter: FindOptions
}

function askedFor(text: string, options: SearchOptions | null | undefined): Asked {
  if (typeof text !== 'string') throw wrong('query', 'text')
  if (text.length > QUERY_CHARS_MAX) {
    throw new LimitError('queryCharsMax', QUERY_CHARS_MAX, text.length)
  }
  const { limit, recordTypes, context, minConfidence, minTier = TIER_MIN } = given(options)
  const kinds = kindsOf(recordTypes)
  const narrowed = {
    ...(context === undefined ? {} : { context }),
    ...(minConfidence === undefined ? {} : { minConfidence }),
  }
  return {
    query: { text, limit: limitOf(limit, SEARCH_LIMIT), recordTypes: kinds, ...narrowed },
    kinds,
    filter: { ...narrowed, minTier, includeWeak: true },
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

interface Hit {
  readonly memory: StoredMemory
  readonly score: number
}

/** Dormant and forgotten memories are not found; the rest by the options, best first. */
async function matching(
  { read, recollection }: Uses,
  { query: { text, limit }, kinds, filter }: Asked,
  moment: Moment,
): Promise<readonly Hit[]> {
  const question = readQuestion(text, toMs(moment.now))
  const { terms } = question
  const where = narrowing(filter, moment)
  for (let hits = Math.max(HITS_MIN, limit * 2); ; hits *= HITS_GROWTH) {
    const recalled = await read({ type: 'recall', terms, kinds, hits, where })
    const candidates = await recollection.found({ read }, recalled, { text, terms, moment })
    const ranked = fuse(question, candidates, DEFAULT_FUSION)
    const found = await shown(read, ranked, {
      limit,
      isShown: (state) => isToday(state, filter, moment),
    })
    if (found.length >= limit || !recalled.isCut) return found
  }
}

/** Bodies are read in the order of ranks, until there are enough. */
async function shown(
  read: Uses['read'],
  ranked: readonly Ranked[],
  { limit, isShown }: { readonly limit: number; readonly isShown: (state: MemoryState) => boolean },
): Promise<readonly Hit[]> {
  const found: Hit[] = []
  for (let at = 0; at < ranked.length && found.length < limit; at += limit) {
    const page = ranked.slice(at, at + limit)
    const scores = new Map(page.map(({ seq, score }) => [seq, score]))
    const memories = await read({ type: 'keyed', seqs: page.map(({ seq }) => seq) })
    for (const memory of memories) {
      if (isShown(memory.state)) found.push({ memory, score: scores.get(memory.state.seq) ?? 0 })
    }
  }
  return found.slice(0, limit)
}

/** A component may add only what this search could have shown itself. */
function vouching(
  { read }: Uses,
  { kinds, filter }: Pick<Asked, 'kinds' | 'filter'>,
  moment: Moment,
): Vouch {
  return async (kind, id) => {
    if (!kinds.includes(kind)) return null
    const memory = await read({ type: 'memory', ref: toRef(kind, parseMemoryId(id)) })
    return memory && isShown(memory.state, filter, moment)
      ? resultOf(viewOf(memory, moment), 0)
      : null
  }
}

function isShown(state: MemoryState, filter: FindOptions, moment: Moment): boolean {
  const { context, minTier = 0 } = filter
  const { facets } = state
  return (
    !moment.policy.notBelieved.includes(state.disposition) &&
    state.tier >= minTier &&
    (context === undefined || [facets.context, ...facets.contextTags].includes(context)) &&
    isToday(state, filter, moment)
  )
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
