import { isBelieved } from '../../domain/distrust.ts'
import type { Ref } from '../../domain/ids.ts'
import { isBookkeeping, type MemoryState } from '../../domain/state.ts'
import { toMs } from '../../domain/time.ts'
import type { Fusion } from '../../domain/words/search.ts'
import { queryTerms, termsOf } from '../../domain/words/terms.ts'
import type { Recalled, RecalledRow } from '../../ports/queries.ts'
import type { ReadQuery, StoredMemory } from '../../ports/store.ts'
import type { CandidateSet } from '../../recall/rank/candidates.ts'
import { fuse, type Ranked } from '../../recall/rank/fuse.ts'
import { type Question, readQuestion } from '../../recall/rank/question.ts'
import { countedFrom } from '../../recall/time/calendar.ts'
import { type TimeByEvent, timesByEvents } from '../../recall/time/events.ts'
import { type TimeExpression, timeExpressions } from '../../recall/time/expressions.ts'

import type { Engine } from '../engine.ts'
import { memoryAsOf } from '../read/as-of.ts'
import { isLearntBetween, isToday, narrowing } from '../read/list.ts'
import { viewOf } from '../read/memory-view.ts'
import { fusionOf } from '../read/use-gate.ts'
import type { Near } from './recollection.ts'
import { SEARCHED, type SearchRequest } from './search-options.ts'
import {
  groupKey,
  groupsOf,
  isAhead,
  type RewordingGroup,
  ROWS_MAX,
  type SearchTerms,
  searchTermsOf,
  sharesPlace,
} from './search-terms.ts'

const EVENTS_MAX = 2 // events per question
const LOOKED_AT_MAX = 12 // candidate memories per event
const TELLING_MAX = 3 // memories with every word of the event, because the intended memory is unknown

/**
 * Time spans that a question counts from a remembered event. A memory with exactly one named time
 * gives this time; any other gives its own date. An event without a memory gives no span.
 */
async function eventTimes(
  asked: SearchRequest,
  find: (asked: SearchRequest) => Promise<readonly Hit[]>,
): Promise<readonly TimeExpression[]> {
  const times: TimeExpression[] = []
  const events = timesByEvents(asked.query.text).filter(({ event }) => queryTerms(event).length > 0)
  for (const counted of events.slice(0, EVENTS_MAX)) {
    const hits = await find(askedForEvent(asked, counted))
    times.push(...hits.flatMap((hit) => timesIn(hit, counted, asked)).slice(0, TELLING_MAX))
  }
  return times
}

/** Searches every kind and speaker at the caller's tier: hidden memories must reveal no date. */
function askedForEvent(
  { filter, lifted = filter, ...asked }: SearchRequest,
  { event }: TimeByEvent,
): SearchRequest {
  const { context: _, ...query } = asked.query
  const { minTier, includeWeak } = lifted
  return {
    ...asked,
    query: { ...query, text: event, limit: LOOKED_AT_MAX, recordTypes: SEARCHED },
    kinds: SEARCHED,
    filter: {
      ...(minTier === undefined ? {} : { minTier }),
      ...(includeWeak === undefined ? {} : { includeWeak }),
    },
  }
}

function timesIn(
  { memory }: Hit,
  { event, steps, unit }: TimeByEvent,
  { moment }: SearchRequest,
): readonly TimeExpression[] {
  const { text, provenance, createdAt } = viewOf(memory, moment)
  const said = new Set(termsOf(text))
  if (!queryTerms(event).every((term) => said.has(term))) return []
  const at = toMs(provenance.eventTime ?? createdAt)
  const named = timeExpressions(text, at).flatMap((time) => (time.type === 'span' ? time : []))
  const from = named.length === 1 ? (named[0]?.from ?? at) : at
  return [{ type: 'span', ...countedFrom(from, steps, unit) }]
}

