import { afterAll, describe, expect, test } from 'vitest'
import { type Case, titleOf } from '../../src/testing/manifest/case.ts'
import { runCases } from './holds.ts'

test('a title names the requirements it shows', () => {
  expect(titleOf(['LINE-REAL', 'P-26'], 'a sentence')).toBe('[LINE-REAL, P-26] a sentence')
  expect(titleOf([], 'a sentence')).toBe('a sentence')
})

describe('a conformance suite', () => {
  const seen: string[][] = []
  const use = (world: string[]): void => {
    world.push(expect.getState().currentTestName ?? '')
    seen.push(world)
  }
  const cases: readonly Case<string[]>[] = [
    { ids: [], title: 'runs its first case', run: use },
    { ids: [], title: 'runs its second', run: async (world) => use(world) },
  ]
  runCases(cases, () => [])

  afterAll(() => {
    // Were they to share a world, the second case would find the first one's name in it.
    expect(seen).toEqual([
      ['a conformance suite > runs its first case'],
      ['a conformance suite > runs its second'],
    ])
  })
})
