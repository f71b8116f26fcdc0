import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { alone, drawParents, intentOf, refOf, refsOf } from './intents.ts'
import { type Act, callerAt, type Intent, type Sim } from './sim.ts'
import { actorName, CANARY, sentence } from './words.ts'

/** Captures events, draws conclusions, and repeats facts that still hold. */
export function honest(sim: Sim): Act {
  switch (sim.dice.roll(6)) {
    case 0:
      return alone(capture(sim))
    case 1:
      return story(sim)
    case 2:
      return alone(told(sim))
    case 3:
      return alone(claimed(sim))
    case 4:
      return alone(concluded(sim))
    default:
      return alone(sim.dice.isLucky(0.5) ? planned(sim) : changedPlan(sim))
  }
}

const hook = () => callerAt('hook', { person: true })

export const capture = (sim: Sim): Intent =>
  intentOf(sim, {
    agent: actorName(sim.dice, 'hook'),
    kind: 'raw',
    body: { content: sentence(sim.dice) },
    label: sim.dice.pick(['UserAsserted', 'ExternalFirstHand']),
    caller: hook(),
  })

/** Raw, episode and belief at once: each cites the previous by an id chosen beforehand. */
function story(sim: Sim): Act {
  const agent = actorName(sim.dice, 'agent')
  const raw = capture(sim)
  const episode = intentOf(sim, {
    agent,
    kind: 'episode',
    body: { objective: sentence(sim.dice), outcome: sentence(sim.dice), lessons: [CANARY] },
    label: 'ExternalFirstHand',
    caller: callerAt('lib'),
    parents: [refOf(raw)],
  })
  const belief = intentOf(sim, {
    agent,
    kind: 'belief',
    body: { statement: sentence(sim.dice) },
    label: 'ModelDerived',
    caller: callerAt('lib'),
    parents: [refOf(episode)],
  })
  const together = sim.dice.pick(['as_group', 'in_turn'] as const)
  return { type: 'writes', intents: [raw, episode, belief], together }
}

/** A note with its words captured as a raw; drawn from few sentences, so that some repeat. */
const told = (sim: Sim): Intent => {
  const content = sentence(sim.dice)
  return intentOf(sim, {
    agent: actorName(sim.dice, 'agent'),
    kind: 'note',
    body: { content, tags: [`${CANARY}-tag`] },
    label: 'ExternalFirstHand',
    caller: callerAt('lib'),
    captures: [{ kind: 'raw', body: { content } }],
  })
}

const claimed = (sim: Sim): Intent => {
  const { dice } = sim
  const content = sentence(dice)
  return intentOf(sim, {
    agent: actorName(dice, 'person'),
    kind: 'claim',
    body: {
      subject: `${CANARY} ${dice.roll(3)}`,
      predicate: 'likes',
      value: dice.pick<JsonValue>([1, 'tea', { of: [CANARY] }, null]),
    },
    label: 'UserAsserted',
    caller: callerAt(dice.pick(['lib', 'cli', 'explorer']), { person: true }),
    captures: [{ kind: 'raw', body: { content } }],
  })
}

const concluded = (sim: Sim): Intent =>
  intentOf(sim, {
    agent: actorName(sim.dice, 'agent'),
    kind: 'belief',
    body: { statement: sentence(sim.dice) },
    label: 'ModelDerived',
    caller: callerAt(sim.dice.pick(['lib', 'mcp'])),
    parents: refsOf(drawParents(sim, ['episode', 'note', 'claim'])),
  })

const planned = (sim: Sim): Intent =>
  intentOf(sim, {
    agent: actorName(sim.dice, 'agent'),
    kind: 'goal',
    body: { title: sentence(sim.dice) },
    label: 'ModelDerived',
    caller: callerAt('lib'),
    parents: refsOf(drawParents(sim, ['episode', 'belief'])),
  })

/** A revision with its own provenance changes a goal's status. */
function changedPlan(sim: Sim): Intent {
  const goal = sim.dice.pickAny(drawParents(sim, ['goal']))
  if (!goal) return planned(sim)
  return intentOf(sim, {
    agent: goal.sourceId,
    kind: 'goal',
    body: { title: sentence(sim.dice), status: sim.dice.pick(['active', 'completed', 'paused']) },
    label: 'ModelDerived',
    caller: callerAt('lib'),
    parents: refsOf(drawParents(sim, ['episode', 'belief'])),
    revises: goal,
  })
}