export interface Hit {
  readonly memory: StoredMemory
  readonly ranked: Ranked
  /** Rewordings of this memory, which share its place. */
  readonly rewordings: readonly Ref[]
}

export interface Understood {
  readonly question: Question
  readonly searchTerms: SearchTerms
}

/** All ranked memories for a question, best first, and the memories to show. */
export interface Ranking extends Understood {
  readonly fusion: Fusion
  readonly ranked: readonly Ranked[]
  readonly found: CandidateSet
  readonly hits: readonly Hit[]
  /** Reads memories through the filters, in their present or past state. */
  read(seqs: readonly number[]): Promise<readonly StoredMemory[]>
}

const HITS_MIN = 96 // memories with a term, best by words, for ranking by all signals
const HITS_GROWTH = 8 // growth factor of HITS_MIN when filters leave too few

/**
 * Ranks the memories that the options allow, best first; dormant and forgotten memories are left
 * out. With `seek`, ranks more memories until the sought memory is among them.
 */
export async function rankingOf(
  engine: Engine,
  asked: SearchRequest,
  seek?: number,
): Promise<Ranking> {
  const { moment, query, filter, kinds, seq } = asked
  const { question, searchTerms } = asked.understood ?? (await understood(engine, asked))
  const fusion = fusionOf(moment.policy)
  const asBorn = seq === null ? filter : bornLike(filter)
  const where = { ...narrowing(asBorn, moment), withoutBookkeeping: true } as const
  // A question about the past reads all memories with a term, kinds included.
  const terms = seq === null ? searchTerms.terms : [...searchTerms.terms, ...searchTerms.kinds]
  const named = seq === null ? await namingKinds(engine, searchTerms, { kinds, where }) : []
  // Vectors cover only the present words, so a question about the past uses words alone.
  const nearBy = async (wanted: number): Promise<Near> => {
    const near = await engine.recollection.near(engine, query.text, {
      kinds,
      where,
      moment,
      wanted,
    })
    return { ...near, seqs: [...new Set([...near.seqs, ...named])] }
  }
  let near: Near = seq === null ? await nearBy(query.limit) : { seqs: [], isCut: false }
  for (let hits = Math.max(asked.hitsMin ?? HITS_MIN, query.limit * 2); ; hits *= HITS_GROWTH) {
    const recalled = await engine.read({
      type: 'recall',
      terms,
      near: near.seqs,
      kinds,
      hits,
      where,
    })
    if (seq !== null && recalled.isCut) continue // the past reads all memories, so later memories push none out
    const seen =
      seq === null
        ? await seenNow(engine, recalled, { asked, searchTerms })
        : await seenThen(engine, recalled, { asked, searchTerms })
    const ranked = fuse(question, seen.found, fusion)
    const shown = await shownOf(engine, { ranked, read: seen.read }, asked)
    const isMet = seek === undefined || ranked.some((each) => each.seq === seek)
    const isFull = hits >= ROWS_MAX && shown.some(({ rewordings }) => rewordings.length > 0)
    const isEnough = shown.length >= query.limit || isFull
    // Filters of today also apply to near memories: more near memories may pass the filters.
    const isFarther = near.isCut && !isEnough
    if ((isEnough && isMet) || !(recalled.isCut || isFarther)) {
      const { found, read } = seen
      return { question, searchTerms, fusion, found, ranked, hits: shown, read }
    }
    if (isFarther) near = await nearBy(hits * HITS_GROWTH)
  }
}

const NAMING_MAX = 32

/**
 * Memories that name a kind of the thing asked for, found by a query of their own: they must not
 * push out memories with the words.
 */
async function namingKinds(
  engine: Engine,
  { kinds: terms }: SearchTerms,
  which: Pick<Extract<ReadQuery, { type: 'recall' }>, 'kinds' | 'where'>,
): Promise<readonly number[]> {
  if (terms.length === 0) return []
  const named = new Set(terms)
  const { rows } = await engine.read({
    type: 'recall',
    terms,
    near: [],
    hits: NAMING_MAX,
    ...which,
  })
  return rows.flatMap(({ seq, terms: said }) =>
    said.split(' ').some((term) => named.has(term)) ? seq : [],
  )
}

