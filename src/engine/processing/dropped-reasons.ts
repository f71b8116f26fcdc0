/** Reasons to drop a draft. The list is closed, so that each reason can be counted. */
export const DROPPED_REASONS = [
  'not_of_its_kind',
  'unknown_source',
  'quote_not_found',
  'quote_too_short',
  'too_few_sources',
  'not_protected',
  'too_unsure',
  'hedge_dropped',
  'negation_dropped',
  'negation_added',
  'reads_like_instruction',
  'unseen_characters',
  'invented_particular',
  'not_in_sources',
  'already_known',
] as const

export type DroppedReason = (typeof DROPPED_REASONS)[number]
