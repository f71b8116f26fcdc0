// Takes the pictures of the explorer that the documents show, on a stack made for it:
// `npm run pictures`, after a build.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { signedIn, startBrowser } from '../tests/explorer/support/browser.ts'
import { makeStack } from '../tests/explorer/support/make-stack.ts'
import { startSite } from '../tests/explorer/support/server.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const images = path.join(root, 'docs/images')
const site = path.join(root, 'dist/explorer')
const MEMORIES = 10_000
const QUALITY = 78

const take = async (page: Page, name: string): Promise<void> => {
  await page.waitForTimeout(1_500) // what is drawn on a canvas does not say when it is done
  await page.screenshot({ path: path.join(images, `${name}.jpg`), type: 'jpeg', quality: QUALITY })
}

mkdirSync(images, { recursive: true })
const home = mkdtempSync(path.join(tmpdir(), 'muniment-pictures-'))
const made = await makeStack(home, 'demo', MEMORIES)
cpSync(path.join(home, 'stacks'), path.join(home, 'yesterday'), { recursive: true })
const browser = await startBrowser()
const serving = await startSite({ home, site })
const { port } = new URL(serving.url)

const { page } = await signedIn(browser, serving.launch())
const visit = async (place: string): Promise<void> => {
  await page.goto(`${serving.url}/demo/${place}`)
  await page.locator('[data-ledger="sound"]').waitFor()
}
await visit('overview')
await take(page, 'overview')
await visit(`memory/${made.belief}`)
await take(page, 'memory')
await visit('browse')
await take(page, 'browse')
await visit('search?q=migration+lock')
await page.getByText(/^Why:/).first().click()
await take(page, 'search')
await visit('claims?subject=orders-service&predicate=owner')
await take(page, 'claims')
await visit(`time?from=${MEMORIES + 8}&to=${MEMORIES + 45}`)
await take(page, 'time')
await page.emulateMedia({ colorScheme: 'dark' })
await visit('review')
await take(page, 'review')
await visit('distrust?actor=platform-team')
await take(page, 'distrust')

// Another story from yesterday on: sound in itself, and not the one that the browser pinned.
await visit('ledger')
const grown = await serving.open()
await grown.claims.remember('harbour', 'lamps', 'lit at dusk')
await grown.close()
await page.getByRole('button', { name: 'Check again' }).click()
await page.waitForTimeout(1_500)
await serving.stop()
rmSync(path.join(home, 'stacks'), { recursive: true, force: true })
cpSync(path.join(home, 'yesterday'), path.join(home, 'stacks'), { recursive: true })
const forged = await serving.open()
await forged.claims.remember('harbour', 'lamps', 'dark since Monday')
await forged.claims.remember('harbour', 'keeper', 'nobody')
await forged.close()
const again = await startSite({ home, site, port: Number(port) })
await page.goto(`${again.url}/demo/ledger`)
await page.locator('[data-ledger="broken"]').waitFor()
await page.getByRole('button', { name: /^Verify/ }).click()
await page.locator('[data-verdict="broken"]').waitFor({ timeout: 60_000 })
await take(page, 'ledger')

await browser.close()
await again.stop()
rmSync(home, { recursive: true, force: true })
