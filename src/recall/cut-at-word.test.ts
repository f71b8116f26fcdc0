import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutAtWord } from './cut-at-word.ts'

test('a text that fits stays as it is', () => {
  expect(cutAtWord('as it is', 8)).toBe('as it is')
  expect(cutAtWord('', 0)).toBe('')
})

test('a longer one ends between words', () => {
  expect(cutAtWord('one two three four', 12)).toBe('one two…')
  expect(cutAtWord('one two three four', 14)).toBe('one two three…')
  expect(cutAtWord('one two   three', 11)).toBe('one two…')
})

test('a word that fills the room is cut itself, but never a character', () => {
  expect(cutAtWord('abcdefghij', 5)).toBe('abcd…')
  expect(cutAtWord('a bcdefghijkl', 8)).toBe('a bcdef…')
  expect(cutAtWord('😀😀😀', 4)).toBe('😀…')
  expect(cutAtWord('abc', 1)).toBe('…')
  expect(cutAtWord('abc', 0)).toBe('')
})

const words = fc.string({ unit: fc.constantFrom('a', 'bc', ' ', '\n', '😀', '東', '\ud800') })

test('a cut text is never longer than allowed, begins as the text does and stays well formed', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (text, max) => {
      const cut = cutAtWord(text, max)
      expect(cut.length).toBeLessThanOrEqual(max)
      if (cut === text) return
      expect(cut.endsWith('…')).toBe(true)
      expect(text.startsWith(cut.slice(0, -1))).toBe(true)
      if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true)
    }),
  )
})

test('where words are short it ends after a whole one', () => {
  const short = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(short, fc.integer({ min: 20, max: 200 }), (list, max) => {
      const text = list.join(' ')
      const cut = cutAtWord(text, max)
      if (cut === text) return
      const kept = cut.slice(0, -1).split(' ')
      expect(kept).toEqual(list.slice(0, kept.length))
    }),
  )
})
