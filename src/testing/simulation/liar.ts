import { type Hash, toRef } from '../../domain/ids.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { alone, drawParents, intentOf, refsOf, type Saying } from './intents.ts'
import { type Act, callerAt, type Intent, type Sim } from './sim.ts'
import { CANARY, sentence } from './words.ts'

const AGENT = `${CANARY}-liar`
const FORGED = 'f'.repeat(64) as Hash // shaped like a hash

/** Tries every lie that might be saved. Each lie names its required end. */
export function liar(sim: Sim): Act {
  const lie = sim.dice.pick(LIES)
  return alone(lie(sim))
}

type Note = Omit<Saying<'note'>, 'agent' | 'kind' | 'body' | 'label' | 'caller' | 'parents'>

/** A note that would pass without the given defect. */
const note = (sim: Sim, but: Partial<Note> & { readonly more?: Partial<RoutedPayload> }): Intent =>
  intentOf(sim, {
    agent: AGENT,
    kind: 'note',
    body: { content: sentence(sim.dice) },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: refsOf(drawParents(sim, ['raw'], 1)),
    ...but,
  })

const invalid = { in: 'error', codes: ['invalid_provenance'] } as const

const LIES: readonly [(sim: Sim) => Intent, ...((sim: Sim) => Intent)[]] = [
  (sim) => note(sim, { more: { contentHash: FORGED }, mustEnd: invalid }),
  (sim) => note(sim, { more: { policyHash: FORGED }, mustEnd: invalid }),
  (sim) => note(sim, { more: { llmModel: null }, mustEnd: invalid }),
  (sim) => note(sim, { more: { sourceType: 'seed' }, mustEnd: invalid }),
  (sim) => note(sim, { more: { sourceId: '  ' }, mustEnd: invalid }),
  (sim) => note(sim, { more: { trustTier: 3 } }),
  (sim) =>
    note(sim, { more: { timestamp: '2999-01-01T00:00:00.000Z' as never }, mustEnd: invalid }),
  wrongDoor,
  noSuchParent,
  ownParent,
  anothersId,
  seedTooLate,
  orphan,
  noise,
  impossible,
]

function wrongDoor(sim: Sim): Intent {
  return intentOf(sim, {
    agent: AGENT,
    kind: 'raw',
    body: { content: sentence(sim.dice) },
    label: sim.dice.pick(['UserAsserted', 'ExternalFirstHand']),
    caller: callerAt(sim.dice.pick(['mcp', 'http', 'import', 'sync', 'explorer'])),
    mustEnd: { in: 'refusal', rule: 'origin' },
  })
}

function noSuchParent(sim: Sim): Intent {
  const ghost = toRef('raw', sim.ids.next(sim.clock.now()))
  return note(sim, { more: { derivedFrom: [ghost] }, mustEnd: { in: 'refusal', rule: 'lineage' } })
}

function ownParent(sim: Sim): Intent {
  const id = sim.ids.next(sim.clock.now())
  return intentOf(sim, {
    agent: AGENT,
    kind: 'claim',
    id,
    body: { subject: CANARY, predicate: 'is', value: 1 },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: [toRef('claim', id)],
    mustEnd: { in: 'refusal', rule: 'lineage' },
  })
}

/** Overwrites another actor's memory under its id. */
function anothersId(sim: Sim): Intent {
  const victim = sim.dice.pickAny(sim.known.memories.filter(({ kind }) => kind === 'note'))
  if (!victim) return noSuchParent(sim)
  return intentOf(sim, {
    agent: AGENT,
    kind: 'note',
    id: victim.id,
    body: { content: `${sentence(sim.dice)}, and not what was said before` },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: refsOf(drawParents(sim, ['raw'], 1)),
    mustEnd: { in: 'error', codes: ['id_exists'] },
  })
}

function seedTooLate(sim: Sim): Intent {
  return intentOf(sim, {
    agent: AGENT,
    kind: 'belief',
    body: { statement: sentence(sim.dice) },
    label: 'ExternalFirstHand',
    caller: callerAt('lib'),
    more: { sourceType: 'seed' },
    ...(sim.known.stack.state === 'INITIALIZING'
      ? {}
      : { mustEnd: { in: 'refusal', rule: 'lineage' } }),
  })
}

function orphan(sim: Sim): Intent {
  return intentOf(sim, {
    agent: AGENT,
    kind: 'belief',
    body: { statement: sentence(sim.dice) },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    mustEnd: { in: 'refusal', rule: 'lineage' },
  })
}

/** Noise as a belief: kept for review, never believed. */
function noise(sim: Sim): Intent {
  return intentOf(sim, {
    agent: AGENT,
    kind: 'belief',
    body: { statement: `${sentence(sim.dice)}, and so on...` },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: refsOf(drawParents(sim, ['note', 'claim', 'episode'])),
  })
}

/** A claim with its end before its start. */
function impossible(sim: Sim): Intent {
  return intentOf(sim, {
    agent: AGENT,
    kind: 'claim',
    body: {
      subject: `${CANARY} ${sim.dice.roll(3)}`,
      predicate: 'likes',
      value: sentence(sim.dice),
      validTime: { start: '2026-02-02T00:00:00.000Z', end: '2026-01-01T00:00:00.000Z' },
    },
    label: 'ModelDerived',
    caller: callerAt('mcp'),
    parents: refsOf(drawParents(sim, ['raw', 'note'], 1)),
  })
}
