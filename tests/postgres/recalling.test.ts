import { expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { fakeWorld, seededDice } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'
import { ownHome } from './support/home.ts'

const TURNS = 240
const WHO = ['ann', 'bob', 'cleo'] as const
const DOES = ['painted', 'sold', 'moored', 'repaired', 'lost', 'found'] as const
const WHAT = [
  'the blue sloop',
  'an old lantern',
  'two oars',
  'the harbour map',
  'a brass bell',
] as const
const WHEN = ['on Sunday', 'in March', 'before the storm', 'at dawn', 'last year'] as const

/** The same talk for every store: who did what, over and over, in a few sessions. */
async function talk(stack: Stack, advance: (ms: number) => void): Promise<void> {
  const dice = seededDice(7)
  const me = new Entity('agent')
  await me.attachStack(stack)
  for (let turn = 0; turn < TURNS; turn += 1) {
    advance(60_000)
    const actor = dice.pick(WHO)
    const words = `${actor} ${dice.pick(DOES)} ${dice.pick(WHAT)} ${dice.pick(WHEN)}, number ${turn % 17}`
    await me.raw(words, { session: `talk ${turn % 5}`, actor, label: label.userAsserted() })
  }
}

const QUESTIONS = [
  'who painted the blue sloop', 'what did ann lose before the storm', 'the brass bell at dawn',
  'oars', 'harbour map number 5', 'what happened in March', 'submarine', 'bob', 'repa',
  'did cleo sell an old lantern last year', 'the the the',
] // biome-ignore format: one list of questions

async function answersOf(options: Parameters<typeof openStack>[1]) {
  const world = fakeWorld(3)
  const stack = await openStack('talk', { ...world, ...options })
  await talk(stack, (ms) => world.clock.advance({ ms }))
  const answers = []
  for (const question of QUESTIONS) {
    for (const limit of [3, 40]) {
      const { results, answerable } = await stack.recall(question, { limit })
      const told = results.map(({ memoryId, score }) => ({ memoryId, score }))
      answers.push({ question, limit, answerable, told })
    }
  }
  await stack.close()
  return answers
}

holds(
  'STORE-SAME',
  'questions are answered by the same memories with the same scores as in SQLite',
  async () => {
    const database = await ownDatabase()
    ownHome()
    const expected = await answersOf({ path: ':memory:' })
    const store = postgres({ connectionString: database.url, poolSize: 4 })
    expect(await answersOf({ store })).toEqual(expected)
    expect(expected.filter(({ told }) => told.length > 0).length).toBeGreaterThan(15)
    await store.close()
  },
)
