import { type Move, moveOf } from '../belief/change-memory.ts'
import { recorded, strengthAt } from '../belief/effective.ts'
import { type Change, RESOLVED_STATUSES, type ResolvedStatus } from '../domain/change.ts'
import type { ChangeOp, Entry, Facts } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { FLAG_CODES, type MemoryState } from '../domain/state.ts'
import { isOverreach } from '../gate/change.ts'
import { independentAnchors } from '../gate/evidence.ts'
import { canonicalize } from '../hash/canonical.ts'
import type { Progress } from './audit-progress.ts'

/** What is wrong with an entry about a memory that exists, worked out anew; null when nothing is. */
export function changeProblem(progress: Progress, entry: Entry, op: ChangeOp): string | null {
  const memory = entry.ref === null ? undefined : progress.memories.get(entry.ref)
  if (!memory) return 'changes a memory that is not there'
  const { policyHash } = progress.stack
  const policy = policyHash === null ? undefined : progress.policies.get(policyHash)
  if (!policy || entry.label === null) return 'changes a memory under no policy or label'
  if (progress.stack.state === 'MAINTENANCE') return 'changes a memory during maintenance'
  const { facts } = entry.decision
  switch (op) {
    case 'memory.strengthened':
      return sameNumbers(facts, strengthened(memory, policy, entry))
    case 'memory.flagged':
      return isFlag(progress, memory, facts) ? null : 'flags for no reason that there is'
    case 'memory.cleared':
      return isClearing(memory, facts) ? null : 'takes down flags that were not up'
    case 'memory.proposed':
      return isProposal(memory, entry) ? null : 'proposes what needed no leave'
    case 'memory.attested':
      return null // records that somebody said so, and moves nothing
    case 'belief.revised':
      return known(progress, facts.of)?.kind === 'belief' ? null : 'takes the place of no belief'
    case 'belief.deactivated':
      return isDeactivation(progress, memory, facts) ? null : 'deactivates for no belief'
    default:
      return movedProblem(progress, { memory, entry, op, policy })
  }
}

interface Moved {
  readonly memory: MemoryState
  readonly entry: Entry
  readonly op: ChangeOp
  readonly policy: Policy
}

function movedProblem(progress: Progress, { memory, entry, op, policy }: Moved): string | null {
  const change = changeIn(op, entry.decision.facts)
  if (change === null) return 'says nothing that can be worked out'
  if (entry.label && isOverreach({ label: entry.label, change }, memory)) {
    return 'lets a model take from what was said first-hand'
  }
  const move = moveOf(memory, change, {
    policy,
    time: entry.time,
    mayRaise: entry.label !== null && labelName(entry.label) === 'UserAsserted',
    anchors: anchorsIn(progress, { memory, change, policy }),
  })
  return sameMove(entry, move)
}

/** Whose capture it was is behind a pseudonym here: any first-hand capture may have counted. */
function anchorsIn(
  progress: Progress,
  { memory, change, policy }: { memory: MemoryState; change: Change; policy: Policy },
): readonly Ref[] {
  if (change.type !== 'verify' && change.type !== 'reinforce') return []
  const lookUp = { policy, memory: (ref: Ref) => progress.memories.get(ref) }
  return independentAnchors(memory, change.evidence, { known: lookUp, actor: null })
}

/** The change that an entry's facts say was made. */
function changeIn(op: ChangeOp, facts: Facts): Change | null {
  switch (op) {
    case 'memory.forgotten':
      return { type: 'forget' }
    case 'memory.recovered':
      return { type: 'recover' }
    case 'memory.protected':
    case 'memory.unprotected':
      return { type: 'protect', on: op === 'memory.protected' }
    case 'memory.accessed':
      return { type: 'access' }
    case 'memory.weakened':
      return { type: 'weaken', amount: Number(facts.amount) }
    case 'memory.described': {
      const { confidence, tags } = facts
      const to = confidence === undefined ? null : Number((confidence as { to: unknown }).to)
      return { type: 'describe', confidence: to, tags: tags === undefined ? null : many(tags) }
    }
    case 'memory.annotated':
      return { type: 'annotate', by: String(facts.by), fields: {} }
    case 'memory.processed':
      return { type: 'process', into: refsIn(facts.into) }
    case 'memory.verified':
      return { type: 'verify', evidence: refsIn(facts.evidence) }
    case 'memory.reinforced':
      return { type: 'reinforce', evidence: refsIn(facts.evidence) }
    case 'suggestion.resolved': {
      const status = RESOLVED_STATUSES.find((each) => each === facts.status)
      return status ? resolved(status, facts) : null
    }
    default:
      return null
  }
}

const resolved = (status: ResolvedStatus, { into = null }: Facts): Change => ({
  type: 'resolve',
  status,
  into: into as Ref | null, // compared with what the entry says
})

const refsIn = (fact: unknown): readonly Ref[] => (Array.isArray(fact) ? fact : [])
const many = (count: unknown): readonly string[] =>
  Array.from({ length: Math.min(Number(count) || 0, 10_000) }, () => '')

/** The same operation and the same numbers; anchors may be fewer, since captures were left out. */
function sameMove({ op, decision }: Entry, move: Move): string | null {
  if (move.op !== op) return `is not what follows here: ${move.op ?? move.reason}`
  const { anchors, children: _, ...facts } = decision.facts
  const { anchors: possible, ...expected } = move.facts
  const isSubset = refsIn(anchors).every((ref) => refsIn(possible).includes(ref))
  if (canonicalize(facts) === canonicalize(expected) && isSubset) return null
  return 'says other numbers than follow from what was before'
}

function strengthened(memory: MemoryState, policy: Policy, { time, decision }: Entry): Facts {
  const from = strengthAt(memory, policy, time)
  const to = recorded(Math.min(1, from + policy.numbers.verifySourceGain))
  return { by: decision.facts.by ?? null, strength: { from, to } }
}

const sameNumbers = (facts: Facts, expected: Facts): string | null =>
  canonicalize(facts) === canonicalize(expected) ? null : 'says other numbers than follow'

const known = ({ memories }: Progress, ref: unknown): MemoryState | undefined =>
  typeof ref === 'string' ? memories.get(ref as Ref) : undefined // looked up, never trusted

/** Flags that a memory gets for itself, not for what became of a source. */
const OWN_FLAGS: ReadonlySet<unknown> = new Set(['dormant', 'asked'])

const isFlag = (progress: Progress, memory: MemoryState, { code, by }: Facts): boolean =>
  FLAG_CODES.some((each) => each === code) &&
  (OWN_FLAGS.has(code) ? by === null : memory.parents.some((parent) => parent === by)) &&
  (by === null || known(progress, by) !== undefined)

const isClearing = ({ flags }: MemoryState, { of }: Facts): boolean =>
  Array.isArray(of) && of.length > 0 && of.every((seq) => flags.some((flag) => flag.seq === seq))

const isProposal = (memory: MemoryState, { label, decision }: Entry): boolean =>
  label !== null &&
  !isFirstHand(label) &&
  isFirstHand(memory.label) &&
  typeof decision.facts.change === 'string'

const isDeactivation = (progress: Progress, memory: MemoryState, { by }: Facts): boolean =>
  memory.kind === 'belief' &&
  memory.disposition !== 'Superseded' &&
  (by === null || known(progress, by)?.kind === 'belief')
