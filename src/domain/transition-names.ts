/** Steps from first experience to higher kinds of memory, in the order of processing. */
export const TRANSITION_NAMES = [
  'raw_to_episode',
  'raw_to_note',
  'episode_to_belief',
  'episode_to_goal',
  'episode_to_relationship',
  'belief_to_value',
  'episode_to_drive',
] as const

export type TransitionName = (typeof TRANSITION_NAMES)[number]
