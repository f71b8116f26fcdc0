import { parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { SearchResult } from '../../ports/component.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { ComponentRegistry } from '../components/component-registry.ts'
import type { Engine } from '../engine.ts'
import { memoryAsOf } from '../read/as-of.ts'
import { isBounded } from '../read/use-gate.ts'
import { given, wrong } from '../write/arguments.ts'
import { type Explained, explainedIn } from './explained.ts'
import { type Bar, barsOf } from './recall-bars.ts'
import { search } from './search.ts'
import { askedFor, SEARCHED, type SearchOptions, type SearchRequest } from './search-options.ts'
import { rankingOf } from './search-ranking.ts'

/** The reasons for an absence from a search, and the remedies. */
export interface WhyNot {
  readonly ref: Ref
  /** True if the memory is among the results after all. */
  readonly isShown: boolean
  readonly limit: number
  readonly reasons: readonly Bar[]
  /** The rank, with or without the bars; null where no signal matched. */
  readonly explained: Explained | null
  readonly words: readonly string[]
}

export type Target = string | Pick<SearchResult, 'memoryType' | 'memoryId'>

interface About {
  readonly text: string
  readonly target: Target
  readonly options?: SearchOptions | null | undefined
}

export async function whyNot(
  engine: Engine,
  registry: ComponentRegistry,
  { text, target, options }: About,
): Promise<WhyNot> {
  const ref = refOf(target)
  const asked = await askedFor(engine, text, options)
  const met = await memoryOf(engine, ref, asked)
  if ('code' in met) return toldOf(ref, { asked, reasons: [met], explained: null })
  const bars = barsOf(met.state, asked)
  const ranking = await rankingOf(engine, bars.length === 0 ? asked : letting(asked), met.state.seq)
  // Matching terms of a withheld memory would reveal its words bit by bit.
  const isWithheld = isBounded(given(options)) && bars.some(isTierBar)
  const explained = isWithheld ? null : await explainedIn(engine, ranking, { asked, met })
  const { limit } = asked.query
  const reasons = isWithheld ? bars : [...bars, ...placeBars(explained, limit)]
  if (reasons.length > 0) return toldOf(ref, { asked, reasons, explained })
  // The rank is good enough; only components can have removed the memory.
  const { results } = await search(engine, registry, text, options)
  const isThere = results.some(({ memoryType, memoryId }) => toRef(memoryType, memoryId) === ref)
  const bar = met.state.rewordingOf === null ? BY_COMPONENT : asRewordingOf(met.state.rewordingOf)
  return toldOf(ref, { asked, reasons: isThere ? [] : [bar], explained })
}

const isTierBar = ({ code }: Bar): boolean => code === 'tier' || code === 'use'

/** Explains the rank of a memory, shown or not. */
export async function explain(
  engine: Engine,
  registry: ComponentRegistry,
  about: About,
): Promise<Explained> {
  const told = await whyNot(engine, registry, about)
  const { ref, explained, isShown: isThere, reasons } = told
  const absent = isThere ? [] : reasons.map(barLine)
  if (explained) return { ...explained, words: [...explained.words, ...absent] }
  const nothing = {
    rank: null,
    ranked: 0,
    score: 0,
    sum: 0,
    signals: [],
    repeats: null,
    standsBefore: null,
  }
  return { ref, ...nothing, says: [], lacks: [], words: absent }
}

const asRewordingOf = (original: Ref): Bar => ({
  code: 'rewording',
  because: `it shares a place with other wordings of ${original}`,
  remedy: 'pass expand: true',
})

const BY_COMPONENT: Bar = {
  code: 'component',
  because: 'a component left it out of what was found',
  remedy: 'open the stack without that component',
}

function refOf(target: Target): Ref {
  if (typeof target === 'string') return parseRef(target)
  const { memoryType, memoryId } = given(target)
  if (typeof memoryType !== 'string' || typeof memoryId !== 'string') {
    throw wrong('ref', 'a ref, or a result of a search')
  }
  return parseRef(`${memoryType}:${memoryId}`)
}

async function memoryOf(
  engine: Engine,
  ref: Ref,
  { seq, moment }: SearchRequest,
): Promise<StoredMemory | Bar> {
  const today = await engine.read({ type: 'memory', ref })
  if (!today) return { code: 'not_found', because: 'there is no such memory here', remedy: null }
  if (today.state.erased) {
    return { code: 'erased', because: 'its words were erased', remedy: null }
  }
  const then = seq === null ? today : await memoryAsOf(engine, ref, { ...moment, seq })
  if (then) return then
  const because = `it was written later, by entry ${today.state.seq}`
  return { code: 'later', because, remedy: `ask as of entry ${today.state.seq} or later` }
}

/** The search with every filter lifted, which ranks a barred memory. */
const letting = (asked: SearchRequest): SearchRequest => ({
  ...asked,
  kinds: SEARCHED,
  lifted: asked.filter,
  filter: { minTier: 0, includeForgotten: true, includeSetAside: true },
})

function placeBars(explained: Explained | null, limit: number): readonly Bar[] {
  if (!explained) {
    const because = 'it says none of the words, and nothing that was said beside it does'
    return [{ code: 'words', because, remedy: 'ask with words that it says' }]
  }
  const rank = explained.rank ?? 0
  if (rank <= limit) return []
  const because = `rank ${rank} of ${explained.ranked}, and the limit is ${limit}`
  const isWithin = rank <= LIMITS.pageItemsMax
  const remedy = isWithin
    ? `pass limit: ${rank}`
    : 'ask with more of its words, or narrow by filters'
  return [{ code: 'rank', because, remedy }]
}

const barLine = ({ because, remedy }: Bar): string =>
  remedy === null ? `not shown: ${because}` : `not shown: ${because}; to see it: ${remedy}`

function toldOf(
  ref: Ref,
  {
    asked,
    reasons,
    explained,
  }: Pick<WhyNot, 'reasons' | 'explained'> & { readonly asked: SearchRequest },
): WhyNot {
  const { limit } = asked.query
  const isThere = reasons.length === 0
  const words = isThere ? [`it is shown, at rank ${explained?.rank}`] : reasons.map(barLine)
  return { ref, isShown: isThere, limit, reasons, explained, words }
}
