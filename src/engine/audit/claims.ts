import { KEPT_OUT, LINE_KINDS } from '../../domain/claims.ts'
import {
  type Entry,
  type Facts,
  isChangeOp,
  type SealedRow,
  type StoredEntry,
} from '../../domain/entry.ts'
import { ERASE_BASES, isSaidBy } from '../../domain/erasure.ts'
import { isHash, type Ref, splitRef } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isInstant } from '../../domain/time.ts'
import type { Moment } from '../../fold/change-memory.ts'
import { hollow } from '../../fold/fold-memory.ts'
import { isWitnessed } from '../../gate/evidence.ts'
import { rivalsAt } from '../../gate/rivals.ts'
import { knowsAuthority, noteChild } from './authority.ts'
import { foldEntry } from './content.ts'
import { found, type Progress } from './progress.ts'
import { refsIn } from './reported.ts'

export function noteLine({ lines }: Progress, { ref, line }: MemoryState): void {
  if (line !== null) lines.set(line, (lines.get(line) ?? new Set()).add(ref))
}

/** A claim that succeeds others names them, and their supersession is due at once. */
export function birthProblem(progress: Progress, entry: Entry): string | null {
  const contest = contestProblem(progress, entry)
  if (contest !== null) return contest
  const { succeeds } = entry.decision.facts
  if (succeeds === undefined) return null
  const refs = refsIn(succeeds)
  const name = entry.label && labelName(entry.label)
  // A later claim of the same label never succeeds a claim of a higher tier.
  const isStrict = isUnderAuthority(progress)
  const isOwn = (ref: Ref): boolean => {
    const memory = progress.memories.get(ref)
    const isClaim = memory && (memory.claim !== null || progress.hollow.has(ref))
    const isOver = (memory?.tier ?? 0) <= (entry.tier ?? 0)
    return isClaim === true && memory?.label === name && (isOver || !isStrict)
  }
  const by = entry.ref
  if (by === null || refs.length === 0 || !refs.every(isOwn))
    return 'succeeds what is no such claim'
  progress.due = refs.map((ref) => ({
    ref,
    op: 'claim.superseded',
    facts: { by },
    lead: entry,
  }))
  return null
}

function isUnderAuthority({ stack: { policyHash }, policies }: Progress): boolean {
  const policy = policyHash === null ? undefined : policies.get(policyHash)
  return policy !== undefined && knowsAuthority(policy)
}

/** Only equal tiers contest each other; a claim against a higher tier records the conflict. */
function contestProblem(progress: Progress, { label, tier, decision }: Entry): string | null {
  const { rule, disposition, facts } = decision
  if (rule !== 'conflict' || label === null || tier === null) return null
  if (!isUnderAuthority(progress)) return null
  const rivals = refsIn(facts.against).flatMap((ref) => progress.memories.get(ref) ?? [])
  const isContest = disposition === 'Contested' || disposition === 'QueuedForAdjudication'
  if (isContest && rivals.some((each) => isFirstHand(each.label) && each.tier > tier)) {
    return 'contests a claim of a higher tier'
  }
  if (!isFirstHand(label)) return null
  if (isContest && rivals.some((each) => each.tier < tier)) {
    return 'contests a claim of a lower tier'
  }
  const isBelow = disposition === 'PendingConflict' || disposition === 'CommittedCheap'
  return isBelow && rivals.some((each) => isFirstHand(each.label) && each.tier <= tier)
    ? 'gives way to a claim of no higher tier'
    : null
}

interface VerdictTold {
  readonly policy: Policy
  readonly evidence: readonly Ref[]
  readonly isPerson: boolean
}

/** The rivals and witnesses of a verdict, computed from the entries so far. */
export function verdictIn(
  { memories, lines }: Progress,
  memory: MemoryState,
  { policy, evidence, isPerson }: VerdictTold,
): Pick<Moment, 'rivals' | 'isWitnessed'> {
  const known = { policy, memory: (ref: Ref) => memories.get(ref) }
  const rivals = rivalsAt(memory, {
    policy,
    onLine: (line) =>
      [...(lines.get(line) ?? [])]
        .flatMap((ref) => memories.get(ref) ?? [])
        .filter((each) => each.line === line) // a revision may have changed the timeline
        .sort((a, b) => a.seq - b.seq),
  })
  return {
    rivals: rivals.map(({ ref }) => ref),
    isWitnessed: isWitnessed(memory, evidence, { known, isPerson }),
  }
}

