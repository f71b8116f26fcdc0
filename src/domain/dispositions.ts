/** The gate's decision on a write, or a later entry's change of the decision. */
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

/** Rules for a change of an existing memory. */
export const CHANGE_RULE_NAMES = ['state', 'shape', 'origin', 'authority', 'admit'] as const

export type RuleName = (typeof RULE_NAMES)[number] | (typeof CHANGE_RULE_NAMES)[number]

export const LIFECYCLE_STATES = ['INITIALIZING', 'ACTIVE', 'MAINTENANCE'] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]
