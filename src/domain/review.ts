import type { MemoryState, ReviewKind } from './state.ts'

type Waiting = Pick<MemoryState, 'kind' | 'facets' | 'disposition' | 'flags' | 'claim'>

/** The reason why a memory waits, or null. The queue is an index over this function, not a list. */
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
      // A contest answered by "unknown" is not asked again.
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
