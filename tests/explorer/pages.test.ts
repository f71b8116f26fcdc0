import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { openPage, signedIn } from './support/browser.ts'
import { desk } from './support/desk.ts'
import { NAUGHTY } from './support/story.ts'
import { eventually, settled } from './support/waiting.ts'

const at = desk()

const FIRST_SCRIPT_BYTES_MAX = 250_000 // compressed, for the first view

const short = (ref: string): string => ref.slice(-8)

describe('the overview', () => {
  test('shows how much is known, what waits, and that the ledger is sound', async () => {
    const { page, visit } = at()
    await visit('overview')
    await page
      .getByText(/^10,0\d\d$/)
      .first()
      .waitFor()
    await page.getByText('waiting for a person').waitFor()
    await page.getByRole('heading', { name: 'Memory health' }).waitFor()
    await page.getByText('Memory uncertainty').waitFor()
    await page.locator('[data-ledger="sound"]').waitFor()
    const newest = page.getByRole('region', { name: 'Learnt lately' })
    expect(await newest.getByRole('listitem').count()).toBe(8)
  })

  test('grows while somebody else writes', async () => {
    const { page, visit, site } = at()
    await visit('overview')
    await page
      .getByRole('region', { name: 'Learnt lately' })
      .getByRole('listitem')
      .first()
      .waitFor()
    const stack = await site.open()
    await stack.claims.remember('harbour', 'lamps', 'lit at dusk')
    await stack.close()
    await page.getByText('harbour lamps lit at dusk').first().waitFor()
  })
})

describe('the search', () => {
  test('finds as one types, and says why as bars', async () => {
    const { page, visit } = at()
    await visit('search')
    await page
      .getByRole('searchbox', { name: 'What to look for' })
      .pressSequentially('migration lock')
    const first = page.getByRole('article').first()
    await first.getByText('migration 12 locked the orders table').waitFor()
    await first.getByText(/^Why:/).click()
    await first.getByText('coverage').waitFor()
    await first.getByText('it says 100 % of what was asked', { exact: false }).waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe('migration lock')
  })

  test('begins anew once the box is emptied, and follows the way back', async () => {
    const { page, visit } = at()
    await visit('search?q=migration+lock')
    const box = page.getByRole('searchbox', { name: 'What to look for' })
    const articles = page.getByRole('article')
    await articles.first().waitFor()
    await box.fill('')
    await page.getByText('Type to search all memories.').waitFor()
    await box.pressSequentially('release')
    await articles.first().waitFor()
    await visit('search?q=release')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.goBack()
    await eventually(() => box.inputValue()).toBe('release')
  })

  test('narrows by kind, tier, actor and time', async () => {
    const { page, visit } = at()
    await visit('search?q=release+migrations+deploy')
    const articles = page.getByRole('article')
    await articles.first().waitFor()
    const all = await articles.count()
    await page.getByRole('button', { name: 'episode' }).click()
    await eventually(() => articles.getByText('raw', { exact: true }).count()).toBe(0)
    expect(await articles.count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'episode' }).click()
    await page.getByLabel('Actor').selectOption('ci-runner')
    await eventually(() => articles.count()).toBeLessThan(all)
    expect(await articles.getByText('ci-runner').count()).toBe(await articles.count())
    await page.getByLabel('Actor').selectOption('')
    await page.getByLabel('Trust tier').selectOption('3')
    await eventually(() => articles.getByText('tier 2').count()).toBe(0)
    await page.getByLabel('Since').fill('2999-01-01')
    await eventually(() => articles.count()).toBe(0)
  })

  test('says why a memory is not there that was expected', async () => {
    const { page, visit, made } = at()
    await visit('search?q=migration+lock&tier=3')
    await page.getByLabel(/Its ref/).fill(`raw:${short(made.report)}`)
    await page.getByRole('button', { name: 'Why not?' }).click()
    await page.locator('.why-not').getByText(/tier/).first().waitFor()
  })
})

