/**
 * The gate's decision on a write, or a later entry's change of the decision.
 * @example console.log(DISPOSITIONS.includes('Contested'))
 */
export const DISPOSITIONS = [
  'CommittedCheap',
  'CommittedInferred',
  'Corroborated',
  'Quarantined',
  'Rejected',
  'Contested',
  'QueuedForAdjudication',
  'PendingConflict',
  'PendingLowConfidence',
  'PendingReview',
  'Superseded',
  'Invalidated',
  'Reinstated',
  'Distrusted',
] as const

/** The gate's decision about a memory. */
export type Disposition = (typeof DISPOSITIONS)[number]

/** Dispositions of memories that ground no other memory: set aside or retracted. */
export const GROUNDLESS = [
  'Quarantined',
  'Rejected',
  'Invalidated',
  'Distrusted',
] as const satisfies readonly Disposition[]

/** Rules of the gate in the order of use; the first rule to answer decides. */
export const RULE_NAMES = [
  'state',
  'shape',
  'origin',
  'lineage',
  'tombstone',
  'burst',
  'authority',
  'restate',
  'echo',
  'coherence',
  'lint',
  'distrust',
  'conflict',
  'admit',
] as const

export const CHANGE_RULE_NAMES = ['state', 'shape', 'origin', 'authority', 'admit'] as const

/** A rule of the gate. */
export type RuleName = (typeof RULE_NAMES)[number] | (typeof CHANGE_RULE_NAMES)[number]

export const LIFECYCLE_STATES = ['INITIALIZING', 'ACTIVE', 'MAINTENANCE'] as const
/** The state of a stack. */
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]

/**
 * Steps from first experience to higher kinds of memory, in the order of processing.
 * @example console.log(TRANSITION_NAMES.length)
 */
export const TRANSITION_NAMES = [
  'raw_to_episode',
  'raw_to_note',
  'episode_to_belief',
  'episode_to_goal',
  'episode_to_relationship',
  'belief_to_value',
  'episode_to_drive',
] as const

/** A change of the lifecycle. */
export type TransitionName = (typeof TRANSITION_NAMES)[number]

/** Results of deciding an old decision again. */
export const REPLAY_CODES = [
  'decision.same', // every entry, byte for byte
  'decision.differs',
  'content.erased', // an input of the decision was erased
  'input.unrecorded', // an input of the decision was never recorded whole
] as const

export type ReplayCode = (typeof REPLAY_CODES)[number]
