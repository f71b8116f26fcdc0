import type { UnchangedReason } from '../domain/change.ts'

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
