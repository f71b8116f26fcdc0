/** The steps from what was met with to what it comes to, in the order in which they are taken. */
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
