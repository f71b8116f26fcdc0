import { expect, test } from 'vitest'
import { clippedTable } from './table.ts'

const ROWS = 200_000 // more than a call takes arguments

test('a table has as many rows as it is given, and the last column gets what is left of the line', () => {
  const rows = Array.from({ length: ROWS }, () => [{ text: 'ab' }, { text: 'word '.repeat(12) }])
  const lines = clippedTable(rows, 40)
  expect(lines).toHaveLength(ROWS)
  expect(lines[0]).toMatch(/^ab {2}word/)
  expect(lines[0]?.length).toBeLessThanOrEqual(40)
})
