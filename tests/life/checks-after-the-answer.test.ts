import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { type OpenOptions, openStack } from '../../src/compose/open-stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { nextRound } from '../../src/stores/sqlite/connection.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { at, opsOf } from '../stack/support.ts'
import { heldTimer } from '../support/held-timer.ts'

const because = 'seen in the rack'
const FORMER = 'The staging server runs on port 8080'
const DENIAL = 'The staging server does not run on port 8080'

async function opened(options: OpenOptions = {}) {
  const store = new MemoryStore()
  const held = heldTimer()
  const world = { store, ...fakeWorld(1), timer: held.timer, ...options }
  const stack = await openStack('test', world)
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  /** Runs the calls that wait, and those that they ask for. */
  const elapse = async () => {
    while (held.waiting.size > 0) {
      held.fire()
      await nextRound()
    }
  }
  return { me, stack, world, elapse }
}

const flagsIn = ({ stack, world }: Awaited<ReturnType<typeof opened>>) =>
  opsOf(world.store as MemoryStore, stack).filter((op) => op === 'memory.flagged')

describe('the look for contradictions', () => {
  test.each(['lib', 'mcp', 'http'] as const)(
    'comes after the answer to a write by %s, once writes have paused',
    async (door) => {
      const place = await opened()
      const caller = at(door)
      await place.me.belief(FORMER, { because, caller })
      const answer = await place.me.belief(DENIAL, { because, caller })
      expect(answer).not.toHaveProperty('contradicts')
      expect(flagsIn(place)).toEqual([])
      await place.elapse()
      expect(flagsIn(place)).toHaveLength(1)
    },
  )

  test('is waited for by review, why, search, load and an erasure', async () => {
    const reads = {
      review: ({ stack }) => stack.review.list(),
      why: ({ stack }, ref) => stack.history.why(ref),
      search: ({ stack }) => stack.search('port'),
      load: ({ stack }) => stack.load(),
      erase: ({ stack }, ref) => stack.erasure.erase(ref, { basis: 'requested' }),
    } satisfies {
      [name: string]: (place: Awaited<ReturnType<typeof opened>>, ref: string) => Promise<unknown>
    }
    for (const [name, read] of Object.entries(reads)) {
      const place = await opened()
      const { ref } = await place.me.belief(FORMER, { because })
      await place.me.belief(DENIAL, { because })
      await read(place, ref)
      expect([name, flagsIn(place).length]).toEqual([name, 1])
    }
  })

  test('is finished before a stack is closed', async () => {
    const place = await opened()
    await place.me.belief(FORMER, { because })
    await place.me.belief(DENIAL, { because })
    await place.stack.close()
    expect(flagsIn(place)).toHaveLength(1)
  })

  test('takes nothing from the write where it fails', async () => {
    const place = await opened()
    const { ref } = await place.me.belief(FORMER, { because })
    const { sealed } = (place.world.store as MemoryStore).rows(place.stack.stackId)
    for (const [seq, row] of sealed) sealed.set(seq, { ...row, bytes: Buffer.from('damaged') })
    await place.elapse() // a rejection that nobody handles would fail this file
    await place.stack.search('port').catch(() => null)
    expect(ref).toMatch(/^belief:/)
  })

  test('never has more than a bounded number of statements waiting', async () => {
    const place = await opened()
    await place.me.belief(FORMER, { because })
    await place.me.belief(DENIAL, { because })
    for (let more = 0; more < 512; more += 1) await place.me.note(`Note ${more} of the log`)
    expect(flagsIn(place)).toHaveLength(1)
  })
})

test('a statement is linked to the one that it replaces after the answer, before a search', async () => {
  const { me, stack } = await opened()
  await me.note('The production shop runs on Heroku with two dynos')
  await me.note('We moved production from Heroku to Fly')
  const results = await stack.search('Where does production run?')
  expect(results.map(({ metadata }) => 'replacedBy' in metadata)).toEqual([false, true])
})
