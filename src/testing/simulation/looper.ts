import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { alone, bodyOf, drawParents, intentOf, refsOf } from './intents.ts'
import { type Act, callerAt, type Intent, type Sim } from './sim.ts'
import { CANARY, disguised, sentence } from './words.ts'

const AGENT = `${CANARY}-loop`

/** Repeats one statement, singly or many times at once. */
export function looper(sim: Sim): Act {
  const { dice } = sim
  if (dice.isLucky(0.5)) return alone(repeat(sim))
  const first = repeat(sim)
  const times = 2 + dice.roll(12)
  const intents = Array.from({ length: times }, () => ({
    ...first,
    request: { ...first.request, id: sim.ids.next(sim.clock.now()) },
  }))
  return { type: 'writes', intents, together: dice.pick(['as_group', 'in_turn', 'as_batch']) }
}

function repeat(sim: Sim): Intent {
  const { dice } = sim
  const own = sim.known.memories.filter(
    ({ sourceId, kind }) => sourceId === AGENT && kind === 'note',
  )
  const before = dice.pickAny(own)
  const said = before ? String(bodyOf(sim, before).content) : sentence(dice)
  const body: BodyInputOf<'note'> = { content: dice.isLucky(0.5) ? said : disguised(said, dice) }
  const isModel = dice.isLucky(0.7)
  return intentOf(sim, {
    agent: AGENT,
    kind: 'note',
    body,
    label: isModel ? 'ModelDerived' : 'ExternalFirstHand',
    caller: callerAt(isModel ? dice.pick(['mcp', 'http']) : 'lib'),
    parents: refsOf(drawParents(sim, ['raw'], 1)),
  })
}
