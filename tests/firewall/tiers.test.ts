import { describe, expect, test } from 'vitest'
import type { Door } from '../../src/domain/doors.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { type LabelName, label } from '../../src/domain/labels.ts'
import { Entity } from '../../src/index.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

/** A belief of a model's, and captures of different actors through different doors. */
async function scene() {
  const fresh = await freshStack()
  const { stack } = fresh
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  const note = await me.note('The last deploy failed on a lock', { observed: true })
  const belief = await me.belief('Deploys fail when the table is locked', {
    derivedFrom: [note.ref],
  })
  const seen = async (actor: string, door: Door, name: LabelName = 'ExternalFirstHand') => {
    const body = { content: `${actor} saw a deploy fail on a locked table at ${door}` }
    const provenance = saying(name, { sourceId: actor })
    const person = name === 'UserAsserted'
    const caller = at(door, { person, ...(person ? {} : { vouched: true }) })
    return (await stack.write({ kind: 'raw', body, provenance }, caller)).ref as Ref
  }
  const tier = async () => (await stack.getMemory('belief', belief.id))?.tier
  return { ...fresh, ref: belief.ref, seen, tier }
}

describe('a tier rises', () => {
  test('by two first-hand captures of different actors and doors, to the lower of their tiers', async () => {
    const { stack, store, ref, seen, tier } = await scene()
    expect(await tier()).toBe(1)
    const evidence = [await seen('ann', 'cli', 'UserAsserted'), await seen('ci', 'hook')]
    await stack.changes.verify(ref, { evidence })
    expect(await tier()).toBe(2)
    const told = entriesOf(store, stack).find(({ op }) => op === 'memory.verified')
    expect(told?.decision.facts.tier).toEqual({ from: 1, to: 2 })
    const [loaded] = (await stack.load({ for: 'act' })).beliefs
    expect(loaded?.memory.ref).toBe(ref)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('neither by one actor at two doors nor by two actors at one', async () => {
    for (const witnesses of [
      [
        ['ann', 'cli', 'UserAsserted'],
        ['ann', 'hook', 'UserAsserted'],
      ],
      [
        ['ann', 'hook', 'UserAsserted'],
        ['ci', 'hook', 'ExternalFirstHand'],
      ],
    ] as const) {
      const { stack, ref, seen, tier } = await scene()
      const evidence: Ref[] = []
      for (const [actor, door, name] of witnesses) evidence.push(await seen(actor, door, name))
      expect((await stack.changes.verify(ref, { evidence })).changed).toBe(true)
      expect(await tier()).toBe(1)
    }
  })

  test('not because a model says so, whatever it cites', async () => {
    const { stack, ref, seen, tier } = await scene()
    const evidence = [await seen('ann', 'cli', 'UserAsserted'), await seen('ci', 'hook')]
    await stack.changes.verify(ref, { evidence, label: label.modelDerived(), caller: at('mcp') })
    expect(await tier()).toBe(1)
    expect((await stack.load({ for: 'act' })).beliefs).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('by a person’s verdict, and by no other’s', async () => {
    for (const isPerson of [true, false]) {
      const { stack } = await freshStack()
      const line = { subject: 'user', predicate: 'city' }
      await stack.claims.remember('user', 'city', 'Berlin', {
        actor: 'files',
        label: label.firstHand(),
      })
      const own = { label: label.modelDerived() }
      const { claimRef } = await stack.claims.remember('user', 'city', 'Paris', own)
      const seen = new Entity('host')
      await seen.attachStack(stack)
      const raw = await seen.raw('The registry says Paris')
      await stack.claims.adjudicate(String(claimRef), {
        verdict: 'affirm',
        ...(isPerson
          ? { caller: at('cli', { person: true }), label: label.userAsserted() }
          : { evidence: [raw.ref] }),
      })
      const act = await stack.claims.ask({ ...line, for: 'act' })
      expect([act.value, act.claims[0]?.tier]).toEqual(isPerson ? ['Paris', 3] : [null, undefined])
      expect((await stack.ledger.audit()).problems).toEqual([])
    }
  })

  test('never by being said again, and a low assessment keeps it down', async () => {
    const { stack, ref, tier } = await scene()
    for (let turn = 0; turn < 5; turn += 1) {
      await stack.recordAccess('belief', ref.slice('belief:'.length))
      await stack.history.trace(ref, { caller: at('mcp', { session: 'talk' }) })
    }
    expect(await tier()).toBe(1)
    for (const [score, most] of [
      [0.9, 2],
      [0.5, 1],
      [0.1, 0],
    ] as const) {
      await stack.saveTrustAssessment({ entityId: 'ci', dimensions: { general: { score } } })
      const body = { content: `Seen at a trust of ${score}` }
      const provenance = saying('ExternalFirstHand', { sourceId: 'ci' })
      const { tier: born } = await stack.write({ kind: 'raw', body, provenance }, at('lib'))
      expect(born).toBe(most)
    }
  })
})

holds('FIREWALL-MODEL', 'a policy of before lets no tier rise', async () => {
  const { stack, ref, seen, tier } = await scene()
  const { policy } = await stack.control.getPolicy()
  const evidence = [await seen('ann', 'cli', 'UserAsserted'), await seen('ci', 'hook')]
  const numbers = { ...policy.numbers, tierByAnchorsMax: 0 }
  await stack.control.setPolicy({ ...policy, numbers })
  await stack.changes.verify(ref, { evidence })
  expect(await tier()).toBe(1)
  expect((await stack.ledger.audit()).problems).toEqual([])
})

test('a tier that rose stays accounted for when a capture behind it is erased', async () => {
  const { stack, ref, seen, tier } = await scene()
  const evidence = [await seen('ann', 'cli', 'UserAsserted'), await seen('ci', 'hook')]
  await stack.changes.verify(ref, { evidence })
  await stack.erasure.erase(evidence[1] as Ref)
  expect(await tier()).toBe(2)
  expect((await stack.ledger.audit()).problems).toEqual([])
})

holds('FIREWALL-MODEL', 'no model lowers a first-hand memory, under whatever name', async () => {
  const { stack } = await freshStack()
  const provenance = saying('ExternalFirstHand', { sourceId: 'bot', trustTier: 1 })
  const body = { content: 'The pump failed at noon' }
  const { ref } = await stack.write({ kind: 'raw', body, provenance }, at('lib'))
  for (const actor of ['bot', 'test:host']) {
    const as = { label: label.modelDerived(), actor }
    for (const change of [{ type: 'forget' }, { type: 'weaken', amount: 0.5 }] as const) {
      const { reason } = await stack.changes.change(ref ?? '', change, 'test', as)
      expect(reason).toBe('proposed')
    }
  }
})

holds(
  'FIREWALL-RISE',
  'what is reasoned counts for no more than the least of its sources',
  async () => {
    const { stack } = await freshStack()
    let number = 0
    const written = async (kind: 'raw' | 'note', name: LabelName, more: object) => {
      number += 1
      const body = { content: `The gate of yard ${number} opens at nine` }
      const { ref, tier } = await stack.write(
        { kind, body, provenance: saying(name, more) },
        at('lib'),
      )
      return { ref: ref as Ref, tier }
    }
    const page = await written('raw', 'ExternalFirstHand', { trustTier: 1 })
    const nobody = await written('raw', 'ExternalFirstHand', { trustTier: 0 })
    const person = await written('raw', 'UserAsserted', {})
    expect([page.tier, nobody.tier, person.tier]).toEqual([1, 0, 3])
    const reasoned = async (name: LabelName, derivedFrom: readonly Ref[]) =>
      (await written('note', name, { sourceType: 'inference', derivedFrom })).tier
    expect(await reasoned('ModelDerived', [person.ref, nobody.ref])).toBe(0)
    expect(await reasoned('ExternalFirstHand', [person.ref, page.ref])).toBe(1)
    expect(await reasoned('ExternalFirstHand', [person.ref])).toBe(2)
  },
)
