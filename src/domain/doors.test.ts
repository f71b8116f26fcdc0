import { describe, expect, test } from 'vitest'
import { type Caller, DOOR_RULES, DOORS, isTier, lowerTier, tierAtDoor } from './doors.ts'
import { LABEL_NAMES } from './labels.ts'

const caller = (over: Partial<Caller>): Caller => ({
  door: 'lib',
  operation: 'x',
  person: false,
  grant: null,
  session: null,
  turn: null,
  ...over,
})

const tiers = (over: Partial<Caller>) => {
  const who = caller(over)
  return LABEL_NAMES.map((name) => tierAtDoor(DOOR_RULES[who.door], who, name) ?? '-').join('')
}

describe('what may be claimed', () => {
  // In the order UserAsserted, ExternalFirstHand, RecallReEntry, ModelDerived.
  test.each([
    ['lib', '3201', '3201'],
    ['cli', '--01', '3-01'],
    ['explorer', '----', '3-01'],
    ['hook', '3201', '3201'],
    ['mcp', '--01', '--01'],
    ['http', '--01', '--01'],
    ['import', '----', '----'],
    ['sync', '----', '----'],
  ] as const)('at the door %s is bounded, without and with a person', (door, other, person) => {
    expect(tiers({ door })).toBe(other)
    expect(tiers({ door, person: true })).toBe(person)
  })

  test('every door has its row', () => {
    expect(Object.keys(DOOR_RULES).sort()).toEqual([...DOORS].sort())
  })

  test('is what a token or an origin grants, where the door takes grants', () => {
    const grant = { UserAsserted: 3, ModelDerived: 1 } as const
    for (const door of ['http', 'import', 'sync'] as const) {
      expect(tiers({ door, grant })).toBe('3--1')
      expect(tiers({ door, grant: {} })).toBe('----')
    }
  })

  test('is only ever narrowed by a grant elsewhere', () => {
    const grant = {
      UserAsserted: 3,
      ExternalFirstHand: 3,
      RecallReEntry: 3,
      ModelDerived: 3,
    } as const
    expect(tiers({ door: 'mcp', grant })).toBe('--01')
    expect(tiers({ door: 'cli', grant })).toBe('--01')
    expect(tiers({ door: 'lib', grant })).toBe('3201')
    expect(tiers({ door: 'http', grant })).toBe('3201')
    expect(tiers({ door: 'lib', grant: { UserAsserted: 1 } })).toBe('1---')
  })
})

describe('tiers', () => {
  test('are the integers from 0 to 3', () => {
    expect([0, 1, 2, 3].every(isTier)).toBe(true)
    expect([-1, 4, 1.5, '1', null, Number.NaN].some(isTier)).toBe(false)
    expect(lowerTier(1, 3)).toBe(1)
    expect(lowerTier(3, 1)).toBe(1)
  })
})