describe('a memory', () => {
  test('shows its words, its certificate, the rule that let it in, and what it rests on', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}`)
    await page.getByText('Migrations have to run before the deploy').first().waitFor()
    const papers = page.getByRole('region', { name: 'Birth certificate' })
    await papers.getByText('admit').waitFor()
    for (const fact of ['ModelDerived', 'release-agent', 'local-model', 'release-week', 'mcp']) {
      expect(await papers.getByText(fact).count(), fact).toBeGreaterThan(0)
    }
    await page.getByText('5 sources above, 2 memories resting on it').waitFor()
    await page.locator('.graph-box canvas').first().waitFor()
    await page.locator('.chart canvas').waitFor()
    await page.getByText('“Release 2.6 went the same way”').first().waitFor()
    await page.getByText('Show as a list').click()
    await page.getByText('Made from, roots first: 5').waitFor()
  })

  test('is called by its words, in the title, the heading and each link', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}`)
    const words = 'Migrations have to run before the deploy, never together with it.'
    await page.getByRole('heading', { level: 1, name: words }).waitFor()
    expect(await page.title()).toBe(`${words} · demo · Muniment`)
    const source = page
      .getByRole('region', { name: 'Birth certificate' })
      .getByRole('link', { name: /^Release 2\.4 Failed: the deploy ran/ })
    await source.click()
    await page.getByRole('heading', { level: 1, name: /^Release 2\.4/ }).waitFor()
    await eventually(() => page.title()).toMatch(/^Release 2\.4/)
  })

  test('has the controls of its graph beside the picture', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}`)
    await page.locator('.graph-box canvas').first().waitFor()
    const picture = await page.locator('.graph-box').boundingBox()
    const control = await page.getByRole('button', { name: 'Zoom in' }).boundingBox()
    expect(control?.x).toBeGreaterThanOrEqual((picture?.x ?? 0) + (picture?.width ?? Infinity))
  })

  test('follows its lineage up to the words themselves', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}`)
    await page.getByText('Show as a list').click()
    await page
      .getByRole('link', { name: /migration 12 locked/ })
      .first()
      .click()
    await page.waitForURL(`**/memory/${made.prompt}`)
    await page.getByText('a person said').first().waitFor()
  })

  test('has a proof that this browser checks, by the key that it pinned', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}`)
    await page.locator('[data-ledger="sound"]').waitFor()
    await page.getByRole('button', { name: 'Check the proof here' }).click()
    await page.getByText('✓ Proved in this browser').waitFor()
  })

  test('has a proof that fails where the server’s receipt was altered', async () => {
    const { page, visit, made } = at()
    await page.route('**/prove', async (route) => {
      const answer = await route.fetch()
      const receipt = (await answer.json()) as { sealed: { text: string } }
      receipt.sealed.text = receipt.sealed.text.replace('before', 'after')
      await route.fulfill({ response: answer, json: receipt })
    })
    await visit(`memory/${made.belief}`)
    await page.getByRole('button', { name: 'Check the proof here' }).click()
    await page.getByText('✕ Not proved: commitment.mismatch').waitFor()
    await page.unroute('**/prove')
  })

  test('shows harmful text as text', async () => {
    const { page, visit, made, complaints } = at()
    await visit(`memory/${made.naughty}`)
    const words = page.locator('.words.large')
    await words.waitFor()
    expect((await words.textContent())?.trim()).toBe(NAUGHTY.trim())
    await visit('search?q=script+onerror+harmed')
    await page.getByRole('article').first().getByText('<script>').waitFor()
    expect(await page.evaluate('globalThis.harmed')).toBeUndefined()
    expect(await page.locator('.words img, .words svg, .words b').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('claims', () => {
  test('show claims along both times, and a contest side by side', async () => {
    const { page, visit } = at()
    await visit('claims')
    await page.getByRole('button', { name: /orders-service \/ owner/ }).click()
    await page.locator('.words.large').getByText('payments or checkout').waitFor()
    expect(await page.locator('.timeline-chart path.contested').count()).toBe(2)
    expect(await page.locator('.sides.contested .side-of').count()).toBe(2)
    await page.getByRole('button', { name: /orders-service \/ region/ }).click()
    await page.locator('.timeline-chart path.held').waitFor()
    await page.getByText('eu-central-1').first().waitFor()
  })

  test('are found by words of what is claimed, as one types', async () => {
    const { page, visit } = at()
    await visit('claims')
    const items = page.locator('.queue-list .queue-item')
    await items.first().waitFor()
    await page.getByLabel('Words of what is claimed').pressSequentially('eu-central')
    await eventually(() => items.allTextContents()).toEqual([
      expect.stringContaining('orders-service / region'),
    ])
    await page.getByLabel('Words of what is claimed').fill('nobody ever said this')
    await page.getByText('Nothing is claimed in these words.').waitFor()
  })
})

describe('time', () => {
  test('shows what was learnt and changed between two moments', async () => {
    const { page, visit, made } = at()
    await visit(`time?from=${made.bornAt - 9}&to=${made.bornAt + 11}`)
    const learnt = page.getByRole('region', { name: 'Learnt' }).first()
    await learnt
      .getByText('Migrations have to run before the deploy', { exact: false })
      .first()
      .waitFor()
  })

  test('lets one look around at any moment, and come back', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.belief}?asof=${made.bornAt}`)
    await page.getByText('You look at what was known at').waitFor()
    await page.getByText('72 %').first().waitFor()
    expect(await page.getByRole('button', { name: 'Forget' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByText('“Release 2.6 went the same way”').first().waitFor()
  })

  test('shows activity by day, and a day chooses its entries', async () => {
    const { page, visit } = at()
    await visit('time')
    const card = page.getByRole('region', { name: 'Entries per day' })
    const bars = card.getByRole('button', { name: /^\d{4}-\d\d-\d\d: \d+ entr/ })
    await bars.first().waitFor()
    const all = await bars.all()
    const names = await Promise.all(
      all.map(async (bar) => (await bar.getAttribute('aria-label')) ?? ''),
    )
    const counts = names.map((name) => Number(name.split(': ')[1]?.split(' ')[0]))
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(3_000)
    const busiest = counts.indexOf(Math.max(...counts))
    await bars.nth(busiest).click()
    await page.getByText(`${counts[busiest]} entries between them.`).waitFor()
    expect(await page.getByLabel('To day').inputValue()).toBe(names[busiest]?.slice(0, 10))
  })

  test('moves to the end of a day that is named', async () => {
    const { page, visit } = at()
    await visit('time')
    const slider = page.getByRole('slider', { name: 'To' })
    const day = new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('To day').fill(day)
    await eventually(async () => (await slider.getAttribute('aria-valuetext')) ?? '').toContain(day)
    const seq = Number(await slider.inputValue())
    const stack = await at().site.open()
    const { entries } = await stack.ledger.entries({ from: seq, limit: 2 })
    await stack.close()
    const times = entries.map(({ entry }) => String(JSON.parse(entry).time).slice(0, 10))
    expect(times[0]).toBe(day)
    expect(times[1]).not.toBe(day)
  })

  test('moves by the slider', async () => {
    const { page, visit } = at()
    await visit('time?from=9990&to=10010')
    const slider = page.getByRole('slider', { name: /^To/ })
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => new URL(page.url()).searchParams.get('to')).toBe('10009')
  })
})

