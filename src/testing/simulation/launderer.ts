import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { alone, bodyOf, drawParents, intentOf, refsOf } from './intents.ts'
import { type Act, callerAt, type Intent, type Sim } from './sim.ts'
import { CANARY, disguised, sentence } from './words.ts'

const AGENT = `${CANARY}-launderer`

/** Tries to pass its guesses as knowledge, one derivation at a time. */
export function launderer(sim: Sim): Act {
  switch (sim.dice.roll(4)) {
    case 0:
      return alone(deeper(sim))
    case 1:
      return alone(reentered(sim))
    case 2:
      return alone(mixed(sim))
    default:
      return alone(dressedUp(sim))
  }
}

const claimBody = (sim: Sim): BodyInputOf<'claim'> => ({
  subject: `${CANARY} ${sim.dice.roll(3)}`,
  predicate: 'likes',
  value: sentence(sim.dice),
})

/** A claim made from its own last claim, so chains grow deep. */
function deeper(sim: Sim): Intent {
  const own = sim.known.memories.filter(
    ({ sourceId, kind, disposition }) =>
      sourceId === AGENT &&
      kind === 'claim' &&
      disposition !== 'Quarantined' &&
      disposition !== 'Distrusted',
  )
  const last = own.at(-1)
  return intentOf(sim, {
    agent: AGENT,
    kind: 'claim',
    body: claimBody(sim),
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: last ? [last.ref] : refsOf(drawParents(sim, ['raw'], 1)),
  })
}

/** Repeats a memory of the stack as a declared echo, in equal or other words. */
function reentered(sim: Sim): Intent {
  const known = sim.dice.pickAny(sim.known.memories.filter(({ kind }) => kind === 'note'))
  const said = known ? String(bodyOf(sim, known).content) : sentence(sim.dice)
  return intentOf(sim, {
    agent: AGENT,
    kind: 'note',
    body: { content: sim.dice.isLucky(0.6) ? disguised(said, sim.dice) : sentence(sim.dice) },
    label: 'RecallReEntry',
    caller: callerAt(sim.dice.pick(['mcp', 'lib'])),
    parents: refsOf(drawParents(sim, ['raw'], 1)),
  })
}

/** One first-hand parent among its own guesses, so that the nearest anchor looks near. */
function mixed(sim: Sim): Intent {
  const parents = [...drawParents(sim, ['raw'], 1), ...drawParents(sim, ['claim'], 2)]
  return intentOf(sim, {
    agent: AGENT,
    kind: 'claim',
    body: claimBody(sim),
    label: 'ModelDerived',
    caller: callerAt('mcp', { person: true }),
    parents: refsOf(parents),
    more: { sourceType: 'consolidation', trustTier: 3 },
  })
}

/** A belief presented as a person's word through a door that cannot identify persons. */
const dressedUp = (sim: Sim): Intent =>
  intentOf(sim, {
    agent: AGENT,
    kind: 'belief',
    body: { statement: sentence(sim.dice) },
    label: sim.dice.pick(['UserAsserted', 'ExternalFirstHand']),
    caller: callerAt('mcp', { person: true }),
    parents: refsOf(drawParents(sim, ['note', 'claim', 'episode'])),
    mustEnd: { in: 'refusal', rule: 'origin' },
  })
