import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { saying } from '../stack/support.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

type Family = Awaited<ReturnType<typeof smallFamily>>

const reworded = (
  stack: Stack,
  { belief, episode }: Pick<Family, 'belief' | 'episode'>,
  { statement = 'Migrations go before deployments', confidence = 1, by = label.modelDerived() },
) => {
  const name = by.type === 'External' ? by.kind : by.type
  return stack.write({
    kind: 'belief',
    id: idOf(belief),
    body: { statement },
    provenance: saying(name, { derivedFrom: [episode], confidence, sourceId: 'somebody' }),
    revises: { expectedVersion: null },
  })
}

describe('a revision', () => {
  test('makes nobody surer but a person, and says what it moved', async () => {
    const family = await smallFamily()
    const { stack, belief } = family
    await reworded(stack, family, { statement: 'Migrations always go first' })
    expect(await memoryOf(stack, belief)).toMatchObject({ confidence: 0.8 })
    await reworded(stack, family, { confidence: 0.4 })
    expect(await memoryOf(stack, belief)).toMatchObject({ confidence: 0.4 })
    await reworded(stack, family, { by: label.firstHand(), statement: 'Migrations go first' })
    expect(await memoryOf(stack, belief)).toMatchObject({ confidence: 0.4 })
    await reworded(stack, family, { by: label.userAsserted(), confidence: 0.9 })
    const { confidence, confidenceHistory } = await memoryOf(stack, belief)
    expect(confidence).toBe(0.9)
    expect(confidenceHistory).toMatchObject([
      { old: 0.8, new: 0.4, reason: 'memory.revised' },
      { old: 0.4, new: 0.9, reason: 'memory.revised' },
    ])
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('of other words was never verified; of the same words it stays so', async () => {
    const family = await smallFamily()
    const { me, stack, belief } = family
    const seen = await me.raw('Another deploy failed on a lock')
    const verify = () => stack.changes.verify(belief, { evidence: [seen.ref] })
    await verify()
    await reworded(stack, family, { statement: 'Migrations go  BEFORE deployments' })
    expect(await memoryOf(stack, belief)).toMatchObject({ verificationCount: 1 })
    expect(await verify()).toMatchObject({ changed: false, reason: 'attested' })
    await reworded(stack, family, { statement: 'Deployments should wait for the weekend' })
    const { verificationCount, lastVerified } = await memoryOf(stack, belief)
    expect({ verificationCount, lastVerified }).toEqual({
      verificationCount: 0,
      lastVerified: null,
    })
    expect(await verify()).toMatchObject({ changed: true })
    expect((await stack.ledger.audit()).ok).toBe(true)
  })
})