interface Gone {
  readonly seal: SealedRow | undefined
  readonly erasedBy: number
  readonly isSound: boolean
}

/** Folds an entry with erased content from the facts in the entry. */
export function auditErased(
  progress: Progress,
  stored: StoredEntry,
  { seal, erasedBy, isSound }: Gone,
): void {
  const { seq, ref, op } = stored.entry
  if (ref === null) {
    found(progress, 'sealed.missing', { seq, detail: 'gone, and it is about no memory' })
    return
  }
  if (seal) {
    const detail = `was erased by entry ${erasedBy} and is still there`
    found(progress, 'sealed.stray', { seq, ref, detail })
  }
  progress.notes.push({ code: 'content.erased', seq, ref, by: erasedBy })
  // A revision number means an erased birth or revision; a change may belong to an erased actor.
  if (stored.entry.revision === null) progress.said.set(seq, stored.entry)
  else progress.hollow.add(ref)
  if (!isSound) return
  if (isChangeOp(op) || op === 'memory.collapsed') foldEntry(progress, stored, null)
  else foldHollow(progress, stored)
}

function foldHollow(progress: Progress, stored: StoredEntry): void {
  const { seq, ref, op, revision } = stored.entry
  const { stack, policies, memories } = progress
  const policy = stack.policyHash === null ? undefined : policies.get(stack.policyHash)
  if (ref === null || !policy) return
  const before = memories.get(ref)
  if (op === 'memory.saved' && before) {
    found(progress, 'birth.twice', { seq, ref, detail: `born at ${before.seq} already` })
  } else if (op === 'memory.revised' && before?.revision !== (revision ?? 0) - 1) {
    found(progress, 'revision.gap', { seq, ref, detail: 'a revision is missing' })
  } else {
    const after = hollow(before, stored, policy)
    memories.set(ref, after)
    noteChild(progress, after)
  }
}

/** Content may be missing only where a later entry erased its memory or its actor. */
export function checkErasures(progress: Progress): void {
  for (const { seq, ref, by } of progress.notes) {
    const [said, of] = [progress.said.get(seq), progress.shredded.get(by)]
    const isErased = progress.memories.get(ref)?.erased?.seq === by
    const isShredded = said !== undefined && of !== undefined && isSaidBy(of, said)
    if ((isErased || isShredded) && by > seq) continue
    const detail = 'gone, and no erasure says so'
    found(progress, 'sealed.missing', { seq, ref, detail })
  }
  const noted = new Set(progress.notes.map(({ seq }) => seq))
  for (const seq of progress.erasures.keys()) {
    if (noted.has(seq)) continue
    found(progress, 'sealed.stray', { seq, detail: 'is said to be erased and never was content' })
  }
}

/** Checks an erasure. Content was checked before, so remaining content is already known here. */
export function erasureProblem(progress: Progress, entry: Entry): string | null {
  const { ref, seq } = entry
  const { basis, tombstones, ...more } = entry.decision.facts
  const memory = ref === null ? undefined : progress.memories.get(ref)
  if (ref === null || !memory) return 'erases a memory that is not there'
  if (memory.erased !== null) return 'erases what was erased already'
  const isPlaced =
    splitRef(ref).kind === 'claim' ? isPlace(progress, more) : Object.keys(more).length === 0
  const isTold = isBasis(basis) && isMarks(tombstones) && isPlaced
  if (!isTold) return 'says something else than an erasure does'
  const isGone = progress.erasures.get(memory.seq) === seq && !progress.kept.has(ref)
  return isGone ? null : 'erases content that is still there'
}

/** The place that an erased claim keeps on its timeline. */
function isPlace({ memories }: Progress, { dated, silent, by, until, ...more }: Facts): boolean {
  return (
    typeof dated === 'boolean' &&
    (silent === undefined || silent === true) &&
    (by === undefined || (typeof by === 'string' && memories.has(by as Ref))) && // a lookup
    (until === undefined || isInstant(until)) &&
    Object.keys(more).length === 0
  )
}

/** True for a change of another claim that follows from an erasure. */
export const isPlaceKept = ({ op, seq, unit, decision: { rule } }: Entry): boolean =>
  rule === null && seq !== unit && (op === 'claim.superseded' || op === 'claim.recast')

