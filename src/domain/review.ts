import type { MemoryState, ReviewKind } from './state.ts'

type Waiting = Pick<MemoryState, 'kind' | 'facets' | 'disposition' | 'flags' | 'claim'>

/** What a memory waits for, if it waits; the queue is an index over this, never a list of its own. */
export function reviewOf(state: Waiting): ReviewKind | null {
  const { kind, facets, disposition, flags, claim } = state
  if (kind === 'suggestion') return facets.status === 'pending' ? 'suggestion' : null
  switch (disposition) {
    case 'Quarantined':
      return 'quarantine'
    case 'Contested':
    case 'QueuedForAdjudication':
    case 'PendingConflict':
    case 'PendingReview':
      // Who was asked and does not know is not asked again.
      return claim?.word === 'unknown' ? null : 'contest'
    case 'Rejected':
    case 'Superseded':
    case 'Invalidated':
    case 'Distrusted':
      return null
  }
  if (flags.some(({ code }) => code === 'proposed')) return 'proposal'
  if (flags.some(({ code }) => code === 'contradicts')) return 'contradiction'
  return flags.some(({ code }) => code !== 'dormant') ? 'flagged' : null
}
