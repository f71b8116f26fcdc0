import { expect, test } from 'vitest'
import { type Row, sorted } from './row.ts'

const row = (words: string, confidence: number): Row => ({
  ref: `note:${words}`,
  kind: 'note',
  words,
  tier: 1,
  actor: 'agent',
  confidence,
  strength: 1,
  created: '2026-01-01T00:00:00.000Z',
  status: 'believed',
})

const words = (rows: readonly Row[]): string => rows.map((each) => each.words).join(' ')

test('numbers are sorted as numbers and words as words, both ways', () => {
  const rows = [row('b', 0.9), row('a', 0.1), row('c', 0.25)]
  expect(words(sorted(rows, { by: 'confidence', isRising: true }))).toBe('a c b')
  expect(words(sorted(rows, { by: 'words', isRising: false }))).toBe('c b a')
})

test('rows that are equal in the chosen column keep their order', () => {
  const rows = [row('b', 0.5), row('a', 0.5), row('c', 0.5)]
  expect(words(sorted(rows, { by: 'confidence', isRising: false }))).toBe('b a c')
})
