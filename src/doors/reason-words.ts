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
