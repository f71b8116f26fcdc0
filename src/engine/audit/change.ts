import type { Change } from '../../domain/change.ts'
import type { ChangeOp, Entry, Facts, SealedNote } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Move, moveOf } from '../../fold/change-memory.ts'
import { asRecorded, tierAfter, tierByAnchors } from '../../fold/effective.ts'
import { isLive } from '../../fold/fold-memory.ts'
import { childrenFact, consequencesOf } from '../../gate/cascade.ts'
import { toldTier } from '../../gate/words.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import {
  areAnchors,
  familyIn,
  mayHaveAnswered,
  mayHaveChanged,
  mayHaveProposed,
  mayHaveSpent,
} from './authority.ts'
import { isEraseWish, isPlaceKept, placeProblem, restsOnErased, verdictIn } from './claims.ts'
import { isDistrustWish, isOfTurning, ownTurnProblem, turningProblem } from './distrust.ts'
import type { Progress } from './progress.ts'
import { changeToldIn, refsIn, wishToldIn } from './reported.ts'

/** An entry about an existing memory with the facts for its checks. */
interface RecordedChange {
  readonly memory: MemoryState
  readonly entry: Entry
  readonly op: ChangeOp
  readonly policy: Policy
  /** Witnesses with the tier for this check: today's or the recorded tier. */
  readonly seen: (witness: MemoryState) => MemoryState
}

/** Recomputes the effect of an entry on an existing memory; null when the entry is right. */
export function changeProblem(progress: Progress, entry: Entry, op: ChangeOp): string | null {
  const memory = entry.ref === null ? undefined : progress.memories.get(entry.ref)
  if (!memory) return 'changes a memory that is not there'
  const { policyHash } = progress.stack
  const policy = policyHash === null ? undefined : progress.policies.get(policyHash)
  if (!policy || entry.label === null) return 'changes a memory under no policy or label'
  // Erasure is allowed in maintenance, and its consequences are part of the same unit.
  const isFall = isOfTurning(progress, entry) && progress.turning?.lead.op === 'memory.erased'
  const follows = isFall || entry.decision.facts.code === 'source_erased' || isPlaceKept(entry)
  if (progress.stack.state === 'MAINTENANCE' && !follows) {
    return 'changes a memory during maintenance'
  }
  if (entry.tier !== null && toldTier(entry.tier, entry.label) === null) {
    return 'tells a tier of its words that is not below their label’s'
  }
  if (isOfTurning(progress, entry)) return turningProblem(progress, memory, entry)
  if (op === 'memory.distrusted' || op === 'memory.trusted') {
    return ownTurnProblem(progress, memory, entry)
  }
  const told = { memory, entry, op, policy, seen: (each: MemoryState) => each }
  const problem = toldProblem(progress, told)
  if (problem === null) return null
  // Earlier versions used the recorded tiers, which may be higher than today's tiers.
  const then = { ...told, memory: asRecorded(memory), seen: asRecorded<MemoryState> }
  return toldProblem(progress, then) === null ? null : problem
}

function toldProblem(progress: Progress, told: RecordedChange): string | null {
  if (told.op === 'memory.proposed')
    return isProposal(progress, told) ? null : 'proposes what needed no leave'
  const follows = told.entry.decision.rule === null
  return follows ? followProblem(progress, told) : moveProblem(progress, told)
}

