import { describe, expect, test } from 'vitest'
import { at, entriesOf } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { memoryOf, smallFamily } from './support.ts'

describe('superseding a belief', () => {
  holds(
    'P-13',
    'the new one names the old one and what that one rested on as its parents',
    async () => {
      const { stack, episode, belief } = await smallFamily()
      const next = await stack.changes.supersede(
        belief,
        'Migrations go first, except for new tables',
      )
      const { provenance } = await memoryOf(stack, next.ref)
      expect(provenance.derivedFrom).toEqual([belief, episode])
      expect(provenance.sourceType).toBe('inference')
      expect((await stack.history.trace(next.ref)).map(({ memory }) => memory.ref)).toContain(
        belief,
      )
    },
  )

  holds('P-13', 'the new one names all that the old one rested on', async () => {
    const { me, stack, episode } = await smallFamily()
    const { ref: note } = await me.note('locks are slow')
    const { ref: more } = await me.note('tables are large')
    const derivedFrom = [episode, note, more]
    const { ref: old } = await me.belief('Locks make deployments slow', { derivedFrom })
    const next = await stack.changes.supersede(old, 'Locks make deployments very slow')
    const { provenance } = await memoryOf(stack, next.ref)
    expect(provenance.derivedFrom[0]).toBe(old)
    expect([...provenance.derivedFrom].sort()).toEqual([old, ...derivedFrom].sort())
  })

  holds('P-42', 'the old one is deactivated and points to its replacement', async () => {
    const { stack, store, belief } = await smallFamily()
    const next = await stack.changes.supersede(belief, 'Migrations go first, except for new tables')
    expect((await memoryOf(stack, belief)).disposition).toBe('Superseded')
    expect((await stack.getBeliefs()).map(({ ref }) => ref)).toEqual([next.ref])
    expect(entriesOf(store, stack).slice(-2)).toMatchObject([
      { op: 'belief.revised', ref: next.ref, decision: { facts: { of: belief } } },
      { op: 'belief.deactivated', ref: belief, decision: { facts: { by: next.ref } } },
    ])
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    await expect(stack.changes.supersede(belief, 'Something else entirely')).rejects.toThrow(
      /already/,
    )
  })

  holds(
    'P-44',
    'the history of a belief is rebuilt from its entries, from any of its versions',
    async () => {
      const { stack, clock, belief } = await smallFamily()
      clock.advance({ days: 1 })
      const second = await stack.changes.supersede(
        belief,
        'Migrations go first, except for new tables',
      )
      clock.advance({ days: 1 })
      const third = await stack.changes.supersede(second.ref, 'Only blocking migrations go first', {
        because: 'new tables never locked anything',
      })
      const line = [belief, second.ref, third.ref]
      for (const ref of line) {
        const history = await stack.history.belief(ref)
        expect(history.map(({ memory }) => memory.ref)).toEqual(line)
        expect(history.map(({ replacedBy }) => replacedBy)).toEqual([second.ref, third.ref, null])
        expect(history.map(({ heldUntil }) => heldUntil)).toEqual([
          '2026-01-02T00:00:00.000Z',
          '2026-01-03T00:00:00.000Z',
          null,
        ])
      }
    },
  )

  test("is not a model's to do to what a person believes", async () => {
    const { me, stack, episode } = await smallFamily()
    const person = { label: { type: 'External', kind: 'UserAsserted' } } as const
    const held = await me.belief('Deployments belong on Mondays', {
      derivedFrom: [episode],
      ...person,
    })
    const model = { caller: at('mcp') }
    await expect(
      stack.changes.supersede(held.ref, 'Deployments belong on Fridays', model),
    ).rejects.toThrow(/authority/)
    expect((await memoryOf(stack, held.ref)).disposition).toBe('CommittedCheap')
    expect(await stack.review.list()).toMatchObject([{ ref: held.ref, kind: 'proposal' }])
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  })
})

holds('P-43', 'beliefs that contradict a statement are found and stay as they are', async () => {
  const { me, stack, episode } = await smallFamily()
  await me.belief('We always use tabs in code', { derivedFrom: [episode] })
  await me.belief('The release takes 20 minutes', { derivedFrom: [episode] })
  const negated = await stack.claims.contradictions('We never use tabs in code')
  expect(negated).toMatchObject([{ memory: { body: { statement: 'We always use tabs in code' } } }])
  const counted = await stack.claims.contradictions('The release takes 90 minutes')
  expect(counted).toMatchObject([{ kind: 'number' }])
  expect(await stack.claims.contradictions('The weather is fine today')).toEqual([])
  expect(await stack.getBeliefs()).toHaveLength(3)
})

test('uncertain memories are ranked by what rests on them', async () => {
  const { me, stack, clock, raw } = await smallFamily()
  const weak = await me.note('perhaps it was the lock', { derivedFrom: [raw], confidence: 0.3 })
  const loose = await me.note('perhaps it was the moon', { derivedFrom: [raw], confidence: 0.2 })
  await me.belief('Locks are perhaps to blame', { derivedFrom: [weak.ref], confidence: 0.6 })
  const found = await stack.history.uncertain()
  expect(found.map(({ memory, restingOnIt }) => [memory.ref, restingOnIt])).toEqual([
    [weak.ref, 1],
    [loose.ref, 0],
  ])
  const borderline = await me.note('it may be the disk', { derivedFrom: [raw], confidence: 0.5 })
  const refs = async (applyDecay: boolean) =>
    (await stack.history.uncertain({ applyDecay })).map(({ memory }) => memory.ref)
  expect(await refs(true)).not.toContain(borderline.ref)
  clock.advance({ days: 60 })
  expect(await refs(true)).toContain(borderline.ref)
  expect(await refs(false)).not.toContain(borderline.ref)
})
