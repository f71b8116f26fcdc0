import { expect, test } from 'vitest'
import { termsOf } from '../../domain/words/terms.ts'
import { isAsking, isStandingWish, namesNumber, namesTime } from './said.ts'

const of = (read: (terms: readonly string[]) => boolean, text: string): boolean =>
  read(termsOf(text))

test.each([
  ['What game was it?', true],
  ['Do you have any hobbies?', true],
  ['It was a team shooter game.', false],
])('asks: %s', (text, expected) => {
  expect(of(isAsking, text)).toBe(expected)
})

test.each([
  ['Always use bullet points when I ask about lists.', true],
  ['Please never call me Bob.', true],
  ['From now on, answer in French', true],
  ["Don't send mail on Sundays", true],
  ['I prefer tea to coffee', true],
  ["I'd rather walk", true],
  ['We always walked home', false],
  ['It was rather late', false],
  ['', false],
])('stands as a wish: %s', (text, expected) => {
  expect(of(isStandingWish, text)).toBe(expected)
})

test('times and numbers are told from other words', () => {
  expect(of(namesTime, 'I went there last Friday')).toBe(true)
  expect(of(namesTime, 'back in 2019')).toBe(true)
  expect(of(namesTime, 'the call is at 9:30')).toBe(true)
  expect(of(namesTime, 'I went there')).toBe(false)
  expect(of(namesTime, 'page 9 of 130')).toBe(false)
  expect(of(namesNumber, 'all 15 of them')).toBe(true)
  expect(of(namesNumber, 'all of them')).toBe(false)
})