function followProblem(progress: Progress, told: RecordedChange): string | null {
  const { memory, entry, op, policy } = told
  const { of, into } = entry.decision.facts
  if (op === 'memory.flagged') return sourceErasedProblem(progress, memory, entry)
  if (isPlaceKept(entry)) return placeProblem(progress, memory, entry)
  if (op === 'memory.strengthened' && progress.hollow.has(memory.ref)) return null
  const isAdmitted = (ref: unknown): boolean => {
    const made = known(progress, ref)
    const isNew = entry.unit !== entry.seq
    return made !== undefined && isLive(made, policy) && (!isNew || follows(progress, entry, ref))
  }
  if (op === 'suggestion.resolved') {
    if (into === null || !isAdmitted(into)) return 'resolves a suggestion into nothing admitted'
    return moveProblem(progress, told)
  }
  const old = known(progress, of)
  if (op !== 'belief.revised' || !old || Object.keys(entry.decision.facts).length > 1) {
    return 'follows from nothing before it'
  }
  const { label } = entry
  const isAllowed =
    label !== null &&
    mayHaveChanged({ progress, entry: { ...entry, label }, policy, memory: old, change: OFF })
  const at = { policy, time: entry.time, mayRaise: false, anchors: [] }
  const isOff = moveOf(old, OFF, at).op === null
  if (memory.kind !== 'belief' || old.ref === memory.ref || !isAllowed || isOff) {
    return 'takes the place of no belief that it may replace'
  }
  if (!isAdmitted(memory.ref)) return 'takes the place of a belief without being admitted'
  const facts = { by: memory.ref }
  progress.due = [{ ref: old.ref, op: 'belief.deactivated', facts, lead: entry }]
  return null
}

/** Children of an erased memory are flagged for review within the erasure. */
function sourceErasedProblem(
  { memories }: Progress,
  { parents, flags, erased }: MemoryState,
  { unit, decision }: Entry,
): string | null {
  const { code, by, ...more } = decision.facts
  const source = typeof by === 'string' ? memories.get(by as Ref) : undefined // a lookup
  const isSo =
    code === 'source_erased' &&
    Object.keys(more).length === 0 &&
    erased === null &&
    source !== undefined &&
    source.erased !== null &&
    source.erased.seq >= unit &&
    parents.includes(source.ref) &&
    !flags.some((flag) => flag.code === code && flag.by === by)
  return isSo ? null : 'follows from nothing before it'
}

const OFF = { type: 'deactivate' } as const

/** True if the entry belongs to the unit of the birth before, with its actor, door and time. */
const follows = ({ told: last }: Progress, { actor, door, time }: Entry, ref: unknown): boolean =>
  last !== null &&
  last.entry.ref === ref &&
  last.entry.actor === actor &&
  last.entry.door === door &&
  last.entry.time === time

/** Entries of older versions about folded rewordings, without an effect. */
const isRetired = ({ op, label, decision: { facts } }: Entry): boolean =>
  label !== null &&
  isFirstHand(label) &&
  (op === 'echo.left' || (op === 'echo.overruled' && typeof facts.of === 'number'))

function moveProblem(progress: Progress, told: RecordedChange): string | null {
  const { memory, entry, op, policy } = told
  const { facts } = entry.decision
  if (isRetired(entry)) return null
  const change = changeToldIn(op, facts)
  if (change === null) return 'says nothing that can be worked out'
  const { label } = entry
  if (label === null) return 'changes a memory under no label'
  const asked = { progress, entry: { ...entry, label }, policy, memory }
  if (change.type === 'clear' && !mayHaveAnswered(asked))
    return 'takes down what waits for a person'
  if (!namesKnown(progress, change)) return 'names a memory that is not there'
  const overruled = refsIn(facts.overrules).flatMap((ref) => progress.memories.get(ref) ?? [])
  if (!mayHaveChanged({ ...asked, change, overruled })) {
    return 'changes a memory without the authority'
  }
  const spends = facts.spends !== false
  const anchors = refsIn(facts.anchors)
  const isVerifying = change.type === 'verify' || change.type === 'reinforce'
  const isLost = restsOnErased(progress, [memory.ref, ...evidenceIn(change)])
  // An attestation changes no number, so its entry does not record the use of evidence.
  const isOpen = op === 'memory.attested' && mayHaveSpent(asked, false)
  const isCounted = (spending: boolean): boolean =>
    isVerifying &&
    areAnchors(progress, { memory, change, entry, policy, anchors, spends: spending })
  if (isVerifying && !isLost && !isCounted(spends) && !(isOpen && isCounted(false))) {
    return 'counts other anchors than its evidence comes down to'
  }
  if (isVerifying && anchors.length > 0 && !mayHaveSpent(asked, spends)) {
    return 'engine up evidence without the authority, or leaves it with authority'
  }
  const mayRaise = labelName(label) === 'UserAsserted'
  const verdict =
    change.type === 'adjudicate' || change.type === 'lapse'
      ? verdictIn(progress, memory, { policy, evidence: evidenceOf(change), isPerson: mayRaise })
      : {}
  const isSaid = spends && isFirstHand(label)
  const cited = isSaid ? anchors.flatMap((ref) => progress.memories.get(ref) ?? []) : []
  const witnesses = cited.map(told.seen)
  // The tier of an erased witness is unknown, so the recorded tier is accepted.
  const tierTo = isLost && isSaid ? tierAfter(memory, facts) : tierByAnchors(witnesses, policy)
  const base = { policy, time: entry.time, mayRaise, anchors, tierTo, spends, ...verdict }
  const at = isLost ? { ...base, isWitnessed: true } : base
  const problem = sameMove(progress, told, moveOf(memory, change, at))
  if (problem === null || at.rivals === undefined) return problem
  const isSo = rivalsThatMayHaveBeen(progress, facts).some(
    (rivals) => sameMove(progress, told, moveOf(memory, change, { ...at, rivals })) === null,
  )
  return isSo ? null : problem
}

