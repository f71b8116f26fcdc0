import { expect, test } from 'vitest'
import { emptyRows } from './rows.ts'
import { countedIn } from './search.ts'

const MANY = 200_000 // more than a call takes arguments

test('terms are counted among more memories than a call takes arguments', () => {
  const rows = emptyRows()
  for (let seq = 0; seq < MANY; seq += 1) rows.texts.set(seq, ['boat'])
  const { documents, held } = countedIn(rows, ['boat', 'gull'])
  expect(documents).toBe(MANY)
  expect(held).toEqual([
    { term: 'boat', held: MANY },
    { term: 'gull', held: 0 },
  ])
})
