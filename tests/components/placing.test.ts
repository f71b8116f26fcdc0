import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Kind } from '../../src/domain/ids.ts'
import type { ReadQuery } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

const asksForEpochs = (query: ReadQuery): boolean =>
  query.type === 'memories' && query.where?.kind === 'epoch'

/** A store that counts how often it is asked which epoch is open. */
class CountingStore extends MemoryStore {
  asked = 0

  override read: MemoryStore['read'] = (stack, query: ReadQuery) => {
    if (asksForEpochs(query)) this.asked += 1
    return MemoryStore.prototype.read.call(this, stack, query) as never // the query's type says which
  }
}

/** A store where something happens just after somebody was told which epoch is open. */
class BusyStore extends MemoryStore {
  meanwhile: (() => Promise<unknown>) | null = null

  override read: MemoryStore['read'] = async (stack, query: ReadQuery) => {
    const answer = await MemoryStore.prototype.read.call(this, stack, query)
    const { meanwhile } = this
    if (meanwhile !== null && asksForEpochs(query)) {
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
  const { id } = await stack.epochs.begin('in the harbour')
  store.asked = 0
  const note = await me.note('the ferry leaves at nine')
  expect(await epochOf(stack, note.id)).toMatchObject({ epochId: id })
  await me.note('and comes back at noon')
  expect(store.asked).toBe(1)
  await stack.epochs.end()
  const after = await me.note('the harbour is behind us')
  expect(await epochOf(stack, after.id)).not.toHaveProperty('epochId')
})

test('what somebody else begins is borne by the next write, and by all of a group', async () => {
  const store = new MemoryStore()
  const here = await opened(store, 1)
  await here.me.note('the tide is low')
  await here.me.note('the tide is rising')
  const elsewhere = await opened(store, 2)
  const { id } = await elsewhere.stack.epochs.begin('in the harbour')
  const written = await Promise.all(
    Array.from({ length: 5 }, (_, turn) => here.me.note(`ship ${turn} came in`)),
  )
  for (const note of written) {
    expect(await epochOf(here.stack, note.id)).toMatchObject({ epochId: id })
  }
  expect((await here.stack.ledger.audit()).problems).toEqual([])
})

test('what was begun while a process asked for the first time is borne by its second write', async () => {
  const store = new BusyStore()
  const elsewhere = await opened(store, 2)
  await elsewhere.me.note('the tide is low')
  const here = await opened(store, 1)
  const begun: string[] = []
  store.meanwhile = async () => {
    begun.push((await elsewhere.stack.epochs.begin('in the harbour')).id)
  }
  await here.me.note('one ship came in')
  const second = await here.me.note('another ship came in')
  expect(await epochOf(here.stack, second.id)).toMatchObject({ epochId: begun[0] })
})

describe('what the stack writes for others bears the epoch it is born in', () => {
  const inHarbour = async () => {
    const { stack, me } = await opened(new MemoryStore(), 1)
    const sources: string[] = []
    for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
      const objective = `cross the bay on ${day}`
      const lessons = ['The ferry is late when it rains']
      sources.push((await me.episode({ objective, outcome: 'late again', lessons })).ref)
    }
    const { id } = await stack.epochs.begin('in the harbour')
    const epochAt = async (ref: string) => {
      const [kind, of] = ref.split(':') as [Kind, string]
      const memory = await stack.getMemory(kind, of)
      return (memory?.body as { readonly epochId?: string } | undefined)?.epochId
    }
    return { stack, me, id, sources, epochAt }
  }

  test('summaries and stories, told first and told anew', async () => {
    const { stack, id, sources, epochAt } = await inHarbour()
    const told = await stack.epochs.summarise({
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-01-31T00:00:00.000Z',
    })
    expect(await epochAt(told?.summary.ref ?? '')).toBe(id)
    const story = await stack.epochs.narrate(
      { content: 'I wait for boats' },
      { derivedFrom: sources },
    )
    expect(await epochAt(story.ref)).toBe(id)
    const next = await stack.epochs.begin('at sea')
    const anew = await stack.epochs.narrate({ content: 'I am on a boat' }, { derivedFrom: sources })
    expect(anew.ref).toBe(story.ref)
    expect(await epochAt(anew.ref)).toBe(next.id)
  })

  test('beliefs that lessons become, and those that take their place', async () => {
    const { stack, id, epochAt } = await inHarbour()
    const [belief = ''] = (await stack.promote()).beliefsCreated
    expect(await epochAt(belief)).toBe(id)
    const next = await stack.epochs.begin('at sea')
    const other = await stack.changes.supersede(
      belief,
      'The ferry is late whenever there is wind',
      {
        because: 'It was dry, and it was late',
      },
    )
    expect(await epochAt(other.ref)).toBe(next.id)
    for (const capture of other.captures) expect(await epochAt(capture)).toBe(next.id)
    expect(await epochAt(belief)).toBe(id)
  })

  test('suggestions when they are accepted, with the chain that is made for them', async () => {
    const { stack, me, sources, epochAt } = await inHarbour()
    const { suggestionsCreated } = await stack.promote({ as: 'suggestion' })
    const next = await stack.epochs.begin('at sea')
    for (const ref of suggestionsCreated) {
      const accepted = await stack.acceptSuggestion(ref.split(':')[1] ?? '', null)
      expect(await epochAt(`belief:${accepted}`)).toBe(next.id)
    }
    expect(suggestionsCreated).toHaveLength(1)
    const value = await me.value('Punctuality', 'Be there before the ferry is', {
      derivedFrom: (await stack.getBeliefs()).map(({ ref }) => ref),
    })
    expect(await epochAt(value.ref)).toBe(next.id)
    expect(await epochAt(sources[0] ?? '')).toBeUndefined()
  })

  test('memories that processing makes, and nothing where no epoch is open', async () => {
    const { stack, me, id, epochAt } = await inHarbour()
    await me.raw('I tried the new rope today. It failed because the knot was wet.')
    const { steps } = await stack.review.process({ as: 'memories', force: true })
    const made = steps.flatMap((each) => each.made)
    expect(made.length).toBeGreaterThan(0)
    for (const ref of made) expect(await epochAt(ref)).toBe(id)
    await stack.epochs.end()
    await me.raw('I tried the old rope today. It held because the knot was dry.')
    const later = await stack.review.process({ as: 'memories', force: true })
    const last = later.steps.flatMap((each) => each.made)
    expect(last.length).toBeGreaterThan(0)
    for (const ref of last) expect(await epochAt(ref)).toBeUndefined()
  })

  test('a memory that is revised keeps the epoch it was born in', async () => {
    const { stack, me, id, sources, epochAt } = await inHarbour()
    const drive = await me.drive('curiosity', { intensity: 0.5, derivedFrom: [sources[0] ?? ''] })
    await stack.epochs.begin('at sea')
    const changed = { id: drive.id, driveType: 'curiosity', intensity: 0.9 }
    expect(await stack.updateDriveAtomic(changed)).toBe(true)
    expect(await epochAt(drive.ref)).toBe(id)
  })
})
