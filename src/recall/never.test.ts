import { describe, expect, test } from 'vitest'
import { contradictionBetween } from './contradiction.ts'
import { deniedDeeds, tellsOf } from './never.ts'

const NEVER = 'I have never attended any workshops on resume standards, can you help me?'

describe('what was never done', () => {
  test.each([
    [NEVER, 'I just attended a workshop on international resume standards on 3 May, any tips?'],
    [
      'My plan is simple, but I have never used Bootstrap components in this project before.',
      'The page is slow. I am using the card component of Bootstrap for the gallery.',
    ],
    ['Kenji has never visited the Lisbon office.', 'Kenji visited the office in Lisbon in May.'],
  ])('contradicts a text that tells of it, either way round: %s', (never, told) => {
    expect(contradictionBetween(never, told)).toMatchObject({ kind: 'negation' })
    expect(contradictionBetween(told, never)).toMatchObject({ kind: 'negation' })
  })

  test.each([
    ['I want to attend a workshop on resume standards.'],
    ['I have not attended a workshop on resume standards.'],
    ['Should I attend a workshop on resume standards?'],
    ['Tom attended a workshop on resume standards.'],
    ['I attended a concert on Friday.'],
  ])('does not contradict a wish, a denial, a question or another deed: %s', (told) => {
    const [deed] = deniedDeeds(NEVER)
    expect(deed && [...deed.what]).toEqual(expect.arrayContaining(['workshop', 'resum']))
    expect(deed && tellsOf(told, deed)).toBeNull()
  })
})

test.each([
  ['Ana prefers tabs', 'Ana avoids tabs'],
  ['The cache is helpful', 'The cache is harmful'],
  ['Ben is careful with secrets', 'Ben is careless with secrets'],
  ['The linter is useful', 'The linter is useless'],
  ['The mail server is reliable', 'The mail server is unreliable'],
])('words are contraries: %s — %s', (one, other) => {
  expect(contradictionBetween(one, other)).toMatchObject({ kind: 'opposition' })
})
