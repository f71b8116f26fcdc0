import { expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Entity } from '../../src/core/entity.ts'
import type { ReadQuery } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

/** A store that counts how often it is asked which epoch is open. */
class CountingStore extends MemoryStore {
  asked = 0

  override read: MemoryStore['read'] = (stack, query: ReadQuery) => {
    if (query.type === 'list' && query.kind === 'epoch') this.asked += 1
    return MemoryStore.prototype.read.call(this, stack, query) as never // the query's type says which
  }
}

/** A store where something happens just after somebody was told which epoch is open. */
class BusyStore extends MemoryStore {
  meanwhile: (() => Promise<unknown>) | null = null

  override read: MemoryStore['read'] = async (stack, query: ReadQuery) => {
    const answer = await MemoryStore.prototype.read.call(this, stack, query)
    const { meanwhile } = this
    if (meanwhile !== null && query.type === 'list' && query.kind === 'epoch') {
      this.meanwhile = null
      await meanwhile()
    }
    return answer as never // the query's type says which
  }
}

async function opened(store: MemoryStore, seed: number) {
  const stack = await openStack('demo', { store, ...fakeWorld(seed) })
  const me = new Entity('agent')
  await me.attachStack(stack)
  return { stack, me }
}

const epochOf = async (stack: Stack, id: string) => (await stack.getMemory('note', id))?.body

test('who writes alone asks once which epoch is open, and again when it was changed here', async () => {
  const store = new CountingStore()
  const { stack, me } = await opened(store, 1)
  for (let turn = 0; turn < 20; turn += 1) await me.note(`turn ${turn} of the talk`)
  expect(store.asked).toBe(1)
  const { id } = await stack.beginEpoch('in the harbour')
  store.asked = 0
  const note = await me.note('the ferry leaves at nine')
  expect(await epochOf(stack, note.id)).toMatchObject({ epochId: id })
  await me.note('and comes back at noon')
  expect(store.asked).toBe(1)
  await stack.endEpoch()
  const after = await me.note('the harbour is behind us')
  expect(await epochOf(stack, after.id)).not.toHaveProperty('epochId')
})

test('what somebody else begins is borne by the next write, and by all of a group', async () => {
  const store = new MemoryStore()
  const here = await opened(store, 1)
  await here.me.note('the tide is low')
  await here.me.note('the tide is rising')
  const elsewhere = await opened(store, 2)
  const { id } = await elsewhere.stack.beginEpoch('in the harbour')
  const written = await Promise.all(
    Array.from({ length: 5 }, (_, turn) => here.me.note(`ship ${turn} came in`)),
  )
  for (const note of written) {
    expect(await epochOf(here.stack, note.id)).toMatchObject({ epochId: id })
  }
  expect((await here.stack.audit()).problems).toEqual([])
})

test('what was begun while a process asked for the first time is borne by its second write', async () => {
  const store = new BusyStore()
  const elsewhere = await opened(store, 2)
  await elsewhere.me.note('the tide is low')
  const here = await opened(store, 1)
  const begun: string[] = []
  store.meanwhile = async () => {
    begun.push((await elsewhere.stack.beginEpoch('in the harbour')).id)
  }
  await here.me.note('one ship came in')
  const second = await here.me.note('another ship came in')
  expect(await epochOf(here.stack, second.id)).toMatchObject({ epochId: begun[0] })
})
