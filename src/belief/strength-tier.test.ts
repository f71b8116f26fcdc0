import { expect, test } from 'vitest'
import { tierOfStrength } from './strength-tier.ts'

test.each([
  [1, 'strong'],
  [0.8, 'strong'],
  [0.799, 'fading'],
  [0.5, 'fading'],
  [0.499, 'weak'],
  [0.2, 'weak'],
  [0.199, 'dormant'],
  [Number.MIN_VALUE, 'dormant'],
  [0, 'forgotten'],
])('strength %d is %s', (value, tier) => {
  expect(tierOfStrength(value)).toBe(tier)
})