async function understood(engine: Engine, asked: SearchRequest): Promise<Understood> {
  const read = readQuestion(asked.query.text, toMs(asked.moment.now), engine.recollection.membersOf)
  const counted = await eventTimes(asked, async (event) => (await rankingOf(engine, event)).hits)
  const question = { ...read, times: [...read.times, ...counted] }
  return {
    question,
    searchTerms: await searchTermsOf(engine.read, question.terms, question.kinds.keys()),
  }
}

/** Filters for the past: fields fixed at birth. */
const bornLike = ({
  inSession,
  saidBy,
  since,
  until,
}: SearchRequest['filter']): SearchRequest['filter'] => ({
  ...(inSession === undefined ? {} : { inSession }),
  ...(saidBy === undefined ? {} : { saidBy }),
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  includeForgotten: true,
  includeSetAside: true,
})

interface Seen {
  readonly found: CandidateSet
  /** Reads visible memories, in the order of the seqs. */
  read(seqs: readonly number[]): Promise<readonly StoredMemory[]>
}

interface Reading {
  readonly asked: SearchRequest
  readonly searchTerms: SearchTerms
}

async function seenNow(engine: Engine, recalled: Recalled, reading: Reading): Promise<Seen> {
  const { searchTerms } = reading
  const { moment, query, filter } = reading.asked
  const found = await engine.recollection.found(engine, recalled, {
    text: query.text,
    searchTerms,
    moment,
  })
  return {
    found,
    read: async (seqs) =>
      (await engine.read({ type: 'memories', where: { seqs }, order: 'given' })).filter(
        ({ state }) => isToday(state, filter, moment),
      ),
  }
}

/**
 * Reads each memory as of an entry of the past. Later entries do not count: neighbours are left
 * out, and the rarity of a word follows from the memories of that time. Present words find a memory
 * that was reworded since, and its past words rank the memory.
 */
async function seenThen(engine: Engine, recalled: Recalled, reading: Reading): Promise<Seen> {
  const { searchTerms } = reading
  const { moment, query, seq: last } = reading.asked
  const terms = [...searchTerms.terms, ...searchTerms.kinds]
  const past = { ...moment, seq: last ?? 0 }
  const then = new Map<number, StoredMemory>()
  const rows: RecalledRow[] = []
  for (const row of recalled.rows.filter(({ seq }) => seq <= past.seq)) {
    const [known] = await engine.read({
      type: 'memories',
      where: { seqs: [row.seq] },
      order: 'given',
    })
    const stored = known && (await memoryAsOf(engine, known.state.ref, past))
    if (!stored || stored.sealed === null) continue
    const { revisionSeq, strength } = stored.state
    const isSame = revisionSeq === row.revisionSeq
    const words = isSame ? row.terms : termsOf(viewOf(stored, moment).text).join(' ')
    const held = new Set(words.split(' '))
    if (!terms.some((term) => held.has(term))) continue
    then.set(row.seq, stored)
    rows.push({ ...row, terms: words, strength: strength.value })
  }
  const holding = terms.map(
    (term) => rows.filter((row) => row.terms.split(' ').includes(term)).length,
  )
  const among = { documents: past.seq + 1, holding, rows, runs: [], isCut: false }
  const found = await engine.recollection.found(engine, among, {
    text: query.text,
    searchTerms,
    moment,
  })
  const candidates = found.candidates.map((candidate) => {
    const stored = then.get(candidate.seq)
    const row = rows.find(({ seq }) => seq === candidate.seq)
    if (!stored || stored.state.revisionSeq === row?.revisionSeq) return candidate
    const { provenance, createdAt } = viewOf(stored, moment)
    return { ...candidate, atMs: toMs(provenance.eventTime ?? createdAt), cosine: null }
  })
  // Hidden memories are not ranked, because their effect on other ranks would reveal them.
  const mayShow = (seq: number): boolean => {
    const stored = then.get(seq)
    return stored !== undefined && isShown(stored.state, reading.asked)
  }
  return {
    found: { ...found, candidates: candidates.filter(({ seq }) => mayShow(seq)) },
    read: async (seqs) => seqs.flatMap((seq) => then.get(seq) ?? []),
  }
}

