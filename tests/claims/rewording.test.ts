import { expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { at, freshEntity, saying } from '../stack/support.ts'

test('a claim that somebody rewords without being sure is not vouched for by what it said before', async () => {
  const { me, stack } = await freshEntity()
  const raw = await me.raw('Something was said')
  const body = { subject: 'user', predicate: 'diet', value: 'vegan' }
  const by = (sourceId: string, confidence: number) =>
    saying('UserAsserted', { sourceId, confidence, derivedFrom: [raw.ref as Ref] })
  const first = { kind: 'claim', body, provenance: by('ann', 0.8) } as const
  const { id } = await stack.write(first, at('lib'))
  const reworded = {
    ...first,
    id: String(id),
    provenance: by('bob', 0),
    revises: { expectedVersion: 1 },
  }
  const written = await stack.write(reworded, at('lib'))
  expect(written).toMatchObject({ rule: 'conflict', disposition: 'PendingLowConfidence' })
})
