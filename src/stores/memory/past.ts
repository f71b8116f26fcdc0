import type { GatherPast } from '../../ports/past.ts'
import { gatherFrom } from './gather.ts'
import { burstKeyOf, emptyRows } from './rows.ts'

/** Gathers by the code of the reference store, over rows folded up to a past moment. */
export const gatherPast: GatherPast = (past, needs) =>
  gatherFrom(
    {
      ...emptyRows(),
      tip: past.tip,
      stack: past.stack,
      policies: new Map(past.policies),
      memories: new Map(past.memories),
      sealed: new Map(past.sealed.map((row) => [row.seq, row])),
      actorKeys: new Map(past.actorKeys.map((row) => [row.actor, row])),
      bursts: new Map(past.bursts.map((row) => [burstKeyOf(row), row])),
      tombstones: new Map(past.tombstones.map((row) => [row.mark, row])),
    },
    needs,
  )
