import { isBelieved } from '../../domain/distrust.ts'
import type { Fusion } from '../../domain/fusion.ts'
import type { Ref } from '../../domain/ids.ts'
import { isBookkeeping, type MemoryState } from '../../domain/state.ts'
import { termsOf } from '../../domain/terms.ts'
import { toMs } from '../../domain/time.ts'
import type { Recalled, RecalledRow } from '../../ports/recalled.ts'
import type { ReadQuery, StoredMemory } from '../../ports/store.ts'
import type { CandidateSet } from '../../recall/rank/candidates.ts'
import { fuse, type Ranked } from '../../recall/rank/fuse.ts'
import { type Question, readQuestion } from '../../recall/rank/question.ts'
import type { Uses } from '../engine.ts'
import { memoryAsOf } from '../read/as-of.ts'
import { isLearntBetween } from '../read/learnt-range.ts'
import { isToday, narrowing } from '../read/list.ts'
import { viewOf } from '../read/memory-view.ts'
import { fusionOf } from '../read/use-gate.ts'
import { type Wording, wordingOf } from '../write/wording.ts'
import { eventTimes } from './event-times.ts'
import type { Near } from './recollection.ts'
import { groupKey, groupsOf, isAhead, type RewordingGroup, ROWS_MAX } from './rewording-groups.ts'
import type { Asked } from './search-options.ts'

/** A memory that is shown, and its place among all that were ranked. */
export interface Hit {
  readonly memory: StoredMemory
  readonly ranked: Ranked
  /** Other memories that say the same in other words, and share its place. */
  readonly rewordings: readonly Ref[]
}

/** A question as it is understood, and what is looked for by it. */
export interface Understood {
  readonly question: Question
  readonly wording: Wording
}

/** Everything that came to mind for a question, best first, and what of it is shown. */
export interface Ranking extends Understood {
  readonly fusion: Fusion
  readonly ranked: readonly Ranked[]
  readonly hits: readonly Hit[]
  /** Those of the ranked that the filters let through, as they stand or stood. */
  read(seqs: readonly number[]): Promise<readonly StoredMemory[]>
}

const HITS_MIN = 96 // memories that hold a term, best by their words, that are ranked by all signals
const HITS_GROWTH = 8 // times as many when filters left too few of them

/**
 * Dormant and forgotten memories are not found; the rest by the options, best first. With `seek`, as
 * many more are ranked as it takes to meet that memory.
 */
export async function rankingOf(uses: Uses, asked: Asked, seek?: number): Promise<Ranking> {
  const { moment, query, filter, kinds, seq } = asked
  const { question, wording } = asked.understood ?? (await understood(uses, asked))
  const fusion = fusionOf(moment.policy)
  const asBorn = seq === null ? filter : bornLike(filter)
  const where = { ...narrowing(asBorn, moment), withoutBookkeeping: true } as const
  // Of the past all that holds a term is looked at, kinds of what is asked for as well.
  const terms = seq === null ? wording.terms : [...wording.terms, ...wording.kinds]
  const named = seq === null ? await namingKinds(uses, wording, { kinds, where }) : []
  // Meaning is kept of what memories say now; of the past their words alone are looked at.
  const nearBy = async (wanted: number): Promise<Near> => {
    const near = await uses.recollection.near(uses, query.text, { kinds, where, moment, wanted })
    return { ...near, seqs: [...new Set([...near.seqs, ...named])] }
  }
  let near: Near = seq === null ? await nearBy(query.limit) : { seqs: [], isCut: false }
  for (let hits = Math.max(asked.hitsMin ?? HITS_MIN, query.limit * 2); ; hits *= HITS_GROWTH) {
    const recalled = await uses.read({ type: 'recall', terms, near: near.seqs, kinds, hits, where })
    if (seq !== null && recalled.isCut) continue // of the past all are looked at: later ones crowd none out
    const seen =
      seq === null
        ? await seenNow(uses, recalled, { asked, wording })
        : await seenThen(uses, recalled, { asked, wording })
    const ranked = fuse(question, seen.found, fusion)
    const shown = await shownOf(uses, { ranked, read: seen.read }, asked)
    const isMet = seek === undefined || ranked.some((each) => each.seq === seek)
    const isFull = hits >= ROWS_MAX && shown.some(({ rewordings }) => rewordings.length > 0)
    const isEnough = shown.length >= query.limit || isFull
    // What today's filters left out was looked at already: more of what is near may pass them.
    const isFarther = near.isCut && !isEnough
    if ((isEnough && isMet) || !(recalled.isCut || isFarther)) {
      return { question, wording, fusion, ranked, hits: shown, read: seen.read }
    }
    if (isFarther) near = await nearBy(hits * HITS_GROWTH)
  }
}

const NAMING_MAX = 32

