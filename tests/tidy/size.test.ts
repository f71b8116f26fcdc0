import { expect, test } from 'vitest'
import { checkSize, LINES_MAX } from './size.ts'

const lines = (count: number): string => 'x\n'.repeat(count)
const code = (count: number, path = 'src/a/b.ts') => [{ path, text: lines(count) }]

test('a file of the limit is short, one line more is not', () => {
  expect(checkSize(code(LINES_MAX), {})).toEqual([])
  expect(checkSize(code(LINES_MAX + 1), {})).toHaveLength(1)
})

test('an argument lets it be, an empty one does not', () => {
  expect(checkSize(code(LINES_MAX + 1), { 'src/a/b.ts': 'one table' })).toEqual([])
  expect(checkSize(code(LINES_MAX + 1), { 'src/a/b.ts': ' ' })).toHaveLength(1)
})

test('an argument for a file that is short or gone is stale', () => {
  expect(checkSize(code(1), { 'src/a/b.ts': 'one table' })).toHaveLength(1)
  expect(checkSize([], { 'src/a/b.ts': 'one table' })).toHaveLength(1)
})

test('tests and documents may be long', () => {
  expect(checkSize(code(LINES_MAX + 1, 'src/a/b.test.ts'), {})).toEqual([])
  expect(checkSize(code(LINES_MAX + 1, 'docs/page.md'), {})).toEqual([])
})
