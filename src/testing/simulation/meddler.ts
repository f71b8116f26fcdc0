import type { Change } from '../../domain/change.ts'
import { isFirstHand, type LabelName } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Act, callerAt, type Doing, type Sim } from './sim.ts'
import { CANARY, sentence } from './words.ts'

const AGENT = `${CANARY}-meddler`

const asModel = (sim: Sim) =>
  ({
    agent: AGENT,
    label: sim.dice.pick<LabelName>(['ModelDerived', 'ModelDerived', 'RecallReEntry']),
    caller: callerAt(sim.dice.pick(['mcp', 'lib'])),
  }) as const

const isAside = ({ disposition }: MemoryState): boolean =>
  ['Quarantined', 'Rejected', 'Superseded', 'Invalidated', 'Distrusted'].includes(disposition)

/** A model that tries to weaken others' memories, raise its own, and verify its own echoes. */
export function meddler(sim: Sim): Act {
  const memory = sim.dice.pickAny(sim.known.memories)
  const meddle = sim.dice.pick([taking, raising, echoing, lyingAbout])
  const doing = memory && meddle(sim, memory)
  return doing ? { type: 'change', doing } : { type: 'clock', minutes: 60 * 24 * 40 }
}

/** Weakening its own kind succeeds; weakening others only makes a proposal. */
function taking(sim: Sim, memory: MemoryState): Doing {
  const { dice } = sim
  const changes: readonly [Change, ...Change[]] = [
    { type: 'forget' },
    { type: 'weaken', amount: 1 },
    { type: 'protect', on: false },
    { type: 'describe', confidence: 0, tags: [`${CANARY}-worthless`] },
    { type: 'deactivate' },
  ]
  const base = { ...asModel(sim), ref: memory.ref }
  const isOthers = isFirstHand(memory.label)
  if (isOthers && memory.kind === 'belief' && !isAside(memory) && dice.isLucky(0.3)) {
    const deed = { type: 'supersede', statement: sentence(dice) } as const
    return { ...base, deed, mustEnd: 'refused' }
  }
  const deed = { type: 'change', change: dice.pick(changes) } as const
  return isOthers ? { ...base, deed, mustEnd: 'proposed' } : { ...base, deed }
}

/** Raises confidence in its own statement on its own word. */
function raising(sim: Sim, memory: MemoryState): Doing {
  const change = { type: 'describe', confidence: 1, tags: null } as const
  const base = { ...asModel(sim), ref: memory.ref, deed: { type: 'change', change } } as const
  if (isFirstHand(memory.label)) return { ...base, mustEnd: 'proposed' }
  return memory.confidence.value < 1 ? { ...base, mustEnd: 'attested' } : base
}

/** Verifies a memory by the memory itself and its parents. */
function echoing(sim: Sim, memory: MemoryState): Doing {
  const evidence = [memory.ref, ...memory.parents]
  const type = sim.dice.pick(['verify', 'reinforce'] as const)
  const deed = { type: 'change', change: { type, evidence } } as const
  const mustEnd = isAside(memory) ? 'set_aside' : 'attested'
  return { ...asModel(sim), ref: memory.ref, deed, mustEnd }
}

/** Claims another identity, or uses a taken name. */
function lyingAbout(sim: Sim, { ref }: MemoryState): Doing {
  const { dice } = sim
  const base = { agent: AGENT, ref, caller: callerAt('mcp') }
  const change = (of: Change) => ({ type: 'change', change: of }) as const
  const hostile = {
    type: 'annotate',
    by: dice.pick(['#tags', '__proto__', CANARY.toUpperCase()]),
    fields: {},
  } as const
  return dice.pick<Doing>([
    { ...base, deed: change({ type: 'forget' }), label: 'UserAsserted', mustEnd: 'scope' },
    { ...base, deed: change({ type: 'access' }), label: 'ExternalFirstHand', mustEnd: 'scope' },
    { ...base, deed: change({ type: 'clear' }), label: 'ModelDerived', mustEnd: 'scope' },
    { ...base, deed: change(hostile), label: 'ModelDerived', mustEnd: 'invalid_input' },
  ])
}
