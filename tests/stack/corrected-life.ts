import { expect } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { Entity, openStack } from '../../src/index.ts'
import type { Store } from '../../src/ports/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

export const DAYS_AHEAD = 1_000 // less than nine years: the gate cannot know that the clock is wrong

const DAILY = 'Backed up the database.'
const A_DAY = { days: 1 } as const

/** A stack on which one write came from a clock far ahead, until a person corrected it. */
export async function correctedLife(store: Store) {
  const { clock, ...world } = fakeWorld(7)
  const stack = await openStack('demo', { store, clock, ...world, keyring: memoryKeyring() })
  const agent = new Entity('my-agent')
  await agent.attachStack(stack)
  const before = await agent.note('Said while the clock was right.')
  clock.advance(A_DAY)
  await agent.note(DAILY)
  clock.advance({ days: DAYS_AHEAD })
  const ahead = await agent.note('Said while the clock was far ahead.')
  await agent.note(DAILY)
  clock.advance({ days: -DAYS_AHEAD })
  clock.advance({ minutes: 5 })

  await expect(agent.note('Dated by nobody.')).rejects.toMatchObject({
    code: 'clock_implausible',
    message: expect.stringContaining(`${DAYS_AHEAD - 1} days before the last entry`),
    hint: expect.stringContaining('muniment stack clock --correct'),
    facts: { limit: 'clockBehindMsMax' },
  })
  const status = await stack.health.clock()
  expect(status).toMatchObject({ last: '2028-09-28T00:00:00.000Z', fault: 'behind' })
  const model = { ...CALLER, door: 'mcp', person: false } as const
  await expect(stack.health.correctClock(model)).rejects.toMatchObject({ code: 'scope' })

  const { entry } = await stack.health.correctClock()
  expect(entry).not.toBeNull()
  expect(await stack.health.clock()).toMatchObject({ aheadMs: 0, fault: null })
  expect(await stack.health.correctClock()).toMatchObject({ entry: null })
  return { stack, agent, clock, before, ahead, corrected: entry?.seq ?? -1 }
}

const CALLER = { operation: 'clock', session: null, turn: null, grant: null } as const

/** The same note once a day for two weeks, which is no burst; then often within a minute, which is. */
export async function notedDaily({ agent, clock }: Awaited<ReturnType<typeof correctedLife>>) {
  const daily: string[] = []
  for (let day = 0; day < 14; day += 1) {
    clock.advance(A_DAY)
    const { disposition } = await agent.note(DAILY, { label: { type: 'ModelDerived' } })
    daily.push(disposition)
  }
  const often: string[] = []
  for (let time = 0; time < 14; time += 1) {
    clock.advance({ ms: 1_000 })
    const { disposition } = await agent.note(DAILY, { label: { type: 'ModelDerived' } })
    often.push(disposition)
  }
  return { daily, often }
}
