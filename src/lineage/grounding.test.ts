import { expect, test } from 'vitest'
import type { Ref } from '../domain/ids.ts'
import { groundingOf } from './grounding.ts'

const [a, b] = ['raw:a', 'raw:b'] as Ref[]

test('one living source is ground enough; none left is ungrounded; never any is neither', () => {
  const parents = [a as Ref, b as Ref]
  expect(groundingOf(parents, (ref) => ref === b)).toBe('grounded')
  expect(groundingOf(parents, () => false)).toBe('ungrounded')
  expect(groundingOf([], () => false)).toBe('sourceless')
})
