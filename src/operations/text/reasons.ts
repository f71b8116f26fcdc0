import type { UnchangedReason } from '../../domain/change.ts'

/** Explains unclear codes of the gate in words; the other codes read well as they are. */
const REASONS: Readonly<Record<string, string>> = {
  depth_over_cap: 'a model’s claim against first-hand ones, too far from anything first-hand',
  model_against_first_hand: 'a model’s claim against first-hand ones',
  first_hand_disagreement: 'first-hand claims disagree',
  higher_tier_disagrees: 'a claim of a higher tier says otherwise, and is held',
  revises_without_authority: 'it is not yours to revise',
  confidence_under_floor: 'its confidence is too low to settle anything',
  succession: 'takes the place of one’s own earlier word',
  tombstoned: 'these words were erased or rejected',
  echo_declared: 'said to be recalled',
  echo_exact: 'word for word what was served',
  dates_not_kept: 'its dates are not kept, since recalled words change no claim',
  start_after_end: 'by its own dates it starts after it ends',
  true_before_it_began: 'it is said to hold already, and to begin later',
}

export const reasonWords = (code: string): string => REASONS[code] ?? code.replaceAll('_', ' ')

/** Reasons for an unchanged memory, where the reason is an answer rather than a refusal. */
export const UNCHANGED: Readonly<Record<UnchangedReason, string>> = {
  already_so: 'so it is already; nothing to do.',
  not_forgotten: 'is not forgotten; nothing to do.',
  attested:
    'written down as said; no number moved.\n' +
    '  Evidence counts once, and only where it ends at first-hand words that the memory does not\n' +
    '  rest on, said by somebody else or captured for themselves (raw).',
  proposed: 'put up for review.',
  proposals_full:
    'neither changed nor put up for review: as many of your proposals wait for a person as may\n' +
    '  (proposalsPerActorMax). Propose again once a person has answered some of them.',
  erased: 'was erased.',
  not_found: 'is not there.',
  protected: 'is protected.',
  not_pending: 'is not pending.',
  wrong_kind: 'is of a kind that does not take this.',
  set_aside: 'is forgotten or set aside.',
  not_contested: 'is contested by nobody; nothing to decide.',
  unwitnessed: 'cannot be decided without first-hand evidence, or a person’s word.',
}