/** An erased claim is on no timeline, so its rivals and kind are unknown: accept possible ones. */
function rivalsThatMayHaveBeen(
  { hollow, memories }: Progress,
  { overrules }: Facts,
): readonly (readonly Ref[])[] {
  const stood = [...hollow].find((ref) => {
    const memory = memories.get(ref)
    return memory?.kind === 'claim' && memory.erased === null
  })
  if (stood === undefined) return []
  const told = refsIn(overrules)
  const areClaims = told.length > 0 && told.every((ref) => memories.get(ref)?.kind === 'claim')
  return [areClaims ? told : [stood], []]
}

const evidenceOf = (change: Change): readonly Ref[] => ('evidence' in change ? change.evidence : [])

function namesKnown(progress: Progress, change: Change): boolean {
  const isKnown = (ref: Ref): boolean => known(progress, ref) !== undefined
  switch (change.type) {
    case 'verify':
    case 'reinforce':
    case 'adjudicate':
      return change.evidence.every(isKnown)
    case 'process':
      return change.into.every(isKnown)
    case 'resolve':
      return change.into === null || isKnown(change.into)
    case 'note_contradiction':
      return isKnown(change.against)
    default:
      return true
  }
}

/** The record must equal the computed move; consequences for other memories become due. */
function sameMove(progress: Progress, told: RecordedChange, move: Move) {
  const { memory, entry, op, policy } = told
  if (progress.hollow.has(memory.ref)) return followingFrom(progress, told)
  if (move.op !== op) return `is not what follows here: ${move.op ?? move.reason}`
  const family = familyIn(progress, policy)
  const changed = { op, facts: move.facts, time: entry.time }
  const expected = { ...move.facts, ...childrenFact(memory, changed, family) }
  if (canonicalize(entry.decision.facts) !== canonicalize(expected)) {
    return 'says other numbers than follow from what was before'
  }
  if (entry.decision.rule !== null) {
    const moved = { ...changed, facts: entry.decision.facts }
    progress.due = consequencesOf(memory, moved, family).map((each) => ({ ...each, lead: entry }))
  }
  return null
}

/** The former state of an erased memory is unknown, but consequences for others are still due. */
function followingFrom(progress: Progress, { memory, entry, op, policy }: RecordedChange): null {
  const changed = { op, facts: entry.decision.facts, time: entry.time }
  if (entry.decision.rule === null) return null
  const due = consequencesOf(memory, changed, familyIn(progress, policy))
  progress.due = due.map((each) => ({ ...each, lead: entry }))
  return null
}

const evidenceIn = (change: Change): readonly Ref[] => ('evidence' in change ? change.evidence : [])

