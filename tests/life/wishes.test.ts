import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

const BY_A_MODEL = { label: label.modelDerived(), actor: 'a model' }
const BY_A_PERSON = { label: label.userAsserted(), actor: 'a person' }

describe('what a person forgot', () => {
  test('is not brought back by a model: the wish waits, and a person grants it', async () => {
    const { stack, raw } = await smallFamily()
    await stack.forgetMemory('raw', idOf(raw), 'not needed', BY_A_PERSON)
    expect(
      await stack.changes.change(raw, { type: 'recover' }, 'recover', BY_A_MODEL),
    ).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    expect((await memoryOf(stack, raw)).strength).toBe(0)
    const [item] = await stack.review.list({ kinds: ['proposal'] })
    expect(item).toMatchObject({ ref: raw, proposal: { change: 'recover', into: null } })
    expect(await stack.review.resolve(raw, 'accept', BY_A_PERSON)).toBe(true)
    expect((await memoryOf(stack, raw)).strength).toBe(0.2)
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('is a model’s own to bring back where it was its own, and no wish where nothing is forgotten', async () => {
    const { stack, raw, belief } = await smallFamily()
    await stack.forgetMemory('belief', idOf(belief), 'not needed', BY_A_PERSON)
    const recover = (ref: typeof raw) =>
      stack.changes.change(ref, { type: 'recover' }, 'test', BY_A_MODEL)
    expect(await recover(belief)).toMatchObject({ changed: true })
    expect(await recover(raw)).toMatchObject({ changed: false, reason: 'not_forgotten' })
    expect(await stack.review.list({ kinds: ['proposal'] })).toEqual([])
  })
})

describe('what was captured first-hand', () => {
  test('is done with when a person says so, not when a model does', async () => {
    const { stack, raw, episode } = await smallFamily()
    const process = { type: 'process', into: [episode] } as const
    expect(await stack.changes.change(raw, process, 'test', BY_A_MODEL)).toMatchObject({
      changed: false,
      reason: 'proposed',
    })
    const [item] = await stack.review.list({ kinds: ['proposal'] })
    expect(item).toMatchObject({ ref: raw, proposal: { change: 'process', into: [episode] } })
    expect(await stack.review.resolve(raw, 'accept', BY_A_PERSON)).toBe(true)
    expect(await stack.review.list({ kinds: ['proposal'] })).toEqual([])
    expect(await stack.changes.change(raw, process, 'test')).toMatchObject({ reason: 'already_so' })
    expect((await stack.ledger.audit()).ok).toBe(true)
  })
})
