import { describe, expect, test } from 'vitest'
import { KINDS } from '../../src/domain/ids.ts'
import { desk } from './support/desk.ts'
import { eventually, settled } from './support/waiting.ts'

const at = desk()

const table = () => at().page.getByRole('grid', { name: 'Memories' })
const rows = () => table().locator('tbody tr[aria-rowindex]')
const column = (name: string) => rows().locator(`td.${name}`)
const chosen = () => table().locator('tr[aria-selected=true]').getAttribute('aria-rowindex')

describe('the table of all memories', () => {
  test('shows each with its kind, words, tier, actor, numbers, day and status', async () => {
    const { visit } = at()
    await visit('browse?kind=belief')
    const row = rows().filter({ hasText: 'Migrations have to run before the deploy' })
    await row.waitFor()
    const cells = await row.getByRole('gridcell').allTextContents()
    expect(cells).toEqual([
      'belief',
      'Migrations have to run before the deploy, never together with it.',
      '1',
      'release-agent',
      expect.stringMatching(/^\d+ %$/),
      expect.stringMatching(/^\d+ %$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expect.any(String),
    ])
  })

  test('draws a few rows of ten thousand, and fetches further pages as one scrolls', async () => {
    const { page, visit } = at()
    await visit('browse')
    await page.getByText('200 shown; more follow as you scroll.').waitFor()
    expect(await rows().count()).toBeLessThan(60)
    await page.evaluate("document.querySelector('.table-box').scrollTop = 1e9")
    await page.getByText('400 shown; more follow as you scroll.').waitFor()
    expect(await rows().count()).toBeLessThan(60)
  })

  test('every page continues where the last one ended', async () => {
    const { page, visit, site } = at()
    await visit('browse')
    const refs: string[] = []
    await page.getByText('200 shown').waitFor()
    for (let top = 0; top < 450 * 36; top += 15 * 36) {
      await page.evaluate(`document.querySelector('.table-box').scrollTop = ${top}`)
      await page.locator(`tr[aria-rowindex="${top / 36 + 10}"]`).waitFor()
      const drawn = await page.evaluate<readonly (readonly [string, string])[]>(
        `[...document.querySelectorAll('tr[aria-rowindex] td.words')]
          .map((cell) => [cell.parentElement.getAttribute('aria-rowindex'), cell.title])`,
      )
      for (const [index, ref] of drawn) refs[Number(index) - 2] = ref
    }
    const stack = await site.open()
    const all = await Promise.all(KINDS.map((kind) => stack.list(kind, { limit: 500 })))
    await stack.close()
    const expected = all.flat().sort((a, b) => b.entry.seq - a.entry.seq)
    expect(refs.length).toBeGreaterThan(400)
    expect(refs).toEqual(expected.slice(0, refs.length).map(({ ref }) => ref))
  })

  test('is narrowed by kind, tier, actor, day and words', async () => {
    const { page, visit } = at()
    await visit('browse')
    await page.getByLabel('Kind').selectOption('claim')
    await eventually(async () => new Set(await column('kind').allTextContents())).toEqual(
      new Set(['claim']),
    )
    await page.getByLabel('Actor').selectOption('service-catalogue')
    await eventually(() => column('words').allTextContents()).toEqual([
      expect.stringContaining('orders-service owner'),
    ])
    await page.getByLabel('Actor').selectOption('')
    await page.getByLabel('Trust tier').selectOption('3')
    await eventually(async () => new Set(await column('tier').allTextContents())).toEqual(
      new Set(['3']),
    )
    await page.getByLabel('Trust tier').selectOption('')
    await page.getByLabel('Since').fill('2999-01-01')
    await page.getByText('No memory fits these filters.').waitFor()
    await page.getByLabel('Since').fill('')
    await page.getByLabel('Kind').selectOption('')
    await page.getByLabel('Words').pressSequentially('migration 12 locked')
    await eventually(() => column('words').first().textContent()).toContain('migration 12')
  })

  test('sorts by a column, both ways, and says so', async () => {
    const { page, visit } = at()
    await visit('browse?kind=belief')
    const percents = async () =>
      (await column('confidence').allTextContents()).map((text) => Number.parseInt(text, 10))
    await page.getByRole('button', { name: 'Confidence' }).click()
    await table().locator('th.confidence[aria-sort=descending]').waitFor()
    const falling = await percents()
    expect(falling.length).toBeGreaterThan(2)
    expect(falling).toEqual([...falling].sort((a, b) => b - a))
    await page.getByRole('button', { name: 'Confidence' }).click()
    await eventually(percents).toEqual([...falling].reverse())
    expect(falling[0]).toBeGreaterThan(falling.at(-1) ?? Number.NaN)
  })

  test('says that only the newest are sorted where more fit', async () => {
    const { page, visit } = at()
    await visit('browse?sort=strength&order=falling')
    await page.getByText(/^The newest 2,000 are sorted\./).waitFor()
  })

  test('is walked by keyboard, and Enter opens a memory', async () => {
    const { page, visit } = at()
    await visit('browse?kind=belief')
    await rows().nth(3).waitFor()
    await page.keyboard.press('j')
    expect(await chosen()).toBe('3')
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe('4')
    await page.keyboard.press('k')
    expect(await chosen()).toBe('3')
    const ref = await rows().nth(1).locator('td.words').getAttribute('title')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/memory/${ref}`)
  })

  test('takes in what is written meanwhile', async () => {
    const { page, visit, site } = at()
    await visit('browse?kind=claim')
    await rows().first().waitFor()
    await settled(page)
    const stack = await site.open()
    await stack.claims.remember('harbour', 'cranes', 'four of them')
    await stack.close()
    await eventually(() => column('words').first().textContent()).toContain('four of them')
  })
})
