import type { Change, UnchangedReason } from '../../domain/change.ts'
import { VERDICTS, type Verdict } from '../../domain/claims.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { REVIEW_KINDS, type ReviewKind } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { isAccepted } from '../../domain/write.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { reviseFields, supersede } from '../change/revision.ts'
import { adjudicate, decideBetween, disagreeingWith, othersStanding } from '../claims/verdict.ts'
import { turn } from '../distrust/distrust.ts'
import type { Engine } from '../engine.ts'
import { erase } from '../erase/erase.ts'
import { annotationReader, type Memory, viewOf } from '../read/memory-view.ts'
import { ungroundedAmong } from '../read/overview.ts'
import { groupKey, groupsOf, type RewordingGroup, ROWS_MAX } from '../search/search-terms.ts'
import type { Moment } from '../world.ts'
import { type ActOptions, given, limitOf, oneOf, speakerOf, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import {
  type Answered,
  answerWords,
  type ChangeProposal,
  changeProposed,
  proposalsAbout,
  REVIEW_ANSWERS,
  type ReviewAnswer,
  waitingSince,
} from './proposals.ts'
import { acceptSuggestion, dismissSuggestion, getSuggestion } from './suggestions.ts'

export interface ReviewOptions {
  readonly kinds?: readonly ReviewKind[]
  readonly limit?: number
  /** Continue after this item: the last ref of the page before. */
  readonly after?: string
  /** Only the item about this memory. */
  readonly only?: string
}

/** An item in the queue, with its reasons. */
export interface ReviewItem {
  readonly kind: ReviewKind | 'ungrounded'
  readonly ref: Ref
  readonly memory: Memory
  /** Time at which the item entered the queue. */
  readonly since: Instant
  /** Opposing memories of a contest or a contradiction. */
  readonly against: readonly Memory[]
  readonly reasons: readonly string[]
  /** The latest proposal by a caller without the authority, for an item of kind `proposal`. */
  readonly proposal: ChangeProposal | null
  /** All open proposals, oldest first: each actor has at most one. */
  readonly proposals: readonly ChangeProposal[]
  /** Rewordings, or further claims of the actor in the timeline, with the same pending decision. */
  readonly rewordings: readonly Ref[]
  readonly answers: readonly ReviewAnswer[]
}

const ANSWERS: Readonly<Record<ReviewKind, readonly ReviewAnswer[]>> = {
  suggestion: ['accept', 'dismiss'],
  quarantine: ['reject', 'accept'],
  contest: VERDICTS,
  proposal: ['accept', 'dismiss'],
  contradiction: ['accept', 'dismiss', 'keep'],
  flagged: ['keep', 'forget'],
}

/** Default page size. */
export const REVIEW_LIMIT = 50

/** The review queue, newest first. */
export async function getReview(
  engine: Engine,
  options?: ReviewOptions | null,
): Promise<readonly ReviewItem[]> {
  const { kinds = REVIEW_KINDS, after, only, ...asked } = given(options)
  const limit = limitOf(asked.limit, REVIEW_LIMIT)
  if (!Array.isArray(kinds)) throw wrong('kinds', 'a list')
  for (const kind of kinds) oneOf('kinds', kind, REVIEW_KINDS)
  await engine.checks.settled()
  const before = after === undefined ? null : await seqOf(engine, parseRef(after))
  const places =
    only === undefined
      ? await waitingPlaces(engine, { kinds, before, limit })
      : (await waitingOf(engine, parseRef(only))).map((head) => ({ head, rewordings: [] }))
  const moment = await engine.moment()
  const states = places.map(({ head }) => head.state)
  const ungrounded = new Set(await ungroundedAmong(engine, states))
  const annotations = annotationReader(engine)
  return Promise.all(
    places.map(async ({ head: stored, rewordings }) => {
      const { ref } = stored.state
      const isUngrounded = ungrounded.has(ref)
      const waits = stored.state.review ?? 'flagged'
      const against = await othersOf(engine, stored, moment)
      const proposals =
        waits === 'proposal' ? await proposalsAbout(engine, stored.state, annotations) : []
      return {
        kind: waits === 'flagged' && isUngrounded ? 'ungrounded' : waits,
        ref,
        memory: viewOf(stored, moment),
        since: await waitingSince(engine, { stored, against, proposal: proposals.at(-1) ?? null }),
        against: against.map((other) => viewOf(other, moment)),
        reasons: [
          ...reasonsFor(stored, isUngrounded),
          ...(waits === 'quarantine' ? await setAsideFor(engine, stored) : []),
        ],
        proposal: proposals.at(-1) ?? null,
        proposals,
        rewordings: rewordings.map(({ state }) => state.ref),
        answers: ANSWERS[waits],
      }
    }),
  )
}

async function waitingPlaces(
  { read }: Engine,
  { kinds, before, limit }: { kinds: readonly ReviewKind[]; before: number | null; limit: number },
): Promise<readonly RewordingGroup<StoredMemory>[]> {
  const asksPersons = before === null && limit > 1 && kinds.includes('contest')
  const where = { review: ['contest'], byPerson: true } as const
  // The last place is no person's, because the next page continues behind it.
  const first = asksPersons
    ? await read({ type: 'memories', where, after: null, limit: limit - 1 })
    : []
  const met: StoredMemory[] = []
  for (;;) {
    const behind = met.at(-1)?.state.seq ?? before
    const page = await read({ type: 'memories', where: { review: kinds }, after: behind, limit })
    met.push(...page)
    const known = new Set(first.map(({ state }) => state.ref))
    const groups = groupsOf(
      [...first, ...met.filter(({ state }) => !known.has(state.ref))],
      ({ state }) => state,
      placeKey,
    )
    const isEnough = groups.length >= limit || page.length < limit || met.length >= ROWS_MAX
    if (isEnough) return groups.slice(0, limit)
  }
}

/** Contests of one actor about one timeline share a place, so that no number of them hides another. */
const placeKey = ({ state }: StoredMemory): string =>
  state.review === 'contest' && state.line !== null
    ? `contest ${state.line} ${state.label} ${state.sourceId}`
    : `${state.review} ${groupKey(state)}`

async function waitingOf({ read }: Engine, ref: Ref): Promise<readonly StoredMemory[]> {
  const stored = await read({ type: 'memory', ref })
  return stored && stored.state.review !== null ? [stored] : []
}

/** Opposing claims of a contest, or contradicted memories. */
const othersOf = (
  engine: Engine,
  stored: StoredMemory,
  moment: Moment,
): Promise<readonly StoredMemory[]> =>
  stored.state.review === 'contest'
    ? disagreeingWith(engine, stored, moment)
    : othersStanding(engine, stored, moment)

async function seqOf({ read }: Engine, ref: Ref): Promise<number> {
  const stored = await read({ type: 'memory', ref })
  if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
  return stored.state.seq
}

function reasonsFor({ state }: StoredMemory, isUngrounded: boolean): readonly string[] {
  const codes = state.flags.map(({ code }) => code)
  if (codes.length === 0) return [state.disposition]
  return isUngrounded ? [...codes, 'ungrounded'] : codes
}

async function setAsideFor({ read }: Engine, { state }: StoredMemory): Promise<readonly string[]> {
  const rows = await read({ type: 'entries', about: state.ref })
  const { disposition } = state
  return (
    rows
      .map(({ bytes }) => readEntry(bytes).decision)
      .findLast((decision) => decision.disposition === disposition)?.reasons ?? []
  )
}

export interface ResolveOptions extends ActOptions {
  readonly reason?: string
  readonly modifications?: Readonly<Record<string, unknown>>
  /** The proposal to answer, by the number of its entry; another proposal is refused. */
  readonly proposal?: number
}

export interface Settled extends Answered {
  /** The effect in a sentence; null where the answer was not taken. */
  readonly did: string | null
}

const NOT_TAKEN: Answered = { taken: false, became: null }

interface Answering {
  readonly answer: ReviewAnswer
  readonly options: ResolveOptions
  readonly reject: (ref: Ref) => Promise<unknown>
  readonly release: (ref: Ref) => Promise<unknown>
}

/** Applies a person's answer to an item and describes the effect in plain words. */
export async function settleReview(
  engine: Engine,
  ref: Ref,
  answering: Answering,
): Promise<Settled> {
  const { answer } = answering
  oneOf('answer', answer, REVIEW_ANSWERS)
  await engine.checks.settled()
  const stored = await engine.read({ type: 'memory', ref })
  const waits = stored?.state.review ?? null
  if (stored === null || waits === null) return { ...NOT_TAKEN, did: null }
  const proposals = waits === 'proposal' ? await proposalsAbout(engine, stored.state) : []
  const { proposal: meant } = answering.options
  const proposal =
    meant === undefined ? proposals.at(-1) : proposals.find(({ seq }) => seq === meant)
  const settled = await settleWaiting(engine, { ...answering, stored, waits })
  const proposed = proposal?.change ?? null
  const { taken, became } = settled
  return { ...settled, did: taken ? answerWords({ ref, waits, answer, proposed, became }) : null }
}

interface AnsweringTo extends Answering {
  readonly stored: StoredMemory
  readonly waits: ReviewKind
}

async function settleWaiting(
  engine: Engine,
  { answer, options, reject, release, stored, waits }: AnsweringTo,
): Promise<Answered> {
  const { ref } = stored.state
  if (!ANSWERS[waits].includes(answer)) {
    throw new MunimentError('invalid_input', `A ${waits} takes: ${ANSWERS[waits].join(', ')}.`)
  }
  const { reason = null, modifications: _, proposal: meant, ...who } = options
  const proposal = await proposalMeant(engine, stored as StoredMemory, { answer, meant }) // a waiting memory exists
  if (waits === 'suggestion') return settleSuggestion(engine, ref, { answer, options })
  if (waits === 'quarantine') {
    if (answer === 'accept') await release(ref)
    else await reject(ref)
    return { taken: true, became: null }
  }
  if (waits === 'contradiction') {
    return decideBetween(engine, stored, { answer, who, reason })
  }
  const verdict = VERDICTS.find((each) => each === answer)
  if (verdict !== undefined) {
    return decided(engine, ref, { verdict, who, reason })
  }
  const speaker = speakerOf(engine.stackId, 'resolve_review', who)
  // A model never answers a proposal, because its author may be a model.
  if (!isFirstHand(speaker.label)) return NOT_TAKEN
  /** An unneeded change counts as done, so the item leaves the queue. */
  const done = async (change: Change): Promise<Answered> => {
    const { changed, reason: why } = await engine.change({ ref, change, text: reason, ...speaker })
    return settledBy(changed || why === 'already_so', why)
  }
  const granted =
    answer === 'accept'
      ? await grant(engine, ref, { proposal, done, who, reason })
      : NOTHING_TO_GRANT
  if (!granted.taken) return granted
  if (proposal?.change === 'erase' && answer === 'accept') return granted // the erased memory has no flags to clear
  const forgotten = answer === 'forget' ? await done({ type: 'forget' }) : NOTHING_TO_GRANT
  if (!forgotten.taken) return forgotten
  return { ...(await done({ type: 'clear' })), became: granted.became }
}

const settledBy = (taken: boolean, reason: UnchangedReason | null): Answered =>
  taken || reason === null ? { taken, became: null } : { taken, became: null, reason }

const NOTHING_TO_GRANT: Answered = { taken: true, became: null }

async function settleSuggestion(
  engine: Engine,
  ref: Ref,
  { answer, options }: Pick<Answering, 'answer' | 'options'>,
): Promise<Answered> {
  const { reason = null, modifications = null, proposal: _, ...who } = options
  const { id } = splitRef(ref)
  if (answer === 'dismiss') {
    return { taken: await dismissSuggestion(engine, id, reason, who), became: null }
  }
  if ((await acceptSuggestion(engine, id, modifications, who)) === null) return NOT_TAKEN
  return { taken: true, became: (await getSuggestion(engine, id))?.promotedTo ?? null }
}

/** Finds the proposal seen by the person: a later proposal is refused, never granted unread. */
async function proposalMeant(
  engine: Engine,
  { state }: StoredMemory,
  { answer, meant }: { readonly answer: ReviewAnswer; readonly meant: number | undefined },
): Promise<ChangeProposal | null> {
  const { ref, review } = state
  const proposals = review === 'proposal' ? await proposalsAbout(engine, state) : []
  const proposal =
    meant === undefined ? proposals.at(-1) : proposals.find(({ seq }) => seq === meant)
  if (meant === undefined && answer === 'accept' && proposals.length > 1) {
    const seqs = proposals.map(({ seq }) => seq)
    throw new MunimentError(
      'invalid_input',
      `${ref} has ${seqs.length} proposals; none was named.`,
      {
        hint: `Say which one to grant, with proposal: ${seqs.join(' or ')}.`,
        facts: { ref, proposals: seqs },
      },
    )
  }
  if (meant === undefined || proposal !== undefined) return proposal ?? null
  throw new MunimentError('version_conflict', `${ref} waits with another proposal than ${meant}.`, {
    hint: 'Look at what is proposed now, and answer that.',
    facts: { ref, expected: meant, actual: proposals.at(-1)?.seq ?? null },
  })
}

interface Deciding {
  readonly verdict: Verdict
  readonly who: ActOptions
  readonly reason: string | null
}

/** Applies a verdict to a contest by the usual rules of verdicts. */
async function decided(
  engine: Engine,
  ref: Ref,
  { verdict, who, reason }: Deciding,
): Promise<Answered> {
  const because = reason === null ? {} : { reason }
  const { changed, reason: why } = await adjudicate(engine, ref, { verdict, ...who, ...because })
  return settledBy(changed, why)
}

interface Granting {
  readonly proposal: ChangeProposal | null
  readonly done: (change: Change) => Promise<Answered>
  readonly who: ActOptions
  readonly reason: string | null
}

/** Applies a proposal in the name of the granting person. */
async function grant(
  engine: Engine,
  ref: Ref,
  { proposal, done, who, reason }: Granting,
): Promise<Answered> {
  if (proposal?.change === 'supersede') {
    const options = {
      ...who,
      ...(proposal.confidence === null ? {} : { confidence: proposal.confidence }),
      ...(reason === null ? {} : { because: reason }),
    }
    const result = await supersede(engine, ref, { statement: proposal.text ?? '', options })
    if (!isAccepted(result)) throw refusalError(result)
    return { taken: true, became: result.ref }
  }
  if (proposal?.change === 'revise') {
    const result = await reviseFields(engine, ref, { proposal, options: who })
    if (!isAccepted(result)) throw refusalError(result)
    return { taken: true, became: result.ref }
  }
  if (proposal?.change === 'erase') {
    const { erased } = await erase(engine, ref, { ...who, basis: proposal.basis ?? 'other' })
    return { taken: erased.length > 0, became: null }
  }
  if (proposal?.change === 'distrust') {
    const options = {
      ...who,
      basis: proposal.doubt ?? 'other',
      ...(reason === null ? {} : { reason }),
    }
    const { entry } = await turn(engine, ref, { on: true, options })
    return entry === null ? { ...NOT_TAKEN, reason: 'already_so' } : NOTHING_TO_GRANT
  }
  const stored = await engine.read({ type: 'memory', ref })
  const change = proposal && changeProposed(proposal, stored?.state.line ?? null)
  return change === null ? NOTHING_TO_GRANT : done(change)
}
