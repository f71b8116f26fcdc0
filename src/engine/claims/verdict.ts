import type { Change, ChangeResult } from '../../domain/change.ts'
import { LINE_KINDS, type LineKind, VERDICTS, type Verdict } from '../../domain/claims.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseRef, type Ref, type StackId } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { WriteResult } from '../../domain/write.ts'
import { cardinalityOf, isLineClaim, rivalsOf, tellerOf } from '../../fold/line-claims.ts'
import type { Oracle } from '../../ports/models.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { Answered, ReviewAnswer } from '../review/proposals.ts'
import type { Moment } from '../world.ts'
import { type ActOptions, oneOf, speakerOf } from '../write/arguments.ts'
import { lineOf, type TimelineKey } from './answer.ts'
import { type ClaimResult, type RememberOptions, remember } from './claim.ts'

export interface AdjudicateOptions extends ActOptions {
  readonly verdict: Verdict
  /** First-hand memories that support the verdict; a person needs none. */
  readonly evidence?: readonly string[]
  readonly reason?: string
}

/** Decides a contest. A timeline is decided at its waiting claim, or at its newest claim. */
export async function adjudicate(
  engine: Engine,
  target: string | TimelineKey,
  { verdict, evidence = [], reason, ...who }: AdjudicateOptions,
): Promise<ChangeResult> {
  oneOf('verdict', verdict, VERDICTS)
  const refs = evidence.map((ref) => parseRef(ref))
  const { ref, line } = await contestedAt(engine, target)
  if (line === null) return { changed: false, reason: 'wrong_kind', entry: null, flagged: [] }
  const change = { type: 'adjudicate', verdict, evidence: [...new Set(refs)], line } as const
  const speaker = speakerOf(engine.stackId, 'adjudicate', who)
  return engine.change({ ref, change, text: reason ?? null, ...speaker })
}

async function contestedAt(
  engine: Engine,
  target: string | TimelineKey,
): Promise<Pick<MemoryState, 'ref' | 'line'>> {
  if (typeof target === 'string') return (await claimAt(engine, parseRef(target))).state
  const line = lineOf(engine, target)
  const query = { type: 'line', line, which: 'standing', at: null } as const
  const { claims } = await engine.read(query)
  const refs = claims.map(({ state }) => state).reverse()
  const found = refs.find(({ review }) => review === 'contest') ?? refs[0]
  if (found) return { ref: found.ref, line }
  throw nothingSaid(target)
}

async function claimAt({ read }: Engine, ref: Ref): Promise<StoredMemory> {
  const stored = await read({ type: 'memory', ref })
  if (stored) return stored
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
}

/**
 * Closes contests that passed their deadline or lost their opposing claims. The queue is an index
 * over claims, so nothing else needs a cleanup.
 */
export async function lapseContests(engine: Engine): Promise<number> {
  const speaker = speakerOf(engine.stackId, 'maintenance')
  const limit = LIMITS.pageItemsMax
  let lapsed = 0
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await engine.read({
      type: 'memories',
      where: { review: ['contest'] },
      after: before,
      limit,
    })
    for (const { state } of page) {
      if (state.line === null) continue
      const change = { type: 'lapse', line: state.line } as const
      const { changed } = await engine.change({ ref: state.ref, change, ...speaker })
      if (changed) lapsed += 1
    }
    before = page.at(-1)?.state.seq ?? null
    if (page.length < limit) return lapsed
  }
}

/** Sets the cardinality of a timeline at the claim that defines it; only a person may. */
export async function recast(
  engine: Engine,
  target: TimelineKey,
  { cardinality, reason, ...who }: RecastOptions,
): Promise<ChangeResult & { readonly ref: Ref }> {
  oneOf('cardinality', cardinality, LINE_KINDS)
  const line = lineOf(engine, target)
  const { claims } = await engine.read({ type: 'line', line, which: 'standing', at: null })
  const teller = tellerOf(claims.map(({ state }) => state))
  if (!teller) throw nothingSaid(target)
  const change = { type: 'recast', cardinality } as const
  const speaker = speakerOf(engine.stackId, 'recast', speakerForVerdict(who))
  const told = await engine.change({ ref: teller.ref, change, text: reason ?? null, ...speaker })
  return { ...told, ref: teller.ref }
}

export interface RecastOptions extends ActOptions {
  readonly cardinality: LineKind
  readonly reason?: string
}

const nothingSaid = ({ subject, predicate }: TimelineKey): MunimentError =>
  new MunimentError('not_found', `Nothing is said of ${subject} ${predicate}.`)

export interface Superseding extends ClaimResult {
  /** The outcome for the opposing claims; null where no claim opposes. */
  readonly verdict: ChangeResult | null
}

/**
 * Replaces the value of a claim. The write itself succeeds claims of the same actor; claims of
 * other actors need a verdict, which the caller must be allowed to give.
 */
