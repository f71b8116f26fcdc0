import type { Change } from '../../domain/change.ts'
import type { RecordKind } from '../../domain/ids.ts'
import { alone, drawParents, intentOf, refsOf } from './intents.ts'
import { type Act, callerAt, type Doing, type Sim } from './sim.ts'
import { actorName, CANARY, sentence } from './words.ts'

/** Maintains memories: accesses, doubts, verifies, forgets and restores. */
export function keeper(sim: Sim): Act {
  const { dice } = sim
  const doing = dice.isLucky(0.3) ? answered(sim) : kept(sim)
  return doing ? { type: 'change', doing } : suggested(sim)
}

/** The caller is the host, or the person who owns the memory. */
const by = (sim: Sim) =>
  sim.dice.isLucky(0.7)
    ? ({
        agent: actorName(sim.dice, 'host'),
        label: 'ExternalFirstHand',
        caller: callerAt('lib'),
      } as const)
    : ({
        agent: `${CANARY}-person-0`,
        label: 'UserAsserted',
        caller: callerAt(sim.dice.pick(['explorer', 'cli']), { person: true }),
      } as const)

function kept(sim: Sim): Doing | null {
  const gone = sim.known.memories.filter(({ strength }) => strength.value === 0)
  const back = sim.dice.isLucky(0.15) ? sim.dice.pickAny(gone) : undefined
  if (back) return { ...by(sim), ref: back.ref, deed: { type: 'change', change: RECOVER } }
  const memory = sim.dice.pickAny(sim.known.memories)
  if (!memory) return null
  return { ...by(sim), ref: memory.ref, deed: { type: 'change', change: anyChange(sim) } }
}

const RECOVER = { type: 'recover' } as const

function anyChange(sim: Sim): Change {
  const { dice } = sim
  const evidence = () => refsOf(drawParents(sim, ['raw', 'note', 'episode'], 3))
  const changes: readonly [() => Change, ...(() => Change)[]] = [
    () => ({ type: 'access' }),
    () => ({ type: 'access' }),
    () => ({ type: 'forget' }),
    () => RECOVER,
    () => ({ type: 'protect', on: dice.isLucky(0.5) }),
    () => ({ type: 'weaken', amount: dice.pick([0, 0.1, 0.5, 0.9, 1]) }),
    () => ({ type: 'note_dormant' }),
    () => ({ type: 'describe', confidence: dice.roll(101) / 100, tags: null }),
    () => ({ type: 'describe', confidence: null, tags: [`${CANARY}-tag`, sentence(dice)] }),
    () => ({
      type: 'annotate',
      by: dice.pick(['alpha', 'zeta']),
      fields: { [CANARY]: sentence(dice) },
    }),
    () => ({ type: 'process', into: refsOf(drawParents(sim, ['note'], 1)) }),
    () => ({ type: 'verify', evidence: evidence() }),
    () => ({ type: 'verify', evidence: evidence() }),
    () => ({ type: 'reinforce', evidence: evidence() }),
    () => ({ type: 'deactivate' }),
    () => ({ type: 'ask_review' }),
    () => contradicting(sim),
    () => ({ type: 'clear' }),
  ]
  return dice.pick(changes)()
}

/** Any other memory will do: the contradiction is judged before the gate. */
function contradicting(sim: Sim): Change {
  const [against] = refsOf(drawParents(sim, ['belief', 'note'], 1))
  return against === undefined ? { type: 'ask_review' } : { type: 'note_contradiction', against }
}

const KINDS: readonly RecordKind[] = ['belief', 'suggestion']

/** Takes the place of a belief, or answers a suggestion. */
function answered(sim: Sim): Doing | null {
  const memory = sim.dice.pickAny(sim.known.memories.filter(({ kind }) => KINDS.includes(kind)))
  if (!memory) return null
  const deed =
    memory.kind === 'belief'
      ? ({ type: 'supersede', statement: sentence(sim.dice) } as const)
      : ({ type: 'accept' } as const)
  return { ...by(sim), ref: memory.ref, deed }
}

function suggested(sim: Sim): Act {
  const sources = refsOf(drawParents(sim, ['raw'], 2))
  return alone(
    intentOf(sim, {
      agent: actorName(sim.dice, 'agent'),
      kind: 'suggestion',
      body: {
        memoryType: 'belief',
        content: { statement: sentence(sim.dice) },
        confidence: 0.7,
        sourceRefs: [...sources],
      },
      label: 'ModelDerived',
      caller: callerAt('lib'),
    }),
  )
}
