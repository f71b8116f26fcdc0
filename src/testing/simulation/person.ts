import { DERIVED_CHOICES } from '../../domain/erasure.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { DistrustWhat } from '../../engine/distrust/distrust.ts'
import { alone, drawParents, intentOf, refsOf } from './intents.ts'
import { type Act, callerAt, type Sim } from './sim.ts'
import { CANARY, sentence } from './words.ts'

const DOUBTING = 4 // a quarter of the histories have a person who distrusts
const AGENT = `${CANARY}-person-0`

/** Reviews the queue, runs maintenance, and sometimes makes a statement. */
export function person(sim: Sim): Act {
  const { dice, known } = sim
  // Most histories have no distrust, so that agents also build on each other's words.
  const doubts = sim.seed % DOUBTING === 0
  const quarantined = dice.pickAny(
    known.memories.filter(({ disposition }) => disposition === 'Quarantined'),
  )
  if (quarantined && dice.isLucky(0.5)) {
    const type = doubts && dice.isLucky(0.4) ? 'release' : 'reject'
    return { type, ref: quarantined.ref, caller: callerAt('explorer', { person: true }) }
  }
  const unwanted = dice.pickAny(known.memories.filter(({ erased }) => erased === null))
  if (unwanted && dice.isLucky(0.12)) {
    return { type: 'erase', ref: unwanted.ref, derived: dice.pick(DERIVED_CHOICES) }
  }
  const isDoubting = known.memories.some(({ distrust }) => distrust !== null)
  const isDue = doubts && unwanted !== undefined && known.stack.state === 'ACTIVE'
  if (isDue && dice.isLucky(isDoubting ? 0.6 : 0.3)) {
    return doubt(sim, unwanted)
  }
  if (known.stack.state === 'MAINTENANCE') return { type: 'state', to: 'ACTIVE' }
  if (dice.isLucky(0.2)) return { type: 'state', to: 'MAINTENANCE' }
  if (dice.isLucky(0.15)) return { type: 'policy', quarantineBurstThreshold: 3 + dice.roll(8) }
  return alone(
    intentOf(sim, {
      agent: AGENT,
      kind: 'note',
      body: { content: sentence(dice) },
      label: 'UserAsserted',
      caller: callerAt(dice.pick(['cli', 'explorer', 'hook']), { person: true }),
      parents: refsOf(drawParents(sim, ['raw'], 1)),
    }),
  )
}

/** Distrusts a source, or trusts again a distrusted source; repeats would teach nothing. */
function doubt({ dice, known }: Sim, memory: MemoryState): Act {
  const fallen = known.memories.find(({ distrust }) => distrust !== null)
  const { ref, sourceId, door, session } = fallen ?? memory
  const what = dice.pick<DistrustWhat>([
    ref,
    { actor: sourceId },
    { door },
    ...(session === null ? [] : [{ session }]),
  ])
  return { type: fallen ? 'trust' : 'distrust', what }
}

/** Imports another stack's memories, under the grant of its origin. */
export function importer(sim: Sim): Act {
  const { dice } = sim
  const grant = dice.pick([
    { UserAsserted: 1, ExternalFirstHand: 0 },
    { UserAsserted: 3, ExternalFirstHand: 2 },
  ] as const)
  return alone(
    intentOf(sim, {
      agent: `${CANARY}-importer`,
      kind: 'raw',
      body: { content: sentence(dice) },
      label: dice.pick(['UserAsserted', 'ExternalFirstHand']),
      caller: callerAt(dice.pick(['import', 'sync', 'http']), { grant }),
      more: { sourceType: 'external' },
    }),
  )
}

/** The seeds of a stack before its life: beliefs without a source. */
export function seeder(sim: Sim): Act {
  return alone(
    intentOf(sim, {
      agent: `${CANARY}-seeder`,
      kind: 'belief',
      body: { statement: sentence(sim.dice) },
      label: 'ExternalFirstHand',
      caller: callerAt('lib'),
      more: { sourceType: 'seed' },
    }),
  )
}
