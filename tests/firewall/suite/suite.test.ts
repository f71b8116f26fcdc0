import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { NO_DATA } from '../../support/data.ts'
import { isMet, problemOf } from './judge.ts'
import { barsTable, type Measured, printedTable, withBars } from './print.ts'
import { ROWS, titleOf } from './table.ts'

const measured: Measured[] = []

describe('the firewall, row by row', () => {
  test.for(ROWS.map((row) => [titleOf(row), row] as const))('%s', async ([_, row], context) => {
    const figure = await row.measure()
    const met = figure === undefined || isMet(figure, row)
    measured.push({ row, figure, isMet: met })
    // skip: the row needs outside data, and the printed table says so too
    if (figure === undefined) return context.skip(NO_DATA)
    expect(problemOf(figure, row), figure.misses.slice(0, 5).join('\n')).toBeUndefined()
  })
})

test('no two rows have one title', () => {
  const titles = ROWS.map(titleOf)
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
})

describe('a row', () => {
  const bar = { must: 'at most 10 % wrong', percentMax: 10 }
  const figure = (bad: number) => ({ bad, of: 60, misses: [] })

  test('passes up to its bar and fails above the bar', () => {
    expect(problemOf(figure(6), bar)).toBeUndefined()
    expect(problemOf(figure(7), bar)).toContain('bar: at most 10 % wrong')
  })
})

const PAGE = new URL('../../../docs/firewall.md', import.meta.url)

afterAll(() => {
  process.stdout.write(`\n${printedTable(measured)}\n`)
  // A part of the rows, or a run without the outside data, would write half of the table.
  const isWhole = measured.filter(({ figure }) => figure !== undefined).length === ROWS.length
  if (process.env.MUNIMENT_WRITE_TABLE === '1' && isWhole)
    writeFileSync(PAGE, withBars(readFileSync(PAGE, 'utf8'), barsTable(measured)))
})
