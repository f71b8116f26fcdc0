import { describe, expect, test } from 'vitest'
import { testSha256 } from '../../tests/support/world.ts'
import { DOORS } from './doors.ts'
import { type Hash, RECORD_KINDS } from './ids.ts'
import { definitionOf } from './kinds/table.ts'
import { LIMITS } from './limits.ts'
import { buildPolicy, DEFAULT_NUMBERS } from './policy.ts'
import { RULE_NAMES } from './vocabulary.ts'
import { WORD_TABLE_SHA256 } from './words/search.ts'

const digest = (words: readonly string[]): Hash =>
  testSha256(new TextEncoder().encode(JSON.stringify(words)))

describe('the default policy', () => {
  const policy = buildPolicy(digest)

  test('is plain JSON and says everything the gate goes by', () => {
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy)
    expect(policy.rules).toEqual(RULE_NAMES)
    expect(Object.keys(policy.kinds).sort()).toEqual([...RECORD_KINDS].sort())
    expect(Object.keys(policy.doors).sort()).toEqual([...DOORS].sort())
    expect(policy.limits).toEqual(LIMITS)
    for (const kind of RECORD_KINDS) {
      expect(policy.kinds[kind].sources).toEqual(definitionOf(kind).sources)
      expect(policy.kinds[kind].asserts).toBe(definitionOf(kind).asserts)
    }
  })

  test('has the numbers of the seeds under the names of the seeds', () => {
    expect(policy.numbers).toMatchObject({
      quarantineBurstThreshold: 10,
      burstWindowMs: 600_000,
      tallyWindowMs: 600_000,
      derivationDepthCapForCurrencyBoost: 3,
      derivationDepthCapForOverturning: 3,
      lintCharsMin: 10,
      lintCharsMax: 2_000,
      lintNameCharsMin: 3,
    })
  })

  test('takes other numbers one by one', () => {
    const changed = buildPolicy(digest, { numbers: { quarantineBurstThreshold: 3 } })
    expect(changed.numbers).toEqual({ ...DEFAULT_NUMBERS, quarantineBurstThreshold: 3 })
    expect({ ...changed, numbers: DEFAULT_NUMBERS }).toEqual(policy)
  })

  test('names its word lists by hash, so that a changed list is a changed policy', () => {
    const other = buildPolicy((words) => digest([...words, 'and one more']))
    const { words, ...lists } = policy.lexicons
    expect(words).toBe(WORD_TABLE_SHA256)
    expect(Object.keys(lists)).toHaveLength(5)
    for (const name of Object.keys(lists)) {
      expect(other.lexicons[name]).not.toBe(policy.lexicons[name])
    }
  })
})
