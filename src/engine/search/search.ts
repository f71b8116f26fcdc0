import { parseMemoryId, type Ref, toRef } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { ClaimStatus } from '../../fold/fold-line.ts'
import type { SearchResult } from '../../ports/component.ts'

import { answerable, type Match, matchOf } from '../../recall/rank/answerable.ts'
import { unsaidShare } from '../../recall/rank/signals.ts'
import { standingOf } from '../claims/timelines.ts'

import type { ComponentRegistry } from '../components/component-registry.ts'
import type { Vouch } from '../components/component-values.ts'
import type { Engine } from '../engine.ts'
import { type WithheldOptions, withheld } from '../read/list.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { resolveRef } from '../read/readers.ts'
import { type Renderable, type RenderOptions, rendered } from '../read/render.ts'
import type { ReadBy, Served } from '../read/served.ts'
import { tierMinOf, type Withheld } from '../read/use-gate.ts'
import { given } from '../write/arguments.ts'
import { inOrderOfCurrency, inOrderOfStanding, type ReplacedBy } from './currency.ts'
import {
  type Explained,
  explain,
  explainedHits,
  type Target,
  type WhyNot,
  whyNot,
} from './explained.ts'
import { askedFor, type SearchOptions, type SearchRequest } from './search-options.ts'
import { type Hit, isShown, type Ranking, rankingOf, type Understood } from './search-ranking.ts'
import { rewordingsShown } from './search-terms.ts'

/** Search results, and the probability that an answer is among them. */
export interface RecallResult {
  readonly results: readonly SearchResult[]
  readonly answerable: {
    /** Probability that a known memory answers the question. */
    readonly chance: number
    /** False: the policy prefers to answer "unknown". */
    readonly isLikely: boolean
    /** The chance in a word; docs/recall.md says how often each word is right. */
    readonly match: Match
  }
  /** The nearest memories of any tier below the bound; null without a tier or use. */
  readonly withheld: Withheld | null
}

/** A search with a verdict: good enough to answer or not. */
export async function recall(
  engine: Engine,
  registry: ComponentRegistry,
  text: string,
  options?: SearchOptions | null,
): Promise<RecallResult> {
  const { asked, results, ranking } = await search(engine, registry, text, options)
  const { question, fusion, found, ranked, hits } = ranking
  const chance = hits.length === 0 ? 0 : answerable(ranked, fusion, unsaidShare(question, found))
  return {
    results,
    answerable: {
      chance,
      isLikely: chance >= fusion.answer.abstainBelow,
      match: matchOf(chance, fusion),
    },
    withheld: asked.isBounded ? await withheldFrom(engine, asked, ranking) : null,
  }
}

const WITHHELD_HITS = 24 // memories with a term; a count needs no exact order

/** Repeats the search at every tier and counts the memories below the bound. */
async function withheldFrom(
  engine: Engine,
  asked: SearchRequest,
  understood: Understood,
): Promise<Withheld> {
  const { query, filter } = asked
  const { hits } = await rankingOf(engine, {
    ...asked,
    understood,
    hitsMin: WITHHELD_HITS,
    filter: { ...filter, minTier: 0 },
  })
  const tierMin = tierMinOf(asked.moment.policy, filter, 0)
  const refs = hits.flatMap(({ memory: { state } }) => (state.tier < tierMin ? [state.ref] : []))
  return { tierMin, count: refs.length, refs, hasMore: hits.length === query.limit }
}

/** Search results with the ranking behind them. */
interface Searched {
  readonly asked: SearchRequest
  readonly ranking: Ranking
  readonly results: readonly SearchResult[]
}

/**
 * The order of the seed: the store matches, results are built, confidence filters, and components
 * change the results last. Filters come before the limit.
 */
export async function search(
  engine: Engine,
  registry: ComponentRegistry,
  text: string,
  options?: SearchOptions | null,
): Promise<Searched> {
  const asked = await askedFor(engine, text, options)
  const found = await rankingOf(engine, asked)
  const { asksOfThen } = found.question
  const { hits, replacedBy } = await inOrderOfCurrency(engine, asked, {
    hits: found.hits,
    asksOfThen,
  })
  const standings = await standingOf(
    engine,
    hits.map(({ memory }) => memory.state),
    asked.asOf,
  )
  const ranking = { ...found, hits: inOrderOfStanding(hits, standings, asksOfThen) }
  const results = await chosen(engine, registry, { asked, ranking, standings, replacedBy })
  return { asked, ranking, results }
}

interface Choosing extends Pick<Searched, 'asked' | 'ranking'> {
  readonly standings: ReadonlyMap<Ref, ClaimStatus>
  readonly replacedBy: ReplacedBy
}

/** The results after components removed and added some. */
async function chosen(
  engine: Engine,
  registry: ComponentRegistry,
  { asked, ranking, standings, replacedBy }: Choosing,
): Promise<readonly SearchResult[]> {
  const { query, moment } = asked
  const why = asked.isExplained ? await explainedHits(engine, asked, ranking) : null
  const results = ranking.hits.map(({ memory, ranked, rewordings }) => {
    const { ref } = memory.state
    const placed = { score: ranked.score, standing: standings.get(ref), rewordings }
    const result = resultOf(viewOf(memory, moment), { ...placed, replacedBy: replacedBy.get(ref) })
    const explained = why?.get(memory.state.ref)
    return explained ? withWhy(result, explained) : result
  })
  // Components know only the present.
  if (!registry.listens('onSearch') || asked.seq !== null) return results
  const vouch = vouching(engine, asked)
  return (await registry.dispatchSearch(results, query, vouch)).slice(0, query.limit)
}

