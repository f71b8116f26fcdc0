import { describe, expect, test } from 'vitest'
import { LINT_FRAGMENTS, LINT_PLACEHOLDERS, LINT_PREFIXES } from '../domain/words/lexicons.ts'
import { lintStatement } from './quote.ts'

const lint = (text: string, bounds = { min: 10, max: 2_000 }) => lintStatement(text, bounds)

describe('lint', () => {
  test.each([
    ['abcdefghij', []],
    ['Teams work better together', []],
    ['abcdefghi', ['too_short']],
    ['short', ['too_short']],
    ['aaaaa', ['too_short', 'templated_noise']],
    ['I should always consider the', ['trailing_fragment']],
    ['Value: x', ['too_short', 'prefix_artifact']],
  ])('reads %j as the seed does', (text, reasons) => {
    expect(lint(text)).toEqual(reasons)
  })

  test('a name is held to its own minimum', () => {
    expect(lint('ab', { min: 3, max: 2_000 })).toEqual(['too_short'])
    expect(lint('abc', { min: 3, max: 2_000 })).toEqual([])
  })

  test('counts characters, not units, and not the blanks around them', () => {
    expect(lint('😀'.repeat(9))).toEqual(['too_short', 'templated_noise'])
    expect(lint('  日本語の文章は短いです  ')).toEqual([])
    expect(lint(`${'x y '.repeat(500)}`)).toEqual([])
    expect(lint(`${'x y '.repeat(500)}end`)).toEqual(['too_long'])
  })

  test.each(LINT_PREFIXES)(
    'a statement that starts with %j and a colon is a pasted field',
    (name) => {
      expect(lint(`${name.toUpperCase()} : people like tea`)).toContain('prefix_artifact')
      expect(lint(`${name}s like tea a lot`)).toEqual([])
    },
  )

  test.each(LINT_PLACEHOLDERS)('%j holds a place and says nothing', (word) => {
    expect(lint(word.toUpperCase())).toContain('templated_noise')
    expect(lint(`${word} is a word like others`)).not.toContain('templated_noise')
  })

  test.each(LINT_FRAGMENTS)('a sentence does not end in %j', (word) => {
    expect(lint(`People like tea ${word}`)).toEqual(['trailing_fragment'])
    expect(lint(`People like tea ${word}.`)).toEqual([])
    expect(lint(`People like x${word}`)).toEqual([])
  })

  test.each(['People like..', 'People like tea...', 'People like tea…', '…………………', '?!?!?!?!?!?!'])(
    '%j is unfinished or only marks',
    (text) => {
      expect(lint(text)).toContain('templated_noise')
    },
  )

  test('a full stop, or dots inside, finish nothing too early', () => {
    expect(lint('People like tea.')).toEqual([])
    expect(lint('People like tea... mostly')).toEqual([])
    expect(lint('aaaab and then more')).toEqual([])
  })
})
