import type { Moment } from '../belief/change-memory.ts'
import type { Entry } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import { isWitnessed } from '../gate/evidence.ts'
import { rivalsAt } from '../gate/rivals.ts'
import type { Progress } from './audit-progress.ts'
import { refsIn } from './audit-told.ts'

export function noteLine({ lines }: Progress, { ref, line }: MemoryState): void {
  if (line !== null) lines.set(line, (lines.get(line) ?? new Set()).add(ref))
}

/** A claim that succeeds others says so, and they give way at once. */
export function birthProblem(progress: Progress, entry: Entry): string | null {
  const { succeeds } = entry.decision.facts
  if (succeeds === undefined) return null
  const refs = refsIn(succeeds)
  const name = entry.label && labelName(entry.label)
  const isOwn = (ref: Ref): boolean => {
    const memory = progress.memories.get(ref)
    const isClaim = memory && (memory.claim !== null || progress.hollow.has(ref))
    return isClaim === true && memory?.label === name
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

interface VerdictTold {
  readonly policy: Policy
  readonly evidence: readonly Ref[]
  readonly isPerson: boolean
}

/** What a verdict decides about and rests on, worked out from what was read so far. */
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
        .filter((each) => each.line === line) // a revision may have moved it
        .sort((a, b) => a.seq - b.seq),
  })
  return {
    rivals: rivals.map(({ ref }) => ref),
    isWitnessed: isWitnessed(memory, evidence, { known, isPerson }),
  }
}
