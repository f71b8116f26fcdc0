import type { Change, ChangeType } from '../domain/change.ts'
import type { ClaimState } from '../domain/claims.ts'
import { TIER_OF_LABEL, type Tier } from '../domain/doors.ts'
import { type GuardMark, tierAtBirth } from '../domain/entry.ts'
import { isFirstHand, type LabelName } from '../domain/labels.ts'

/** The caller of a change, as far as the right to change a memory depends on the caller. */
export interface ChangeCaller {
  readonly label: LabelName
  /** The lowest of what door, label, grant, assessment and context allow the caller. */
  readonly tier: Tier
  /** A person at a door that can tell a person, or the host process itself. */
  readonly actsForOthers: boolean
  /** A claim that quotes first-hand words, as far as the caller is a claim. */
  readonly quotes?: boolean
  /** The stack itself, which forgets dormant memories because the policy says so. */
  readonly keepsHouse: boolean
  readonly owns: (memory: GuardedMemory) => boolean
}

/** The part of a memory that decides who may change the memory. */
export interface GuardedMemory {
  readonly label: LabelName
  readonly sourceId: string
  readonly tier: Tier
  /** Claims of a line come without it: an answer goes by the tier that a claim has now. */
  readonly guard?: GuardMark | null
}

/** A change of a memory, or a new memory that would take from an older one. */
export type GuardedChange =
  | Change
  /** New fields or words for the memory. */
  | { readonly type: 'revise' }
  /** A later claim of the same voice takes the place of the claim. */
  | { readonly type: 'succeed' }
  /** Another claim makes the answer contested. */
  | { readonly type: 'contest' }

/** Facts outside the memory on which the right to a change depends. */
export interface ChangeFacts {
  /** Claims that a verdict would put aside. */
  readonly overruled?: readonly GuardedMemory[]
  /** The memory has faded below the dormant mark of the policy. */
  readonly isDormant?: boolean
}

/** Changes that take from a memory, add to the memory, or decide about the memory. */
const GUARDED: ReadonlySet<GuardedChange['type']> = new Set([
  'forget',
  'recover',
  'protect',
  'weaken',
  'describe',
  'verify',
  'reinforce',
  'process',
  'deactivate',
  'end',
  'retract',
  'reopen',
  'recast',
  'adjudicate',
  'overrule',
  'revise',
  'succeed',
  'contest',
] satisfies readonly GuardedChange['type'][])

/** Decisions that a model only proposes, whoever said the memory. */
const DECIDES: ReadonlySet<GuardedChange['type']> = new Set<ChangeType>([
  'reopen',
  'adjudicate',
  'overrule',
])

const COUNTS_FROM: Tier = 1 // lowest tier whose verification counts without authority

/**
 * Rule 5 of the firewall. A model has no authority over a first-hand memory. Every caller needs the
 * tier that the memory was born with, and another actor's memory needs a person or the host.
 */
export function hasAuthority(caller: ChangeCaller, memory: GuardedMemory): boolean {
  if (!isFirstHand(caller.label) && isFirstHand(memory.label)) return false
  const needed = tierAtBirth({ guard: null, ...memory })
  return caller.tier >= needed && (caller.owns(memory) || caller.actsForOthers)
}

/** Without the right to a change a caller only proposes the change, and a person decides. */
export function mayChange(
  caller: ChangeCaller,
  memory: GuardedMemory,
  change: GuardedChange,
  { overruled = [], isDormant = false }: ChangeFacts = {},
): boolean {
  const { type } = change
  if (!GUARDED.has(type)) return true
  const isModel = !isFirstHand(caller.label)
  if (isModel && DECIDES.has(type)) return false
  if (type === 'verify' || type === 'reinforce') {
    return caller.tier >= COUNTS_FROM || hasAuthority(caller, memory)
  }
  if (type === 'contest') return mayContest(caller, memory)
  if (type === 'forget' && isDormant && caller.keepsHouse) return true
  // Marking a capture as processed takes nothing from its words, so the host may at any tier.
  if (type === 'process' && caller.actsForOthers) return !isModel || !isFirstHand(memory.label)
  // Tags are read with the memory, and must not borrow a tier that evidence gave the memory.
  if (type === 'describe' && change.tags !== null && caller.tier < memory.tier) return false
  return [memory, ...overruled].every((each) => hasAuthority(caller, each))
}

/**
 * Two voices of one tier contest each other, and neither needs to own the claim of the other. A model
 * contests a first-hand claim only by a quote, and every first-hand claim may contest a model's.
 */
function mayContest(caller: ChangeCaller, memory: GuardedMemory): boolean {
  const isSaid = isFirstHand(memory.label)
  if (isFirstHand(caller.label) && !isSaid) return true
  const mayStandUp = isFirstHand(caller.label) || caller.quotes === true || !isSaid
  return mayStandUp && caller.tier >= memory.tier
}

/** Under any other label, or at a lower tier, a person does not speak as a person. */
export const isPersonsWord = (label: LabelName, tier: Tier): boolean =>
  label === 'UserAsserted' && tier === TIER_OF_LABEL.UserAsserted

interface ClaimVoice extends GuardedMemory {
  readonly claim: Pick<ClaimState, 'quotes'>
}

/** A claim as the caller of the changes that its words would make to other claims. */
export const voiceOfClaim = ({ label, sourceId, tier, claim }: ClaimVoice): ChangeCaller => ({
  label,
  tier,
  quotes: claim.quotes !== undefined,
  actsForOthers: false,
  keepsHouse: false,
  owns: (memory) => memory.sourceId === sourceId && memory.label === label,
})