type Met = Omit<Hit, 'rewordings'>

/** Reads bodies by rank until enough places are filled; a group of rewordings takes a place. */
async function shownOf(
  engine: Engine,
  { ranked, read }: Pick<Ranking, 'ranked' | 'read'>,
  asked: SearchRequest,
): Promise<readonly Hit[]> {
  const { limit } = asked.query
  const met: Met[] = []
  const places = new Set<string>()
  const placeOfWords = new Map<string, string>()
  const placeOf = ({ memory: { state } }: Met): string => {
    const own = groupKey(state)
    if (asked.isExpanded) return state.ref
    if (!sharesPlace(state)) return own
    const words = `${state.kind} ${state.identity} ${state.sourceId}`
    const place = placeOfWords.get(words) ?? own
    placeOfWords.set(words, place)
    return place
  }
  for (let at = 0; at < ranked.length && places.size < limit; at += limit) {
    const page = ranked.slice(at, at + limit)
    const bySeq = new Map(page.map((each) => [each.seq, each]))
    for (const memory of await read(page.map(({ seq }) => seq))) {
      const found = bySeq.get(memory.state.seq)
      if (!found) continue
      met.push({ memory, ranked: found })
      places.add(placeOf({ memory, ranked: found }))
    }
  }
  const groups = groupsOf(met, ({ memory }) => memory.state, placeOf).slice(0, limit)
  return Promise.all(groups.map((group) => placed(engine, group, asked)))
}

/**
 * Shows the head of a group at the best rank of its members. The original heads the group even when
 * the search did not find the original.
 */
async function placed(
  engine: Engine,
  { head, rewordings }: RewordingGroup<Met>,
  asked: SearchRequest,
): Promise<Hit> {
  const refs = rewordings.map(({ memory }) => memory.state.ref)
  const score = [head, ...rewordings].reduce((best, { ranked }) => Math.max(best, ranked.score), 0)
  const { state } = head.memory
  const of = asked.isExpanded || asked.seq !== null ? null : state.rewordingOf
  const original = of === null ? null : await engine.read({ type: 'memory', ref: of })
  if (original && isShown(original.state, asked) && isAhead(original.state, state)) {
    const ranked = { ...head.ranked, seq: original.state.seq, score }
    return { memory: original, ranked, rewordings: [state.ref, ...refs] }
  }
  return { memory: head.memory, ranked: { ...head.ranked, score }, rewordings: refs }
}

/** True if a search with the options could show the memory. */
export function isShown(
  state: MemoryState,
  { filter, kinds, moment }: Pick<SearchRequest, 'filter' | 'kinds' | 'moment'>,
): boolean {
  const { minTier = 0, inSession, saidBy } = filter
  return (
    kinds.includes(state.kind) &&
    !isBookkeeping(state) &&
    isBelieved(state.disposition, moment.policy) &&
    state.tier >= minTier &&
    (inSession === undefined || state.session === inSession) &&
    (saidBy === undefined || state.sourceId === saidBy) &&
    isLearntBetween(state.bornAt, filter) &&
    isOfContext(state, filter.context) &&
    isToday(state, filter, moment)
  )
}

export const isOfContext = ({ facets }: MemoryState, context: string | undefined): boolean =>
  context === undefined || [facets.context, ...facets.contextTags].includes(context)