/** Checks a consequence for a remaining claim, which keeps the place of the erased claim. */
export function placeProblem(
  { memories, hollow }: Progress,
  { claim, ref, label, facets, disposition }: MemoryState,
  { op, unit, decision: { facts } }: Entry,
): string | null {
  const isClaim = claim !== null && !KEPT_OUT.includes(disposition)
  if (!isClaim && !hollow.has(ref)) return 'keeps the place of no claim'
  const { by, to, ...more } = facts
  if (Object.keys(more).length > 0) return 'says something else than which place is kept'
  if (op === 'claim.recast') {
    const isKind = by === undefined && LINE_KINDS.some((kind) => kind === to)
    return isKind && facets.subtype !== to ? null : 'recasts a line into what it is, or nothing'
  }
  const gone = typeof by === 'string' ? memories.get(by as Ref) : undefined // a lookup
  const isGone = (gone?.erased?.seq ?? -1) >= unit && gone?.kind === 'claim'
  const known = [claim?.overruledBy, ...(claim?.silencedBy ?? [])]
  const isNew = known.every((each) => each !== by)
  return isGone && isNew && gone?.label === label && to === undefined
    ? null
    : 'follows from nothing before it'
}

/** The erasure check looks up the birth itself; of later entries any remaining content counts. */
export function noteKept({ kept }: Progress, { ref, revision }: Entry): void {
  if (ref !== null && revision !== 1) kept.add(ref)
}

export function shreddingProblem(
  progress: Progress,
  { seq, decision: { facts } }: Entry,
): string | null {
  const { basis, of, ...more } = facts
  if (isHash(of)) progress.shredded.set(seq, of)
  if (!isBasis(basis) || !isHash(of) || Object.keys(more).length > 0) {
    return 'says something else than that an actor was erased'
  }
  const speaks = [...progress.pseudonyms.values()].includes(of)
  return speaks ? 'erases an actor whose key is still there' : null
}

export function liftingProblem(
  { tombstones: kept }: Progress,
  { decision: { facts } }: Entry,
): string | null {
  const { tombstones, ...more } = facts
  if (!isMarks(tombstones) || tombstones.length === 0 || Object.keys(more).length > 0) {
    return 'says something else than that words are let back in'
  }
  return tombstones.every((mark) => kept.has(mark)) ? null : 'lifts what kept nothing out'
}

/** A tombstone from another copy: its words were admitted here until now. */
export function keepingProblem(
  { tombstones: kept }: Progress,
  { decision: { facts } }: Entry,
): string | null {
  const { basis, tombstones, ...more } = facts
  const isTold = isBasis(basis) && isMarks(tombstones) && tombstones.length > 0
  if (!isTold || Object.keys(more).length > 0) {
    return 'says something else than that words are kept out'
  }
  return tombstones.some((mark) => kept.has(mark)) ? 'keeps out what was kept out already' : null
}

/** True for a model's proposal of an erasure, without other facts. */
export const isEraseWish = ({ change, basis, ...more }: Facts): boolean =>
  change === 'erase' && isBasis(basis) && Object.keys(more).length === 0

const isBasis = (fact: unknown): boolean => ERASE_BASES.some((basis) => basis === fact)

const isMarks = (fact: unknown): fact is readonly string[] =>
  Array.isArray(fact) && fact.every(isHash) && new Set(fact).size === fact.length

/** Records added and lifted tombstones. */
export function noteTombstones({ tombstones }: Progress, { op, seq, decision }: Entry): void {
  const { tombstone, tombstones: marks } = decision.facts
  if (op === 'quarantine.rejected') keep(String(tombstone))
  const keeps = op === 'memory.erased' || op === 'tombstone.kept'
  if (keeps && isMarks(marks)) for (const mark of marks) keep(mark)
  if (op === 'tombstone.lifted' && isMarks(marks)) for (const mark of marks) tombstones.delete(mark)

  function keep(mark: string): void {
    tombstones.set(mark, [...(tombstones.get(mark) ?? []), seq])
  }
}

/** True if a memory or an ancestor was erased, so that the result cannot be recomputed. */
export function restsOnErased(progress: Progress, refs: readonly Ref[]): boolean {
  if (progress.hollow.size === 0) return false
  const seen = new Set(refs)
  for (const ref of seen) {
    if (progress.hollow.has(ref)) return true
    for (const parent of progress.memories.get(ref)?.parents ?? []) seen.add(parent)
  }
  return false
}
