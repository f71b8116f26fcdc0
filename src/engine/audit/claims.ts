import type { Entry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Moment } from '../../fold/change-memory.ts'
import { isWitnessed } from '../../gate/evidence.ts'
import { rivalsAt } from '../../gate/rivals.ts'
import { knowsAuthority } from './authority.ts'
import type { Progress } from './progress.ts'
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
