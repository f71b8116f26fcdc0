import { cardinalityOf, isLineClaim, rivalsOf } from '../../fold/line-claims.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import type { Moment } from '../world.ts'

/**
 * Believed claims of any tier with another value for the same time. A lower tier never contests, so
 * the standing alone would hide the disagreement.
 */
export async function disagreeingWith(
  { read }: Pick<Engine, 'read'>,
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
