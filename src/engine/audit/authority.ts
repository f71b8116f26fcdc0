import type { Change, ChangeType } from '../../domain/change.ts'
import { TIER_OF_LABEL, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { isFirstHand, type Label, labelName } from '../../domain/labels.ts'
import type { Policy, PolicyNumbers } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type ChangeCaller, hasAuthority, isPersonsWord, mayChange } from '../../fold/authority.ts'
import { strengthAt } from '../../fold/effective.ts'
import { tagsOf } from '../../gate/commands/change.ts'
import { speaks } from './anchors.ts'
import type { Progress } from './progress.ts'

/** One change of one memory, as recorded in an entry. */
export interface ChangeTold {
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