/** Memories that name a kind of what is asked for: apart, so that they crowd out none that says it. */
async function namingKinds(
  uses: Uses,
  { kinds: terms }: Wording,
  which: Pick<Extract<ReadQuery, { type: 'recall' }>, 'kinds' | 'where'>,
): Promise<readonly number[]> {
  if (terms.length === 0) return []
  const named = new Set(terms)
  const { rows } = await uses.read({ type: 'recall', terms, near: [], hits: NAMING_MAX, ...which })
  return rows.flatMap(({ seq, terms: said }) =>
    said.split(' ').some((term) => named.has(term)) ? seq : [],
  )
}

async function understood(uses: Uses, asked: Asked): Promise<Understood> {
  const read = readQuestion(asked.query.text, toMs(asked.moment.now), uses.recollection.membersOf)
  const counted = await eventTimes(asked, async (event) => (await rankingOf(uses, event)).hits)
  const question = { ...read, times: [...read.times, ...counted] }
  return { question, wording: await wordingOf(uses.read, question.terms, question.kinds.keys()) }
}

/** What a store can narrow to of the past: what is fixed at birth. */
const bornLike = ({ inSession, saidBy, since, until }: Asked['filter']): Asked['filter'] => ({
  ...(inSession === undefined ? {} : { inSession }),
  ...(saidBy === undefined ? {} : { saidBy }),
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  includeForgotten: true,
  includeSetAside: true,
})

interface Seen {
  readonly found: CandidateSet
  /** Those of them that may be shown, in the order that is given. */
  read(seqs: readonly number[]): Promise<readonly StoredMemory[]>
}

interface Reading {
  readonly asked: Asked
  readonly wording: Wording
}

async function seenNow(uses: Uses, recalled: Recalled, reading: Reading): Promise<Seen> {
  const { wording } = reading
  const { moment, query, filter } = reading.asked
  const found = await uses.recollection.found(uses, recalled, { text: query.text, wording, moment })
  return {
    found,
    read: async (seqs) =>
      (await uses.read({ type: 'memories', where: { seqs }, order: 'given' })).filter(({ state }) =>
        isToday(state, filter, moment),
      ),
  }
}

/**
 * The same of a moment of the past: each memory as it stood after that entry. Nothing that was
 * recorded later counts, so what stood beside it is left out, and how rare a word is follows from
 * what held it then. A memory that was reworded since is found by its later words and judged by
 * those of then.
 */
async function seenThen(uses: Uses, recalled: Recalled, reading: Reading): Promise<Seen> {
  const { wording } = reading
  const { moment, query, seq: last } = reading.asked
  const terms = [...wording.terms, ...wording.kinds]
  const past = { ...moment, seq: last ?? 0 }
  const then = new Map<number, StoredMemory>()
  const rows: RecalledRow[] = []
  for (const row of recalled.rows.filter(({ seq }) => seq <= past.seq)) {
    const [known] = await uses.read({
      type: 'memories',
      where: { seqs: [row.seq] },
      order: 'given',
    })
    const stored = known && (await memoryAsOf(uses, known.state.ref, past))
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
  const found = await uses.recollection.found(uses, among, { text: query.text, wording, moment })
  const candidates = found.candidates.map((candidate) => {
    const stored = then.get(candidate.seq)
    const row = rows.find(({ seq }) => seq === candidate.seq)
    if (!stored || stored.state.revisionSeq === row?.revisionSeq) return candidate
    const { provenance, createdAt } = viewOf(stored, moment)
    return { ...candidate, atMs: toMs(provenance.eventTime ?? createdAt), cosine: null }
  })
  // What may not be shown is not ranked either, or a verdict would tell of it.
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

/** Bodies are read in the order of ranks, until there are enough places; a group has one. */
async function shownOf(
  uses: Uses,
  { ranked, read }: Pick<Ranking, 'ranked' | 'read'>,
  asked: Asked,
): Promise<readonly Hit[]> {
  const { limit } = asked.query
  const met: Met[] = []
  const places = new Set<string>()
  const placeOf = ({ memory: { state } }: Met): string =>
    asked.isExpanded ? state.ref : groupKey(state)
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
  return Promise.all(groups.map((group) => placed(uses, group, asked)))
}

/** The head in the place of its best member; the original heads the group also where it was not found. */
async function placed(
  uses: Uses,
  { head, rewordings }: RewordingGroup<Met>,
  asked: Asked,
): Promise<Hit> {
  const refs = rewordings.map(({ memory }) => memory.state.ref)
  const score = [head, ...rewordings].reduce((best, { ranked }) => Math.max(best, ranked.score), 0)
  const { state } = head.memory
  const of = asked.isExpanded || asked.seq !== null ? null : state.rewordingOf
  const original = of === null ? null : await uses.read({ type: 'memory', ref: of })
  if (original && isShown(original.state, asked) && isAhead(original.state, state)) {
    const ranked = { ...head.ranked, seq: original.state.seq, score }
    return { memory: original, ranked, rewordings: [state.ref, ...refs] }
  }
  return { memory: head.memory, ranked: { ...head.ranked, score }, rewordings: refs }
}

/** Whether a search that asks like this could show it. */
export function isShown(
  state: MemoryState,
  { filter, kinds, moment }: Pick<Asked, 'filter' | 'kinds' | 'moment'>,
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