export async function supersedeClaim(
  engine: Engine,
  ref: Ref,
  {
    value,
    options,
  }: {
    readonly value: JsonValue
    readonly options: RememberOptions & { readonly reason?: string }
  },
): Promise<Superseding> {
  const { state, sealed } = await claimAt(engine, ref)
  if (state.kind !== 'claim' || sealed === null) {
    throw new MunimentError('invalid_input', 'Only a claim is superseded by a value.')
  }
  const { subject, predicate, cardinality, criticality } = openSealed(sealed).body as ClaimBody // kind is checked above
  const { reason, ...said } = options
  const line = [subject, predicate, value] as const
  const written = await remember(engine, line, { cardinality, criticality, ...said })
  if (written.claimRef === null || written.contestedWith.length === 0) {
    return { ...written, verdict: null }
  }
  const { actor, caller, session, turn, label } = said
  const who = Object.entries({ actor, caller, session, turn, label, reason })
  const given: ActOptions = Object.fromEntries(who.filter(([, member]) => member !== undefined))
  const asPerson = speakerForVerdict(given)
  return {
    ...written,
    verdict: await adjudicate(engine, written.claimRef, { verdict: 'affirm', ...asPerson }),
  }
}

/** A write without a label is UserAsserted, and so is its verdict. */
const speakerForVerdict = (given: ActOptions): ActOptions =>
  given.label === undefined && given.caller === undefined
    ? { ...given, label: { type: 'External', kind: 'UserAsserted' } }
    : given

/** The memories that a memory contradicts, as far as they still stand. */
export async function othersStanding(
  { read }: Pick<Engine, 'read'>,
  { state }: StoredMemory,
  { policy }: Pick<Moment, 'policy'>,
): Promise<readonly StoredMemory[]> {
  const refs = state.flags.flatMap(({ code, by }) => (code === 'contradicts' && by ? [by] : []))
  const others = await Promise.all(refs.map((ref) => read({ type: 'memory', ref })))
  return others
    .filter((other) => other !== null)
    .filter(
      ({ state: { erased, strength, disposition } }) =>
        erased === null && strength.value > 0 && !policy.notBelieved.includes(disposition),
    )
}

interface Deciding {
  readonly answer: ReviewAnswer
  readonly who: ActOptions
  readonly reason: string | null
}

/** The newer is right (`accept`), the older are (`dismiss`), or all may stand (`keep`). */
export async function decideBetween(
  engine: Engine,
  stored: StoredMemory,
  { answer, who, reason }: Deciding,
): Promise<Answered> {
  const { ref } = stored.state
  const speaker = speakerOf(engine.stackId, 'resolve_review', who)
  if (!isFirstHand(speaker.label)) return { taken: false, became: null }
  const others =
    answer === 'accept' ? await othersStanding(engine, stored, await engine.moment()) : []
  const wrong = answer === 'dismiss' ? [stored] : others
  for (const { state } of wrong) {
    const { changed, reason: why } = await engine.change({
      ref: state.ref,
      change: puttingAside(state.ref),
      text: reason,
      ...speaker,
    })
    // An already deactivated memory needs no change; a refused change leaves the question open.
    if (!changed && why !== 'already_so' && why !== null) {
      return { taken: false, became: null, reason: why }
    }
  }
  const { changed } = await engine.change({
    ref,
    change: { type: 'clear' },
    text: reason,
    ...speaker,
  })
  return { taken: changed, became: null }
}

/** A belief is deactivated; any other memory is forgotten and can be recovered. */
const puttingAside = (ref: Ref): Change =>
  ref.startsWith('belief:') ? { type: 'deactivate' } : { type: 'forget' }

/**
 * Believed claims of any tier with another value for the same time. A lower tier never contests, so
 * the standing alone would hide the disagreement.
 */
export async function disagreeingWith(
  { read }: Pick<Engine, 'read'>,
  { state }: Pick<StoredMemory, 'state'>,
  { policy }: Pick<Moment, 'policy'>,
): Promise<readonly StoredMemory[]> {
  if (state.line === null || !isLineClaim(state)) return []
  const { claims } = await read({ type: 'line', line: state.line, which: 'standing', at: null })
  const line = claims.map((claim) => claim.state).filter(isLineClaim)
  if (cardinalityOf(line) === 'SetValued') return []
  const rivals = rivalsOf(state, line, policy)
  const found = await Promise.all(rivals.map(({ ref }) => read({ type: 'memory', ref })))
  return found.filter((stored) => stored !== null)
}

/** Notifies the oracle of every claim that was queued for adjudication. */
export async function askOracle(
  { oracle, stackId }: { readonly oracle?: Oracle; readonly stackId: StackId },
  results: readonly WriteResult[],
): Promise<void> {
  if (!oracle) return
  for (const { ref, disposition } of results) {
    if (ref === null || disposition !== 'QueuedForAdjudication') continue
    try {
      await oracle.ask({ stackId, claim: ref })
    } catch {
      // The claim is committed and waits in the review queue even when the oracle fails.
    }
  }
}
