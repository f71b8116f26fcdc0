/** Results of deciding an old decision again. */
export const REPLAY_CODES = [
  'decision.same', // every entry, byte for byte
  'decision.differs',
  'content.erased', // an input of the decision was erased
  'input.unrecorded', // an input of the decision was never recorded whole
] as const

export type ReplayCode = (typeof REPLAY_CODES)[number]
