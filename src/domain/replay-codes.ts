/** What came of deciding again what was decided once. */
export const REPLAY_CODES = [
  'decision.same', // every entry of it, byte for byte
  'decision.differs',
  'content.erased', // something that it was decided by is gone
  'input.unrecorded', // what it was decided by was never written down whole
] as const

export type ReplayCode = (typeof REPLAY_CODES)[number]
