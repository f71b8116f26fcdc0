import { describe, expect, inject, test } from 'vitest'
import { openPage } from './support/browser.ts'
import { desk } from './support/desk.ts'
import { startSite } from './support/server.ts'
import { eventually } from './support/waiting.ts'

const at = desk()

/** The memory as another program sees it. */
async function memoryOf(ref: string) {
  const stack = await at().site.open()
  const why = await stack.history.why(ref)
  await stack.close()
  return why
}

describe('what a person does with a memory', () => {
  test('verifying it by independent evidence raises its confidence', async () => {
    const { page, visit, made, site } = at()
    const stack = await site.open()
    const id = await stack.claims.ingest({
      subject: 'release 2.8',
      predicate: 'outcome',
      value: 'migrations first, four minutes',
      provenance: { type: 'External', kind: 'ExternalFirstHand' },
      cardinality: 'Functional',
      confidence: { valueConfidence: 1, validTimeConfidence: 0 },
      criticality: 'Low',
      derivedFrom: [],
    })
    await stack.close()
    const before = (await memoryOf(made.belief)).memory
    await visit(`memory/${made.belief}`)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByLabel(/^Evidence: refs/).fill(String(id.claimRef))
    await page.getByLabel(/Why, in words/).fill('Seen again')
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verify: done.').waitFor()
    const { memory, changes } = await memoryOf(made.belief)
    expect(memory.verificationCount).toBe(before.verificationCount + 1)
    expect(changes.at(-1)).toMatchObject({ door: 'explorer', text: 'Seen again' })
    await page.getByText('“Seen again”').first().waitFor()
  })

  test('reinforcing without evidence moves nothing, and the page says so', async () => {
    const { page, visit, made } = at()
    const before = (await memoryOf(made.belief)).memory
    await visit(`memory/${made.belief}`)
    await page.getByRole('button', { name: 'Reinforce' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reinforce' }).click()
    await page.getByText(/^Nothing moved/).waitFor()
    expect((await memoryOf(made.belief)).memory.timesReinforced).toBe(before.timesReinforced)
  })

  test('it is forgotten only when asked twice, and recovered', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.report}`)
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await memoryOf(made.report)).memory.strengthTier).not.toBe('forgotten')
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('button', { name: 'Recover' }).click()
    expect((await memoryOf(made.report)).memory.strengthTier).toBe('forgotten')
    await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click()
    await page.getByRole('button', { name: 'Forget' }).waitFor()
    expect((await memoryOf(made.report)).memory.strengthTier).not.toBe('forgotten')
  })

  test('it is protected, and the protection is lifted', async () => {
    const { page, visit, made } = at()
    await visit(`memory/${made.protectedValue}`)
    await page.getByRole('button', { name: 'Lift protection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift protection' }).click()
    await page.getByRole('button', { name: 'Protect', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Protect' }).click()
    await page.getByRole('button', { name: 'Lift protection' }).waitFor()
    expect((await memoryOf(made.protectedValue)).memory.isProtected).toBe(true)
  })

  test('a contest is decided in one click, and undone', async () => {
    const { page, visit, made } = at()
    await visit('claims?subject=orders-service&predicate=owner')
    const side = page.locator('.sides.contested .side-of').filter({ hasText: 'checkout' })
    await page.getByLabel(/Why, in words/).fill('The catalogue is right')
    await side.getByRole('button', { name: 'It is right' }).click()
    await page.getByText('Decided.').waitFor()
    await page.getByText('held', { exact: true }).first().waitFor()
    const { changes } = await memoryOf(made.contested[1])
    expect(changes.at(-1)).toMatchObject({
      op: 'claim.adjudicated',
      text: 'The catalogue is right',
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .locator('.words.large')
      .getByText(/payments or checkout|checkout or payments/)
      .waitFor()
  })

  test('it is erased for good when the word is typed, and the page says so', async () => {
    const { page, site } = at()
    const { naughty } = inject('small')
    await page.goto(`${site.url}/small/memory/${naughty}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Goes: 1 memory').waitFor()
    expect(await dialog.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/Type erase/).fill('erase')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await page.getByText(/^Erased\./).waitFor({ timeout: 50_000 })
    await page.getByText('(erased)').first().waitFor()
    const stack = await site.open('small')
    expect((await stack.history.why(naughty)).memory.text).toBe('(erased)')
    await stack.close()
  })
})

describe('who may do so', () => {
  test('whoever is not signed in looks, and does nothing', async () => {
    const { browser, site, made } = at()
    const { page } = await openPage(browser)
    await page.goto(`${site.url}/demo/memory/${made.belief}`)
    await page.getByText('Looking only').waitFor()
    await page.getByText('Migrations have to run').first().waitFor()
    for (const name of ['Verify', 'Protect', 'Forget', 'Erase']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
    }
    await page.context().close()
  })

  test('a link that was used signs nobody in, and the page says what to do', async () => {
    const { browser, site, made } = at()
    const { page } = await openPage(browser)
    await page.goto(`${site.url}/#token=mun_used_before`)
    await page.getByText(/signs nobody in: it was used already/).waitFor()
    await page.getByText(/prints a new one/).waitFor()
    await page.getByText('Looking only').waitFor()
    // A browser under a bare locale names a language that is no tag: the chart is drawn all the same.
    await page.addInitScript(
      'Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" })',
    )
    await page.goto(`${site.url}/demo/memory/${made.belief}`)
    await page.locator('.chart canvas').waitFor()
    await page.context().close()
  })

  test('signing out takes the rights away, and the token is not left in the address', async () => {
    const { page, site } = at()
    expect(page.url()).not.toContain('token')
    await page.goto(`${site.url}/demo/overview`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Looking only').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('a server that asks for a token lets nobody look without one', async () => {
    const { browser } = at()
    const closed = await startSite({
      from: inject('made').home,
      site: inject('site'),
      allowsAnyone: false,
    })
    try {
      const { page } = await openPage(browser)
      await page.goto(closed.url)
      await page.getByLabel('Token').fill('mun_not_a_token')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      const token = closed.launch().split('=')[1] ?? ''
      await page.getByLabel('Token').fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Signed in').waitFor()
      await eventually(() => page.getByRole('heading', { name: 'Overview' }).count()).toBe(1)
      await page.context().close()
    } finally {
      await closed.stop()
    }
  })
})
