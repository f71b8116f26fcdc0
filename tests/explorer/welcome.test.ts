import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { seriousFindings } from './support/axe.ts'
import { openPage, signedIn, startBrowser } from './support/browser.ts'
import { type Site, startSite } from './support/server.ts'

/** A person's first minutes: a home without any stack. */
let browser: Browser
let site: Site
let home: string

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'muniment-welcome-'))
  mkdirSync(path.join(home, 'stacks'))
  browser = await startBrowser()
  site = await startSite({ home, site: inject('site') })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await site?.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('the first page of an empty stack', () => {
  test('welcomes, says that the ledger is empty, and offers three ways to begin', async () => {
    const { page, complaints } = await signedIn(browser, site.launch())
    await page.locator('[data-ledger="empty"]').waitFor()
    expect(await page.getByText('Checking the ledger').count()).toBe(0)
    for (const name of ['Write the first memory', 'Connect a client', 'Look at a sample']) {
      await page.getByRole('region', { name }).waitFor()
    }
    const client = page.getByRole('region', { name: 'Connect a client' })
    await client
      .getByText(
        `claude mcp add --transport http muniment ${site.url}/mcp --header "Authorization: Bearer <token>"`,
      )
      .waitFor()
    await client.getByText('The server asks every client for a token').waitFor()
    expect(await page.content()).not.toMatch(/mun_[\w-]{43}/) // no secret is shown
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await client.getByRole('button', { name: 'Copy the set-up command' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'muniment setup claude-code --hooks',
    )
    expect(await seriousFindings(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('loads a sample into a stack of its own, and leaves this one empty', async () => {
    const { page } = await signedIn(browser, site.launch())
    await page.getByRole('button', { name: 'Load the sample' }).click()
    await page.waitForURL('**/sample/overview')
    await page.getByText('Migrations have to run before the deploy').first().waitFor()
    await page.locator('[data-ledger="sound"]').waitFor()
    const stack = await site.open('sample')
    expect((await stack.ledger.audit()).ok).toBe(true)
    await stack.close()
    await page.goto(`${site.url}/demo/overview`)
    await page.getByRole('region', { name: 'Write the first memory' }).waitFor()
    await page.getByRole('button', { name: 'Load the sample' }).click() // again: nothing is written twice
    await page.waitForURL('**/sample/overview')
    const again = await site.open('sample')
    expect((await again.getBeliefs({})).length).toBe(1)
    await again.close()
  })

  test('keeps the first memory, and shows where it came from', async () => {
    const { page } = await signedIn(browser, site.launch())
    await page.getByRole('textbox', { name: 'A note, in your words' }).fill('We deploy on Tuesdays')
    await page.getByRole('button', { name: 'Save the note' }).click()
    await page.waitForURL('**/memory/note:*')
    await page.getByText('We deploy on Tuesdays').first().waitFor()
    await page.getByText('a person said').first().waitFor()
    await page.locator('[data-ledger="sound"]').waitFor()
  })

  test('offers no writing to a visitor who is not signed in', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${site.url}/`)
    expect(await page.getByRole('button', { name: 'Save the note' }).count()).toBe(0)
  })
})

describe('a wrong address', () => {
  test.each(['demo/nope', 'demo/nope/deeper?x=1', 'demo/overview.html'])(
    'of a page shows the page’s own "not found": %s',
    async (address) => {
      const { page } = await signedIn(browser, site.launch())
      const answer = await page.goto(`${site.url}/${address}`)
      expect(answer?.status()).toBe(404)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await page.getByRole('link', { name: 'Go to the overview' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
    },
  )

  test('of a stack names the stacks that are there', async () => {
    const { page } = await signedIn(browser, site.launch())
    await page.goto(`${site.url}/nowhere/overview`)
    await page.getByRole('heading', { name: 'Stack not found' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'demo' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('of a program stays a problem in JSON', async () => {
    const answer = await fetch(`${site.url}/v1/nope`, { headers: { accept: 'text/html' } })
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    const other = await fetch(`${site.url}/demo/nope`, { headers: { accept: 'application/json' } })
    expect([other.status, other.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('json'),
    ])
  })
})

describe('a stack that a clock two years ahead dated', () => {
  test('says what to do on every page, and a person corrects it there', async () => {
    const ahead = { now: () => Date.now() + 730 * 86_400_000 }
    const write = async (stackId: string, clock?: typeof ahead) => {
      const stack = await openStack(stackId, { home, ...(clock ? { clock } : {}) })
      const me = new Entity('agent')
      await me.attachStack(stack)
      await me.note('A note').finally(() => stack.close())
    }
    await write('ahead', ahead)
    await expect(write('ahead')).rejects.toMatchObject({
      code: 'clock_implausible',
      hint: expect.stringContaining('muniment stack clock --correct'),
    })
    const { page } = await signedIn(browser, site.launch())
    await page.goto(`${site.url}/ahead/overview`)
    const banner = page.getByRole('alert').filter({ hasText: 'Nothing can be saved' })
    await banner.getByRole('button', { name: 'The clock is right' }).click()
    await banner.waitFor({ state: 'detached' })
    await write('ahead')
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    expect(await banner.count()).toBe(0)
  })
})
