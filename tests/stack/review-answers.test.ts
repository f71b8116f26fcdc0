import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { working } from '../components/support.ts'

const MODEL = {
  caller: { door: 'mcp', operation: 'test', person: false, grant: null, session: null, turn: null },
} as const

const SEEN = { label: label.firstHand() } as const // a model may only propose to forget it

describe('the review queue', () => {
  test('shows a burst as one item about the live claim, which a person keeps or forgets', async () => {
    const { stack, clock } = await working()
    const said = async () => {
      clock.advance({ ms: 1_000 })
      const how = { actor: 'bot', label: label.modelDerived() }
      return stack.claims.remember('user', 'city', 'Berlin', how)
    }
    const { claimRef } = await said()
    for (let time = 0; time < 30; time += 1) expect((await said()).claimRef).toBe(claimRef)
    const queue = await stack.review.list()
    expect(queue.map(({ kind, ref }) => [kind, ref])).toEqual([['flagged', claimRef]])
    expect(await stack.review.settle(String(claimRef), 'forget')).toMatchObject({
      taken: true,
      did: `Forgot ${claimRef}.`,
    })
    expect(await stack.review.list()).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('shows a claim that was set aside once, without what was captured for it', async () => {
    const { stack, clock } = await working()
    let held = ''
    for (let time = 0; held === '' && time < 20; time += 1) {
      clock.advance({ ms: 1_000 })
      const said = await stack.claims.remember('user', 'city', 'Berlin', {
        actor: 'bot',
        label: label.modelDerived(),
      })
      if (said.disposition === 'Quarantined') held = String(said.claimRef)
      const { claimRef } = said
      if (time === 0) await stack.forgetMemory('claim', String(claimRef).slice('claim:'.length), '')
    }
    expect(held).toMatch(/^claim:/)
    const queue = await stack.review.list()
    expect(queue.map(({ kind, ref }) => [kind, ref])).toEqual([['quarantine', held]])
    const settled = await stack.review.settle(held, 'accept')
    expect(settled).toMatchObject({
      taken: true,
      did: `Let in ${held}: it is decided like any other memory.`,
    })
    expect(await stack.review.list()).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('says in plain words what an answer did', async () => {
    const { stack, me } = await working()
    const forgotten = await me.note('A note that a model wants to forget.', SEEN)
    const kept = await me.note('Another note that a model wants to forget.', SEEN)
    for (const { id } of [forgotten, kept]) await stack.forgetMemory('note', id, 'old', MODEL)
    const answered = async (ref: string, answer: 'accept' | 'dismiss') =>
      (await stack.review.settle(ref, answer)).did
    expect(await answered(forgotten.ref, 'accept')).toBe(`Forgot ${forgotten.ref}.`)
    expect(await answered(kept.ref, 'dismiss')).toBe(
      `Left ${kept.ref} as it is: the proposal to forget it was dismissed.`,
    )
    expect((await stack.review.settle(kept.ref, 'accept')).did).toBeNull() // waits no more
    expect(await stack.getMemory('note', forgotten.id)).toMatchObject({ strength: 0 })
    expect(await stack.getMemory('note', kept.id)).toMatchObject({ strength: 1 })
  })
})
