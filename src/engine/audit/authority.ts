import type { Change, ChangeType } from '../../domain/change.ts'
import { TIER_OF_LABEL, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand, type Label, labelName } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy, PolicyNumbers } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type ChangeCaller, hasAuthority, isPersonsWord, mayChange } from '../../fold/authority.ts'
import { strengthAt } from '../../fold/effective.ts'
import type { Family } from '../../gate/cascade.ts'
import { tagsOf } from '../../gate/commands/change.ts'
import { independentAnchors } from '../../gate/evidence.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { pseudonymOf } from '../../ledger/ledger.ts'
import { type Due, found, type Progress } from './progress.ts'

interface Counted {
  readonly memory: MemoryState
  readonly change: Extract<Change, { evidence: unknown }>
  readonly entry: Entry
  readonly policy: Policy
  readonly anchors: readonly Ref[]
  /** True if the verification used up the evidence. */
  readonly spends: boolean
}

/**
 * True if the first-hand captures named by an entry follow from its evidence. The verifier is a
 * pseudonym: a capture whose actor has lost the key may or may not count.
 */
export function areAnchors(progress: Progress, counted: Counted): boolean {
  const { memory, change, entry, policy, anchors, spends } = counted
  const known = { policy, memory: (ref: Ref) => progress.memories.get(ref) }
  const anchorsUnless = (isOwn: (memory: MemoryState) => boolean) =>
    independentAnchors(memory, change.evidence, { known, isOwn, spends })
  const possible = anchorsUnless((each) => speaks(progress, each.sourceId, entry) === 'yes')
  const sure = new Set(anchorsUnless((each) => speaks(progress, each.sourceId, entry) !== 'no'))
  const told = new Set(anchors)
  return possible.filter((ref) => told.has(ref)).join() === anchors.join() && isWithin(sure, told)
}

const isWithin = (part: ReadonlySet<Ref>, whole: ReadonlySet<Ref>): boolean =>
  [...part].every((ref) => whole.has(ref))

/** Matches an entry with an actor, as far as the remaining keys can tell. */
function speaks(progress: Progress, actor: string, entry: Entry): 'yes' | 'no' | 'nobody_knows' {
  const key = progress.keys.get(actor)
  if (key === undefined || entry.seq < key.since) return 'nobody_knows'
  const name = pseudonymIn(progress, actor, key.key)
  return name === entry.actor ? 'yes' : 'no'
}

export function pseudonymIn({ sha256, pseudonyms }: Progress, actor: string, key: string) {
  let name = pseudonyms.get(actor)
  if (name === undefined) {
    name = pseudonymOf(sha256, key, actor)
    pseudonyms.set(actor, name)
  }
  return name
}

/** One change of one memory, as recorded in an entry. */
interface ChangeTold {
  readonly progress: Progress
  readonly entry: Entry & { readonly label: Label }
  readonly policy: Policy
  readonly memory: MemoryState
  readonly change: Change
  readonly overruled?: readonly MemoryState[]
}

/** Ledgers under an older policy were written when the label alone decided about changes. */
export const knowsAuthority = ({ numbers }: Policy): boolean =>
  (numbers as Partial<PolicyNumbers>).proposalsPerActorMax !== undefined

/** True if the caller of an entry had the right to the recorded change. */
export function mayHaveChanged(told: ChangeTold): boolean {
  const { entry, policy, memory, change } = told
  if (!knowsAuthority(policy)) return !wasOverreach(entry, change, memory)
  return mayChange(callerIn(told, 'perhaps'), memory, change, factsIn(told))
}

/** True if the caller of an entry had to propose the recorded change. */
export function mayHaveProposed(told: ChangeTold): boolean {
  const { entry, policy, memory, change } = told
  const hadTo = !mayChange(callerIn(told, 'surely'), memory, change, factsIn(told))
  return hadTo || (!knowsAuthority(policy) && wasOverreach(entry, change, memory))
}

const factsIn = ({ memory, policy, entry, overruled = [] }: ChangeTold) => ({
  overruled,
  isDormant: strengthAt(memory, policy, entry.time) < policy.numbers.strengthDormantBelow,
})

/** Checks the recorded use of evidence, as far as the caller of the entry is known. */
export function mayHaveSpent(told: Omit<ChangeTold, 'change'>, spends: boolean): boolean {
  if (!knowsAuthority(told.policy)) return true
  return spends
    ? hasAuthority(callerIn(told, 'perhaps'), told.memory)
    : !hasAuthority(callerIn(told, 'surely'), told.memory)
}

/** True if the caller of an entry may answer review items. */
export function mayHaveAnswered(told: Omit<ChangeTold, 'change'>): boolean {
  if (!isFirstHand(told.entry.label)) return false
  const caller = callerIn(told, 'perhaps')
  return !knowsAuthority(told.policy) || caller.actsForOthers || hasAuthority(caller, told.memory)
}

