import { cardinalityOf, isLineClaim, rivalsOf } from '../../fold/line-claims.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Moment, Uses } from '../engine.ts'

/**
 * Claims that are believed and give another value for the same time, of whatever tier. A lower tier
 * contests nothing, so that the standing of a claim alone would not show who disagrees.
 */
export async function disagreeingWith(
  { read }: Pick<Uses, 'read'>,
  { state }: Pick<StoredMemory, 'state'>,
  { policy }: Pick<Moment, 'policy'>,
): Promise<readonly StoredMemory[]> {
  if (state.line === null || !isLineClaim(state)) return []
  const { claims } = await read({ type: 'line', line: state.line, which: 'standing', at: null })
  const line = claims.map((claim) => claim.state).filter(isLineClaim)
  if (cardinalityOf(line) === 'SetValued') return []
  const rivals = rivalsOf(state, line, policy)
  const found = await Promise.all(rivals.map(({ ref }) => read({ type: 'memory', ref })))
  return found.filter((stored) => stored !== null)
}
