/** The gate's word on one write, and what later entries may say about it. */
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

/** Words under which a memory is no ground for another: set aside, or taken back. */
export const GROUNDLESS = [
  'Quarantined',
  'Rejected',
  'Invalidated',
  'Distrusted',
] as const satisfies readonly Disposition[]

/** The rules of the gate in the order in which they are asked; the first to answer signs. */
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

/** What a change of a memory that exists is asked. */
export const CHANGE_RULE_NAMES = ['state', 'shape', 'origin', 'authority', 'admit'] as const

export type RuleName = (typeof RULE_NAMES)[number] | (typeof CHANGE_RULE_NAMES)[number]

export const LIFECYCLE_STATES = ['INITIALIZING', 'ACTIVE', 'MAINTENANCE'] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]
