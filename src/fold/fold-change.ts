import type { ClaimState, Verdict } from '../domain/claims.ts'
import {
  type ChangeOp,
  type Entry,
  type Facts,
  guardWith,
  type SealedNote,
  type StoredEntry,
} from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand, type LabelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { Dated, FlagCode, MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { Disposition } from '../domain/vocabulary.ts'
import { doubted, trustedAgain } from './distrust.ts'
import { liftLost, liftRegained, risenBy } from './effective.ts'

type ClaimOp = Extract<ChangeOp, `claim.${string}`>

/** State of a claim after one more entry; the facts were checked before they are folded. */
function foldClaim(before: MemoryState, op: ClaimOp, facts: Facts): MemoryState {
  const { claim } = before
  // The words are gone; the entry says to which tier a verdict raised the claim.
  if (claim === null) {
    return op === 'claim.adjudicated' ? risenBy(before, facts) : before
  }
  switch (op) {
    case 'claim.ended':
      return { ...before, claim: { ...claim, endedAt: facts.at as Instant } }
    case 'claim.retracted':
      return { ...before, disposition: 'Invalidated', claim: { ...claim, word: 'retracted' } }
    case 'claim.reopened':
      return {
        ...before,
        disposition: 'Reinstated',
        claim: { ...heard(claim), endedAt: null, overruledBy: null, word: null },
      }
    case 'claim.superseded':
      return { ...before, disposition: 'Superseded', claim: overruled(claim, facts.by as Ref) }
    case 'claim.lapsed':
      return {
        ...before,
        disposition: facts.why === 'expired' ? 'Contested' : admitted(before.label),
      }
    case 'claim.recast':
      return { ...before, facets: { ...before.facets, subtype: String(facts.to) } }
    case 'claim.adjudicated':
      return risenBy(judged(before, facts.verdict as Verdict), facts)
  }
}

/** Earlier replacements count too: a claim is silent wherever one of them speaks. */
const overruled = (claim: ClaimState, by: Ref): ClaimState =>
  claim.overruledBy === null
    ? { ...claim, overruledBy: by }
    : { ...claim, silencedBy: [...(claim.silencedBy ?? []), by] }

/** A claim that counts again, on the word of a caller with authority. */
const heard = ({ silencedBy: _, ...claim }: ClaimState): ClaimState => claim

/** Disposition by the last rule, for a claim that nothing stands against. */
export const admitted = (label: LabelName): Disposition =>
  isFirstHand(label) ? 'CommittedCheap' : 'CommittedInferred'

function judged(before: MemoryState, verdict: Verdict): MemoryState {
  const { claim } = before
  if (claim === null) return before
  switch (verdict) {
    case 'affirm':
      return {
        ...before,
        disposition: admitted(before.label),
        claim: { ...heard(claim), word: 'affirmed', overruledBy: null },
      }
    case 'deny':
      return { ...before, disposition: 'Superseded', claim: { ...claim, word: 'denied' } }
    case 'unknown':
      // The verdict may have been wrong without the lost source: both sides are shown again.
      return {
        ...before,
        disposition: 'Contested',
        claim: { ...heard(claim), word: 'unknown', overruledBy: null },
      }
  }
}

// The gate writes the facts read here, and the audit checks them before they are folded.

interface ChangeInput {
  readonly op: ChangeOp
  readonly note: SealedNote | null
  readonly policy: Policy
}

/** A memory after one more entry about the memory. */
export function foldChange(
  before: MemoryState,
  { entry }: StoredEntry,
  { op, note, policy }: ChangeInput,
): MemoryState {
  const { facts } = entry.decision
  const after = awoken({ ...before, ...numbersIn(before, entry) }, before, policy)
  switch (op) {
    case 'memory.protected':
      return { ...after, isProtected: true, guard: guardWith(before.guard, protector(entry)) }
    case 'memory.unprotected':
      return {
        ...after,
        isProtected: false,
        guard: guardWith(before.guard, { protectedBy: undefined }),
      }
    case 'memory.accessed':
      return { ...after, accesses: Number(facts.accesses), accessedAt: entry.time }
    case 'memory.described':
      return described(after, entry, note)
    case 'memory.annotated':
      return { ...after, notes: noted(before, String(facts.by), entry.seq) }
    case 'memory.processed':
      return { ...after, facets: { ...before.facets, status: 'processed' } }
    case 'memory.verified':
      return {
        ...risenBy({ ...after, ...supported(before, facts) }, facts),
        verifications: Number(facts.verifications),
        verifiedAt: entry.time,
      }
    case 'memory.reinforced':
      return { ...after, ...supported(before, facts), reinforcements: Number(facts.times) }
    case 'memory.proposed':
      // Several revisions may be proposed at once; any other proposal waits alone.
      return flagged(after, entry, {
        code: 'proposed',
        by: facts.change === 'revise' ? after.ref : null,
      })
    case 'memory.flagged':
      return flagged(after, entry, {
        code: facts.code as FlagCode,
        by: (facts.by as Ref | null) ?? null,
      })
    case 'memory.cleared':
      return liftRegained(cleared(after, facts.of as readonly number[]), entry)
    case 'memory.distrusted':
      return doubted(after, facts)
    case 'memory.trusted':
      return trustedAgain(after, facts)
    case 'echo.overruled':
      // In older ledgers the entry may let in a draft that was folded away: then it names the draft.
      return facts.of === undefined ? { ...after, rewordingOf: null } : after
    case 'echo.left':
      return after
    case 'belief.deactivated':
      return { ...after, disposition: 'Superseded' }
    case 'claim.ended':
    case 'claim.retracted':
    case 'claim.reopened':
    case 'claim.adjudicated':
    case 'claim.superseded':
    case 'claim.lapsed':
    case 'claim.recast':
      return foldClaim(after, op, facts)
    case 'suggestion.resolved':
      return { ...after, facets: { ...before.facets, status: String(facts.status) } }
    case 'memory.forgotten':
    case 'memory.recovered':
    case 'memory.weakened':
    case 'memory.strengthened':
    case 'memory.attested':
    case 'belief.revised':
      return after
  }
}

/** Strength and confidence go where the facts say, dated from the entry on. */
function numbersIn(before: MemoryState, { time, decision }: Entry): Partial<MemoryState> {
  const { strength, confidence } = decision.facts
  const to = (fact: unknown): Dated => ({ value: (fact as { to: number }).to, at: time as Instant })
  const moved: { strength?: Dated; confidence?: Dated; weight?: number } = {}
  if (strength !== undefined) moved.strength = to(strength)
  if (confidence !== undefined && typeof confidence === 'object') {
    moved.confidence = to(confidence)
    // The weight of a belief is its confidence, and follows the confidence.
    if (before.kind === 'belief') moved.weight = moved.confidence.value
  }
  return moved
}

/** A recalled memory has not faded: its `dormant` flag is removed. */
function awoken(after: MemoryState, before: MemoryState, { numbers }: Policy): MemoryState {
  const { strength, flags } = after
  if (strength === before.strength || strength.value < numbers.strengthDormantBelow) return after
  if (!flags.some(({ code }) => code === 'dormant')) return after
  return { ...after, flags: flags.filter(({ code }) => code !== 'dormant') }
}

const noted = (before: MemoryState, name: string, seq: number) => ({ ...before.notes, [name]: seq })

/** Tags replace the tags there were; the entry that holds them is remembered. */
function described(state: MemoryState, { seq }: Entry, note: SealedNote | null): MemoryState {
  if (!note || note.tags === null) return state
  return {
    ...state,
    facets: { ...state.facets, tags: note.tags },
    notes: noted(state, TAGS_NOTE, seq),
  }
}

/** Under this name stand the tags, which no component may be called. */
const TAGS_NOTE = '#tags'

const union = (a: readonly Ref[], b: readonly Ref[]): readonly Ref[] => [...new Set([...a, ...b])]

/** Evidence that a caller without authority named stays usable by a caller who has authority. */
function supported(before: MemoryState, { evidence, anchors, spends }: Facts) {
  const counted = (anchors as readonly Ref[]) ?? []
  const all = union(before.evidence, (evidence as readonly Ref[]) ?? [])
  if (spends === false) {
    const unspent = union(before.guard?.unspent ?? [], counted)
    return { evidence: all, guard: guardWith(before.guard, { unspent }) }
  }
  const unspent = before.guard?.unspent?.filter((ref) => !counted.includes(ref)) ?? []
  return {
    evidence: all,
    anchors: union(before.anchors, counted),
    guard: guardWith(before.guard, { unspent: unspent.length === 0 ? undefined : unspent }),
  }
}

const protector = ({ label }: Entry): { readonly protectedBy: 'model' | undefined } => ({
  protectedBy: label !== null && isFirstHand(label) ? undefined : 'model',
})

const flagged = (
  state: MemoryState,
  { seq }: Entry,
  flag: { readonly code: FlagCode; readonly by: Ref | null },
): MemoryState =>
  liftLost({ ...state, flags: [...state.flags, { ...flag, seq }] }, { ...flag, seq })

const cleared = (state: MemoryState, of: readonly number[]): MemoryState => ({
  ...state,
  flags: state.flags.filter(({ seq }) => !of.includes(seq)),
})
