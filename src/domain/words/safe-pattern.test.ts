import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern } from './secrets.ts'

const faultOf = (pattern: string): string | null => compilePattern({ name: 'badge', pattern }).fault

test.each([
  'EMP-[0-9]{6}',
  'tok_[A-Za-z0-9]{20,200}',
  '\\bACME(?:-[A-Z]{4}){3}\\b',
  '(?:alpha|beta)-\\d{2,8}',
  '\\p{Lu}{2}\\u002d\\d{4}',
])('a pattern whose repetitions end is taken: %s', (pattern) => {
  const { regexp, fault } = compilePattern({ name: 'badge', pattern })
  expect(fault).toBeNull()
  expect(regexp?.flags).toBe('gu')
})

test.each([
  ['a+', /without an end/],
  ['a*b', /without an end/],
  ['a{2,}b', /without an end/],
  ['(?:a{1,30}){1,30}b', /ways/],
  ['(?:a|a){1,20}b', /ways/],
  ['a{0,100}a{0,100}b', /ways/],
  ['(a)\\1', /refers back/],
  ['(?=a)b', /looks ahead/],
  ['(?<=a)b', /looks ahead/],
  ['(?<n>a)b', /looks ahead/],
  ['a?', /nothing is/],
  ['\\b', /nothing is/],
  ['a{9000}', /more than 4096/],
  ['(', /no regular expression/],
  ['x'.repeat(501), /longer/],
])('a pattern that a text could make slow, or that says nothing, is not: %s', (pattern, why) => {
  expect(faultOf(pattern)).toMatch(why)
})

test('a name is what can stand in a mark', () => {
  expect(compilePattern({ name: 'Badge!', pattern: 'x' }).fault).toMatch(/name/)
})

test('whatever is taken ends soon on a text made to keep it trying', () => {
  const piece = fc.constantFrom('a', '[ab]', 'a{1,8}', '(?:a|b)', '(?:a{1,3}b?){1,3}', '\\w{2,40}')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
      const pattern = `${pieces.join('')}!`
      const { regexp } = compilePattern({ name: 'p', pattern })
      // Ways are counted for one place: the whole takes no more than ways times places.
      if (regexp) expect('ab'.repeat(400).replace(regexp, '').length).toBeLessThanOrEqual(800)
    }),
    { numRuns: 100 },
  )
})
