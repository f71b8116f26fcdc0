import type { Hash, Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type ClaimStatus, foldLine, statusIn } from '../../fold/fold-line.ts'
import { isLineClaim } from '../../fold/line-claims.ts'
import type { Engine } from '../engine.ts'
import type { AsOf } from '../read/as-of.ts'
import { lineFor, lineThen } from './answer.ts'

/** Statuses that reads show; the other statuses answer nothing today. */
const SHOWN: ReadonlySet<ClaimStatus> = new Set(['held', 'contested', 'beside', 'planned'])

export const isShownAs = (status: ClaimStatus | undefined): boolean =>
  status === undefined || SHOWN.has(status)

/** The status of each claim in its timeline, now or as of an entry; folds each timeline once. */
export async function standingOf(
  engine: Engine,
  claims: readonly Pick<MemoryState, 'ref' | 'line'>[],
  asOf?: AsOf,
): Promise<ReadonlyMap<Ref, ClaimStatus>> {
  const found = new Map<Ref, ClaimStatus>()
  const lines = new Set<Hash>(claims.flatMap(({ line }) => line ?? []))
  for (const line of lines) {
    const {
      claims: rows,
      policy,
      now,
      cardinality,
      erased,
    } = await (asOf === undefined ? lineFor(engine, line) : lineThen(engine, line, asOf))
    const states = rows.map(({ state }) => state).filter(isLineClaim)
    const kind = cardinality === undefined ? {} : { cardinality }
    const fold = foldLine(states, { policy, now, validAt: now, erased, ...kind })
    const statusOf = statusIn(fold, { policy, now })
    for (const claim of states) found.set(claim.ref, statusOf(claim))
  }
  // A partial read omits only replaced and ended claims.
  for (const { ref, line } of claims)
    if (line !== null && !found.has(ref)) found.set(ref, 'replaced')
  return found
}