/** The actor of an entry is a pseudonym: without the key its owner is unknown. */
function callerIn(
  { progress, entry }: Pick<ChangeTold, 'progress' | 'entry'>,
  certainty: 'surely' | 'perhaps',
): ChangeCaller {
  const label = labelName(entry.label)
  const tier = callerTier(entry)
  return {
    label,
    tier,
    keepsHouse: entry.door === 'lib' && isFirstHand(label),
    actsForOthers: HOSTS.has(entry.door) || isPersonsWord(label, tier),
    owns: ({ sourceId }) => {
      const answer = speaks(progress, sourceId, entry)
      return answer === 'yes' || (answer === 'nobody_knows' && certainty === 'perhaps')
    },
  }
}

/** Doors of a host, or of a person who hands over a file. */
const HOSTS: ReadonlySet<Entry['door']> = new Set(['lib', 'import'])

const callerTier = ({ tier, label }: ChangeTold['entry']): Tier =>
  tier ?? TIER_OF_LABEL[labelName(label)]

/** True if the author of a revision may have had the right to revise. */
export function mayHaveRevised(
  progress: Progress,
  entry: ChangeTold['entry'],
  { memory, policy }: Pick<ChangeTold, 'memory' | 'policy'>,
): boolean {
  if (!knowsAuthority(policy)) return true
  // The tier of a revision is the tier of its words, which sources may lower below the author's.
  const caller = callerIn({ progress, entry: { ...entry, tier: null } }, 'perhaps')
  return mayChange(caller, memory, { type: 'revise' })
}

const TOOK: ReadonlySet<ChangeType> = new Set([
  'forget',
  'weaken',
  'describe',
  'deactivate',
  'clear',
  'recover',
  'process',
  'end',
  'retract',
])

const DECIDED: ReadonlySet<ChangeType> = new Set(['reopen', 'adjudicate', 'overrule'])

function wasOverreach(
  { label, tier }: ChangeTold['entry'],
  change: Change,
  memory: MemoryState,
): boolean {
  if (isFirstHand(label)) return false
  if (DECIDED.has(change.type)) return true
  const words = tagsOf(change) === null ? null : (tier ?? TIER_OF_LABEL[labelName(label)])
  if (words !== null && words < memory.tier) return true
  if (!isFirstHand(memory.label)) return false
  return change.type === 'protect' ? !change.on : TOOK.has(change.type)
}

/** Compares the entry with the next due entry; no other entry may come between. */
export function takeDue(progress: Progress, entry: Entry): 'was_due' | 'nothing_due' | 'other' {
  const [due, ...later] = progress.due
  if (due === undefined) return 'nothing_due'
  progress.due = later
  if (isDue(due, entry, progress.hollow)) return 'was_due'
  // The change of an erased memory is unknown, so its entry may be missing.
  if (progress.hollow.has(due.ref) && due.op === 'memory.strengthened') {
    return takeDue(progress, entry)
  }
  progress.due = []
  const detail = `${due.op} of ${due.ref} should follow from entry ${due.lead.seq}`
  found(progress, 'entry.operation', { seq: entry.seq, ref: entry.ref, detail })
  return 'other'
}

const isDue = ({ op, ref, facts, lead }: Due, entry: Entry, hollow: ReadonlySet<Ref>): boolean =>
  entry.op === op &&
  entry.decision.rule === null &&
  entry.ref === ref &&
  (hollow.has(ref) || canonicalize(entry.decision.facts) === canonicalize(facts)) &&
  entry.unit === lead.unit &&
  entry.actor === lead.actor &&
  entry.door === lead.door &&
  entry.time === lead.time &&
  canonicalize(entry.label) === canonicalize(lead.label)

/** A ledger must not end before all due entries are recorded. */
export function checkNothingDue(progress: Progress, head: number): void {
  const { last, memories } = progress
  const made = last?.entry.ref ? memories.get(last.entry.ref) : undefined
  if (last?.entry.op === 'memory.saved' && made?.captured) {
    const detail = 'the memory that it was captured for is missing'
    found(progress, 'entry.operation', { seq: head, ref: made.ref, detail })
  }
  const due = progress.due.find(
    ({ ref, op }) => !(op === 'memory.strengthened' && progress.hollow.has(ref)),
  )
  if (due === undefined) return
  const detail = `${due.op} of ${due.ref} is missing: the entry ${due.lead.seq} asks for it`
  found(progress, 'entry.operation', { seq: head, ref: due.ref, detail })
}

/** The relatives of a memory among the entries so far. */
export const familyIn = (progress: Progress, policy: Policy): Family => ({
  policy,
  memory: (ref) => progress.memories.get(ref),
  childrenOf: (ref) => childrenIn(progress, ref).slice(0, LIMITS.cascadeFlagsMax + 1),
})

/** Builds the index of children on first use: most ledgers never need the index. */
export function childrenIn(progress: Progress, ref: Ref): readonly MemoryState[] {
  if (progress.children === null) {
    progress.children = new Map()
    for (const memory of progress.memories.values()) noteChild(progress, memory)
  }
  return [...(progress.children.get(ref) ?? [])]
    .flatMap((child) => progress.memories.get(child) ?? [])
    .filter(({ parents }) => parents.includes(ref)) // a revision may have changed the parents
    .sort((a, b) => a.seq - b.seq)
}

export function noteChild({ children }: Progress, { ref, parents }: MemoryState): void {
  if (children === null) return
  for (const parent of parents) children.set(parent, (children.get(parent) ?? new Set()).add(ref))
}
