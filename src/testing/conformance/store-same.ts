import { strictEqual } from 'node:assert/strict'
import { Entity } from '../../agent/entity.ts'
import { openStack } from '../../compose/open-stack.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { Stack } from '../../stack.ts'
import { MemoryStore } from '../../stores/memory/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { type Dice, type FakeClock, fakeWorld, seededDice } from '../world.ts'
import { same, sameRows } from './compare.ts'
import type { StoreGiven } from './given.ts'

const STEPS = 120

/** A short life: captures, derivations, repeats, refusals, and time passing. */
async function live(stack: Stack, clock: FakeClock, dice: Dice): Promise<readonly string[]> {
  const me = new Entity('one-agent')
  await me.attachStack(stack)
  const refs: string[] = []
  const answers: string[] = []
  for (let step = 0; step < STEPS; step += 1) {
    clock.advance({ ms: dice.roll(60_000) })
    if (dice.isLucky(0.05)) clock.advance({ minutes: 11 })
    try {
      const { ref, disposition, rule } = await write(me, refs, dice)
      if (ref !== null) refs.push(ref)
      answers.push(`${disposition} ${rule} ${ref}`)
    } catch (error) {
      if (!(error instanceof MunimentError)) throw error
      answers.push(`${error.code} ${error.message}`)
    }
  }
  return answers
}

function write(me: Entity, refs: readonly string[], dice: Dice) {
  const about = `matter number ${dice.roll(6)}`
  const parent = dice.pickAny(refs) ?? 'raw:none'
  const derivedFrom = [parent, dice.pickAny(refs) ?? parent]
  switch (dice.roll(6)) {
    case 0:
      return me.raw(`heard about ${about}`)
    case 1:
      return me.episode({
        objective: `look into ${about}`,
        outcome: 'found something',
        observed: true,
      })
    case 2:
      return me.note(`it is known about ${about}`, { observed: true })
    case 3:
      return me.claim({ subject: 'user', predicate: about, value: dice.roll(3) })
    case 4:
      return me.belief(`One can rely on ${about} now`, { derivedFrom })
    default:
      return me.belief(`One can rely on ${about} now`, { because: `of ${about}` })
  }
}

async function historyOn(store: Store, stackId: StackId, seed: number) {
  const world = fakeWorld(seed)
  const stack = await openStack(stackId, { store, ...world })
  const answers = await live(stack, world.clock, seededDice(seed))
  const report = await stack.ledger.audit()
  strictEqual(report.ok, true, JSON.stringify(report.problems[0]))
  await stack.close()
  return { answers, report }
}

async function contentsOf(store: Store, stackId: StackId) {
  const standing = await store.read(stackId, { type: 'standing' })
  const to = standing.tip.head.seq
  return {
    standing,
    entries: await store.read(stackId, { type: 'entries', from: 0, limit: to + 1 }),
    sealed: await store.read(stackId, { type: 'table', name: 'sealed', from: 0, to }),
    states: await store.read(stackId, {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      limit: to + 1,
    }),
    counts: await store.read(stackId, { type: 'counts' }),
  }
}

export const sameCases: readonly Case<StoreGiven>[] = [
  holds(
    'STORE-SAME',
    'the same history gives the same answers and the same bytes as in the reference store',
    async ({ store, stackId }) => {
      const reference = new MemoryStore()
      const expected = await historyOn(reference, stackId, 11)
      const found = await historyOn(store, stackId, 11)
      same(found, expected, 'answers')
      same(await contentsOf(store, stackId), await contentsOf(reference, stackId), 'contents')
      for (const name of ['actorKeys', 'tallies'] as const) {
        const rows = await reference.read(stackId, { type: 'table', name })
        sameRows(await store.read(stackId, { type: 'table', name }), rows, name)
      }
    },
  ),
]
