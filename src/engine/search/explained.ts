import { parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { termsOf } from '../../domain/words/terms.ts'
import type { SearchResult } from '../../ports/component.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Ranked } from '../../recall/rank/fuse.ts'
import {
  kindsSaid,
  type SignalShare,
  shareLine,
  sharesTold,
  sumTold,
  wordsSaid,
} from '../../recall/rank/told.ts'
import type { ComponentRegistry } from '../components/component-registry.ts'
import type { Engine } from '../engine.ts'
import { memoryAsOf } from '../read/as-of.ts'
import { viewOf } from '../read/memory-view.ts'
import { isBounded } from '../read/use-gate.ts'
import { given, wrong } from '../write/arguments.ts'
import { type Bar, barsOf } from './recall-bars.ts'
import { search } from './search.ts'
import { askedFor, SEARCHED, type SearchOptions, type SearchRequest } from './search-options.ts'
import { isShown, type Ranking, rankingOf } from './search-ranking.ts'

/** The signals behind the rank of a memory. */
export interface Explained {
  readonly ref: Ref
  /** Rank among the memories that may be shown, 1 is best; null where no signal matched. */
  readonly rank: number | null
  readonly ranked: number
  /** Probability that the memory answers the question. */
  readonly score: number
  /** Weighted sum of the signals, less the cost of a repeat; the score is its probability. */
  readonly sum: number
  /** Signals with a share, the largest first. */
  readonly signals: readonly SignalShare[]
  /** Words of the question in the memory, and missing words. */
  readonly says: readonly string[]
  readonly lacks: readonly string[]
  /** A better memory with the same meaning, which lowers the sum of this memory. */
  readonly repeats: Ref | null
  /** A memory of a lower tier with the same question, which stood above and lent its score. */
  readonly standsBefore: Ref | null
  readonly words: readonly string[]
}

const READ_AT_ONCE = 200 // better ranked memories whose state is read in one batch

/** Counts the rank among the memories visible to this search, the target included. */
async function explainedIn(
  engine: Engine,
  ranking: Ranking,
  { asked, met }: { readonly asked: SearchRequest; readonly met: StoredMemory },
): Promise<Explained | null> {
  const place = ranking.ranked.findIndex(({ seq }) => seq === met.state.seq)
  const own = ranking.ranked[place]
  if (!own) return null
  let rank = 1
  for (let at = 0; at < place; at += READ_AT_ONCE) {
    const page = ranking.ranked.slice(at, Math.min(place, at + READ_AT_ONCE))
    const ahead = await ranking.read(page.map(({ seq }) => seq))
    rank += ahead.filter(({ state }) => isShown(state, asked)).length
  }
  const others = await othersNamed(engine, [own])
  const { text } = viewOf(met, asked.moment)
  const said = saidIn(text, asked, ranking)
  return explainedOf(own, ranking, { ref: met.state.ref, rank, ...others(own), ...said })
}

type Others = Pick<Explained, 'repeats' | 'standsBefore'>
type ExplainedParts = Pick<Explained, 'ref' | 'rank'> & Said & Others

interface Said extends Pick<Explained, 'says' | 'lacks'> {
  /** Words of the memory for a kind of the thing in question. */
  readonly kinds: readonly string[]
}

async function othersNamed(
  engine: Engine,
  ranked: readonly Ranked[],
): Promise<(of: Ranked) => Others> {
  const seqs = ranked.flatMap((each) => [each.repeats ?? [], each.standsBefore ?? []].flat())
  const named =
    seqs.length === 0
      ? []
      : await engine.read({ type: 'memories', where: { seqs: [...new Set(seqs)] }, order: 'given' })
  const refs = new Map(named.map(({ state }) => [state.seq, state.ref]))
  const refOf = (seq: number | null): Ref | null => (seq === null ? null : (refs.get(seq) ?? null))
  return ({ repeats, standsBefore }) => ({
    repeats: refOf(repeats),
    standsBefore: refOf(standsBefore),
  })
}

const saidIn = (text: string, { query }: SearchRequest, { question }: Ranking): Said => ({
  ...wordsSaid(query.text, termsOf(text)),
  kinds: kindsSaid(query.text, question, text),
})

function explainedOf(
  own: Ranked,
  { fusion, ranked }: Ranking,
  { kinds, ...known }: ExplainedParts,
): Explained {
  const told = {
    ...known,
    ranked: ranked.length,
    score: own.score,
    sum: sumTold(own, fusion),
    signals: sharesTold(own, fusion, kinds),
  }
  const { says, lacks, repeats, standsBefore } = told
  const words = [
    `rank ${told.rank} of ${told.ranked}, score ${told.score.toFixed(3)} from a sum of ${told.sum.toFixed(2)}`,
    ...told.signals.map(shareLine),
    ...(repeats === null ? [] : [`−${fusion.repeatCost.toFixed(2)} it repeats ${repeats}`]),
    ...(standsBefore === null ? [] : [`it stands before ${standsBefore}, which is not first-hand`]),
    ...(says.length === 0 ? [] : [`it says: ${says.join(', ')}`]),
    ...(lacks.length === 0 ? [] : [`it does not say: ${lacks.join(', ')}`]),
  ]
  return { ...told, words }
}

/** Explanations of the results, for a search with `explain`. */
export async function explainedHits(
  engine: Engine,
  asked: SearchRequest,
  ranking: Ranking,
): Promise<ReadonlyMap<Ref, Explained>> {
  const others = await othersNamed(
    engine,
    ranking.hits.map(({ ranked }) => ranked),
  )
  return new Map(
    ranking.hits.map(({ memory, ranked }, at) => {
      const { ref } = memory.state
      const said = saidIn(viewOf(memory, asked.moment).text, asked, ranking)
      const known = { ref, rank: at + 1, ...others(ranked), ...said }
      return [ref, explainedOf(ranked, ranking, known)]
    }),
  )
}

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