describe('every page', () => {
  const pages = (): readonly string[] => [
    'overview',
    'browse',
    'search?q=migration',
    `memory/${at().made.belief}`,
    'review',
    'claims?subject=orders-service&predicate=owner',
    'ledger?at=5',
    'time',
    'distrust?actor=service-catalogue',
  ]

  test.each(['light', 'dark'] as const)(
    'has no serious finding of accessibility, %s',
    async (theme) => {
      const { page, visit } = at()
      await page.emulateMedia({ colorScheme: theme })
      const found: string[] = []
      for (const path of pages()) {
        await visit(path)
        await settled(page)
        found.push(
          ...(await seriousFindings(page, theme === 'light' ? 'all' : 'colours')).map(
            (each) => `${path}: ${each}`,
          ),
        )
      }
      await page.emulateMedia({ colorScheme: 'light' })
      expect(found).toEqual([])
    },
  )

  test('fits a phone', async () => {
    const { browser, site } = at()
    const { page } = await openPage(browser, { width: 390 })
    for (const path of pages()) {
      await page.goto(`${site.url}/demo/${path}`)
      await settled(page)
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide, path).toBeLessThanOrEqual(390)
    }
    await page.context().close()
  })

  test('opens the search by a key, and shows the keys', async () => {
    const { page, visit } = at()
    const box = page.getByRole('searchbox', { name: 'What to look for' })
    await visit('overview')
    await settled(page)
    await page.keyboard.press('/')
    await box.waitFor()
    expect(await box.inputValue()).toBe('')
    await visit('claims')
    await page.getByLabel('Words of what is claimed').pressSequentially('a/b?')
    expect(await page.getByLabel('Words of what is claimed').inputValue()).toBe('a/b?')
    await page.keyboard.press('Control+k')
    await box.waitFor()
    await visit('ledger')
    await settled(page)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('open the search').waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
  })

  test('has its navigation at the bottom of a phone, under a header of one line', async () => {
    const { browser, site } = at()
    const { page } = await signedIn(browser, site.launch(), { width: 390 })
    await settled(page)
    const header = await page.locator('.side').boundingBox()
    const nav = await page.getByRole('navigation', { name: 'Pages' }).boundingBox()
    expect(header?.height).toBeLessThanOrEqual(56)
    expect((nav?.y ?? 0) + (nav?.height ?? 0)).toBe(860)
    for (const name of ['Overview', 'Browse', 'Distrust']) {
      const link = await page.getByRole('link', { name, exact: true }).boundingBox()
      expect((link?.x ?? -1) >= 0 && (link?.x ?? 0) + (link?.width ?? 0) <= 390, name).toBe(true)
    }
    await page.context().close()
  })

  test('asks for little script before it shows anything', async () => {
    const { browser, site } = at()
    const { page } = await openPage(browser)
    const scripts: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.body())
    })
    await page.goto(`${site.url}/demo/overview`)
    await settled(page)
    await page.locator('[data-ledger="sound"]').waitFor() // what checks the ledger comes last
    const bytes = (await Promise.all(scripts)).map((body) => gzipSync(body).length)
    expect(bytes.length).toBeGreaterThan(1)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(FIRST_SCRIPT_BYTES_MAX)
    await page.context().close()
  })

  test('is light or dark as the system or the person likes', async () => {
    const { page, visit } = at()
    await visit('overview')
    const theme = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme')
    await page.getByLabel('Theme').selectOption('dark')
    expect(await theme()).toBe('dark')
    await page.reload()
    expect(await theme()).toBe('dark')
    await page.getByLabel('Theme').selectOption('system')
    expect(await theme()).toBe('light')
  })

  test('asked nothing of anyone else, and broke no rule of what may run', () => {
    expect(at().complaints).toEqual([])
  })
})