const known = ({ memories }: Progress, ref: unknown): MemoryState | undefined =>
  typeof ref === 'string' ? memories.get(ref as Ref) : undefined // a lookup

/** True if the caller could not make the change and has no other proposal about this memory. */
function isProposal(progress: Progress, { memory, entry, policy }: RecordedChange): boolean {
  const { label } = entry
  const { facts } = entry.decision
  if (label === null || isProposedTwice(progress, { memory, entry })) return false
  if (entry.actor !== null) progress.proposers.set(entry.seq, entry.actor)
  if (facts.change === 'revise') return isRevisionProposal(progress, { memory, entry })
  if (isEraseWish(facts) || isDistrustWish(facts)) return !isFirstHand(label)
  const change = wishToldIn(entry.decision.facts)
  if (change === null || !namesKnown(progress, change)) return false
  const isOlder = facts.of !== undefined // a proposal to release a rewording that an older version folded away
  if (change.type === 'overrule' && !isOlder && memory.rewordingOf === null) return false
  const asked = { progress, entry: { ...entry, label }, policy, memory }
  const { rivals = [] } =
    change.type === 'adjudicate' && change.verdict === 'affirm'
      ? verdictIn(progress, memory, { policy, evidence: change.evidence, isPerson: false })
      : {}
  const overruled = rivals.flatMap((ref) => progress.memories.get(ref) ?? [])
  // The proposed tags are sealed: any tags need the same tier.
  const told = change.type === 'describe' ? { ...change, tags: change.tags ?? [] } : change
  return mayHaveProposed({ ...asked, change: told, overruled })
}

/** An actor has one open proposal per memory; only a revision may add fields to an earlier one. */
function isProposedTwice(
  { proposers }: Progress,
  { memory, entry }: Pick<RecordedChange, 'memory' | 'entry'>,
): boolean {
  const isRevision = entry.decision.facts.change === 'revise'
  return memory.flags.some(
    ({ code, seq, by }) =>
      code === 'proposed' &&
      proposers.get(seq) === entry.actor &&
      !(isRevision && by === memory.ref),
  )
}

/** Checks a proposed revision: known sources, and fields in the sealed note. */
function isRevisionProposal(
  progress: Progress,
  { memory, entry }: Pick<RecordedChange, 'memory' | 'entry'>,
): boolean {
  const { from, change: _, ...more } = entry.decision.facts
  const sources = refsIn(from)
  const isFrom = from === undefined || (sources.length > 0 && Array.isArray(from))
  return (
    Object.keys(more).length === 0 &&
    isFrom &&
    sources.every((ref) => known(progress, ref) !== undefined) &&
    entry.label !== null &&
    entry.label.type !== 'RecallReEntry' &&
    entry.commitment !== null &&
    memory.kind !== 'claim'
  )
}

/** Operations with sealed fields: annotations, and folded rewordings in older ledgers. */
const SEALS_FIELDS: ReadonlySet<Entry['op']> = new Set(['memory.annotated', 'memory.collapsed'])

/** Compares the sealed note of a change with its entry; null when they agree. */
export function noteProblem({ op, decision: { facts } }: Entry, note: SealedNote): string | null {
  const { fields, tags, text } = note
  if (fields === null && tags === null && text === null) return 'seals nothing'
  const isRevision = op === 'memory.proposed' && facts.change === 'revise'
  if ((fields !== null) !== (SEALS_FIELDS.has(op) || isRevision)) {
    return 'seals fields, or none, unasked'
  }
  if (op === 'memory.collapsed' && text !== null) return 'seals what is no phrasing'
  if (op === 'memory.described') {
    return (tags?.length ?? null) === (facts.tags ?? null) ? null : 'seals another number of tags'
  }
  const isOnlySaid = op === 'memory.proposed' || op === 'memory.attested'
  const mayTag = isOnlySaid && facts.change === 'describe'
  return tags === null || mayTag ? null : 'seals tags that nobody gave'
}
