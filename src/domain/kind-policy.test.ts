import { expect, test } from 'vitest'
import { testSha256 } from '../../tests/support/world.ts'
import { buildPolicy, kindPolicyOf, type Policy } from './policy.ts'

const policy = buildPolicy((words) => testSha256(new TextEncoder().encode(words.join())))

test('a policy that names a kind is gone by', () => {
  expect(kindPolicyOf(policy, 'belief')).toBe(policy.kinds.belief)
})

test('a kind that came after a policy asserts nothing and needs no source under it', () => {
  const { report, ...kinds } = policy.kinds
  const older = { ...policy, kinds: kinds as Policy['kinds'] } // as an older version wrote it
  expect(kindPolicyOf(older, 'report')).toMatchObject({ asserts: false, decay: null })
  expect(kindPolicyOf(older, 'report').sources).toEqual(report.sources)
})
