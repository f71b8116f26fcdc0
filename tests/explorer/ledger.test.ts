import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { desk } from './support/desk.ts'
import { startSite } from './support/server.ts'
import { eventually } from './support/waiting.ts'

const at = desk()

describe('the ledger', () => {
  test('shows entries as they come', async () => {
    const { page, visit, site } = at()
    await visit('ledger')
    const list = page.getByRole('region', { name: 'Entries, newest first' })
    await list.getByText('memory saved').first().waitFor()
    const stack = await site.open()
    await stack.claims.remember('tide', 'height', '4.2 m')
    const { seq } = await stack.ledger.head()
    await stack.close()
    await list.getByText(`#${seq}`).waitFor()
  })

  test('is scrolled to its first entry without loading what lies between', async () => {
    const { page, visit } = at()
    await visit('ledger')
    const list = page.getByRole('region', { name: 'Entries, newest first' })
    await list.getByText('memory saved').first().waitFor()
    await list.focus()
    await page.keyboard.press('End')
    await list.getByText('genesis').waitFor()
    expect(await list.getByRole('listitem').count()).toBeLessThan(60)
  })

  test('finds entries of one sort, however far back', async () => {
    const { page, visit } = at()
    await visit('ledger')
    await page.getByLabel('What happened').selectOption('memory.verified')
    await page.getByText('1 found in the whole ledger').waitFor()
    await page.getByRole('button', { name: /memory verified/ }).click()
    await page.getByText('Hash of these bytes').waitFor()
  })

  test('shows what an edit would look like when caught', async () => {
    const { page, visit } = at()
    await visit('ledger?at=7')
    const bytes = page.getByLabel(/The bytes that were hashed/)
    await page.locator('code.good').waitFor()
    const text = await bytes.inputValue()
    await bytes.fill(text.replace('"seq":7', '"seq":8'))
    await page.locator('code.bad-text').waitFor()
    await page.getByText('entry 8 names', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'As it was' }).click()
    await page.locator('code.good').waitFor()
  })

  test('is verified whole in the browser', async () => {
    const { page, visit } = at()
    await visit('ledger')
    await page.locator('[data-ledger="sound"]').waitFor()
    await page.getByRole('button', { name: /^Verify 10,/ }).click()
    await page.locator('[data-verdict="sound"]').waitFor({ timeout: 60_000 })
    await page.getByText('signed by the key that this browser knows', { exact: false }).waitFor()
  })

  test('shows red where an entry is not what its hash says', async () => {
    const { page, visit } = at()
    await page.route('**/entries', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { entries: { seq: number; entry: string }[] }
      for (const line of body.entries) {
        if (line.seq === 1234) line.entry = line.entry.replace('"tier":2', '"tier":3')
      }
      await route.fulfill({ response: answer, json: body })
    })
    await visit('ledger')
    await page.getByRole('button', { name: /^Verify 10,/ }).click()
    await page.getByText(/Entry 1234 does not have the hash/).waitFor({ timeout: 60_000 })
    await page.unroute('**/entries')
  })
})

const PORT_ANY = 0

holds(
  'LEDGER-DETECT',
  'a ledger that was rewritten from end to end shows red against the head the browser pinned, though the server finds nothing amiss',
  async () => {
    const { page, site, made } = at()
    const { port, hostname } = new URL(site.url)
    // The browser has pinned a head of this ledger.
    await page.goto(`${site.url}/demo/ledger`)
    await page.locator('[data-ledger="sound"]').waitFor()
    const files = path.join(site.home, 'stacks')
    await site.serving.stop()
    // Somebody brings back the stack of yesterday and lets it tell another story from there on.
    rmSync(files, { recursive: true, force: true })
    cpSync(path.join(made.home, 'stacks'), files, { recursive: true })
    const forged = await site.open()
    for (let n = 0; n < 40; n += 1)
      await forged.claims.remember('user', `wish ${n}`, 'whatever the forger likes')
    await forged.close()
    const again = await startSite({
      home: site.home,
      site: at().siteFolder,
      port: Number(port) || PORT_ANY,
    })
    try {
      expect(new URL(again.url).host).toBe(`${hostname}:${port}`)
      const audit = await fetch(`${again.url}/v1/stacks/demo/audit`, { method: 'POST' })
      expect(await audit.json()).toMatchObject({ ok: true })
      await page.goto(`${again.url}/demo/ledger`)
      await page.locator('[data-ledger="broken"]').waitFor()
      await page.getByText('This is not the ledger that this browser knows.').waitFor()
      await page.getByText('it was rewritten', { exact: false }).first().waitFor()
      await page.getByRole('button', { name: /^Verify 10,/ }).click()
      await page.locator('[data-verdict="broken"]').waitFor({ timeout: 60_000 })
      // On every page, until somebody says that they know why.
      await page.goto(`${again.url}/demo/overview`)
      await page.getByRole('alert').getByText('This is not the ledger').waitFor()
      await page.getByRole('link', { name: 'Look at the ledger' }).click()
      await page.getByRole('button', { name: 'Forget the pin' }).click()
      await page.getByRole('button', { name: 'Forget it' }).click()
      await eventually(() => page.locator('[data-ledger="sound"]').count()).toBe(1)
    } finally {
      await again.stop()
    }
  },
)