/** A component may add only memories visible to this search. */
function vouching(engine: Engine, asked: SearchRequest): Vouch {
  return async (kind, id) => {
    if (!asked.kinds.includes(kind)) return null
    const memory = await engine.read({ type: 'memory', ref: toRef(kind, parseMemoryId(id)) })
    if (!memory || !isShown(memory.state, asked)) return null
    const stands = await standingOf(engine, [memory.state])
    const standing = stands.get(memory.state.ref)
    const placed = { score: 0, standing, rewordings: [], replacedBy: undefined }
    return resultOf(viewOf(memory, asked.moment), placed)
  }
}

const withWhy = (result: SearchResult, { words, ...numbers }: Explained): SearchResult => {
  const explained = JSON.parse(JSON.stringify({ ...numbers, words })) as JsonObject // plain data
  return { ...result, metadata: { ...result.metadata, explained } }
}

interface Placed extends Pick<Hit, 'rewordings'> {
  readonly score: number
  readonly standing: ClaimStatus | undefined
  /** The later statement that took the place of this one. */
  readonly replacedBy: Ref | undefined
}

function resultOf(
  memory: Memory,
  { score, standing, rewordings, replacedBy }: Placed,
): SearchResult {
  const { provenance } = memory
  const metadata: JsonObject = {
    ref: memory.ref,
    confidence: memory.confidence,
    strength: memory.strength,
    tier: memory.tier,
    createdAt: memory.createdAt,
    tags: [...memory.tags],
    disposition: memory.disposition,
    ...(standing === undefined ? {} : { standing }),
    ...(memory.kind === 'goal' ? { status: memory.status } : {}),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...rewordingsShown(rewordings),
    provenance: {
      sourceType: provenance.sourceType,
      label: { ...provenance.label },
      sourceId: provenance.sourceId,
      sourceEntity: provenance.sourceEntity,
      ingestionPath: provenance.ingestionPath,
      timestamp: provenance.timestamp,
      eventTime: provenance.eventTime,
      derivedFrom: [...provenance.derivedFrom],
      ...(provenance.revisedFrom && { revisedFrom: [...provenance.revisedFrom] }),
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

/**
 * Questions about search results: the reasons for a rank or an absence, and blocks for a prompt.
 */
export class Lookup {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * The share of each signal in the rank of a memory.
   * @example const { words } = await stack.lookup.explain('deploys', note)
   */
  async explain(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<Explained> {
    const { registry } = this.#engine
    const explained = await explain(this.#engine, registry, { text: query, target, options })
    await this.#noteMatched('explain', options, explained.ref)
    return explained
  }

  /**
   * The reason why a memory was not found, and the options that would show the memory.
   * @example const { words } = await stack.lookup.whyNot('deploys', note)
   */
  async whyNot(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<WhyNot> {
    const { registry } = this.#engine
    const answer = await whyNot(this.#engine, registry, { text: query, target, options })
    await this.#noteMatched('why_not', options, answer.ref)
    return answer
  }

  /** Matching terms are part of the words of a memory, so the read leaves a receipt. */
  async #noteMatched(operation: string, reader: ReadBy | null | undefined, ref: WhyNot['ref']) {
    const stored = await this.#engine.read({ type: 'memory', ref })
    const served = stored ? [{ ref, tier: stored.state.tier }] : []
    await this.#engine.serving.serve(operation, reader, served)
  }

  /**
   * Results or working memory as a block for a prompt: fenced, with refs, labels and tiers.
   * @example const text = await stack.lookup.render(await stack.search('deploys'), { for: 'prompt' })
   */
  async render(what: Renderable, options: RenderOptions & ReadBy): Promise<string> {
    const { text, served } = rendered(what, given(options))
    await this.#engine.serving.serve('render', options, served)
    return text
  }

  /**
   * The number and the refs of memories withheld from a use.
   * @example const { count } = await stack.lookup.withheld({ for: 'act' })
   */
  async withheld(options?: WithheldOptions | null): Promise<Withheld> {
    return withheld(this.#engine, options)
  }

  /**
   * Resolves `kind:part` or `part` to a ref, where the part starts or ends exactly one id.
   * @example const ref = await stack.lookup.resolveRef(note.slice(-8))
   */
  async resolveRef(text: string): Promise<Ref> {
    return resolveRef(this.#engine, text)
  }

  /**
   * Leaves receipts for memories that a door showed.
   * @example
   * const memories = await stack.list('note')
   * await stack.lookup.noteServed('my-page', null, memories)
   */
  async noteServed(
    operation: string,
    reader: ReadBy | null | undefined,
    memories: readonly Served[],
  ): Promise<void> {
    await this.#engine.serving.serve(operation, reader, memories)
  }
}
