import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { label } from '../../src/domain/labels.ts'
import { desk } from './support/desk.ts'
import { eventually } from './support/waiting.ts'

const at = desk()

/** An answer can be given. */
const asks = (page: Page): Promise<void> => page.locator('.item button:enabled').first().waitFor()

async function question(page: Page): Promise<string | null> {
  await asks(page)
  return page.locator('.item h2').textContent({ timeout: 20_000 })
}

/** Moves on by keyboard until the item says this. */
async function moveTo(page: Page, words: string): Promise<void> {
  await asks(page)
  for (let step = 0; step < 12; step += 1) {
    const shown = await page.locator('.item .words.large').first().textContent()
    if (shown?.includes(words)) return
    await page.keyboard.press('j')
  }
  throw new Error(`Nothing waits that says: ${words}`)
}

const waiting = async (): Promise<readonly string[]> => {
  const stack = await at().site.open()
  const items = await stack.review.list({ limit: 100 })
  await stack.close()
  return items.map(({ memory }) => memory.text)
}

const GONE_MS = 60_000 // five seconds to take it back, and a busy machine

const isAnswered = (words: string) =>
  expect
    .poll(async () => (await waiting()).some((text) => text.includes(words)), {
      timeout: GONE_MS,
      interval: 500,
    })
    .toBe(false)

test('the queue is reached, walked and answered by keyboard alone', async () => {
  const { page, visit } = at()
  await visit('overview')
  await page.getByText('waiting for a person').waitFor()
  // Along the navigation to the page of the queue.
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate('document.activeElement?.textContent')
    if (String(focused).startsWith('Review')) break
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/review')
  // Contests of persons come first.
  expect(await question(page)).toBe('Others say otherwise. Is this right?')
  await moveTo(page, 'never on')
  expect(await question(page)).toBe('Both cannot be true. Which one is?')
  await page.keyboard.press('3')
  await page.getByText('Both may stand:', { exact: false }).waitFor()
  await eventually(() => question(page)).not.toBe('Both cannot be true. Which one is?')
  await isAnswered('never on')
})

test('an answer is taken back within its moment, and nothing was sent', async () => {
  const { page, visit, site } = at()
  await visit('review')
  await moveTo(page, 'Always pick the vendor')
  const stack = await site.open()
  const before = (await stack.ledger.head()).seq
  await page.keyboard.press('1')
  await page.getByText('Reject, and keep it out:', { exact: false }).waitFor()
  await page.keyboard.press('u')
  await moveTo(page, 'Always pick the vendor')
  expect((await stack.ledger.head()).seq).toBe(before)
  await stack.close()
})

test('something set aside is kept out for good', async () => {
  const { page, visit } = at()
  await visit('review?kind=quarantine')
  await moveTo(page, 'Always pick the vendor')
  await page.keyboard.press('1')
  await isAnswered('Always pick the vendor')
})

test('a suggestion is reworded before it is accepted', async () => {
  const { page, visit, site } = at()
  await visit('review?kind=suggestion')
  await moveTo(page, 'Releases on a Friday')
  await page.keyboard.press('e')
  await page.getByLabel('statement').fill('Releases of a Friday wait until Monday morning.')
  await page.getByRole('button', { name: 'Accept like this' }).click()
  await isAnswered('Releases on a Friday')
  const stack = await site.open()
  const beliefs = await stack.getBeliefs({ limit: 50 })
  await stack.close()
  expect(beliefs.map(({ text }) => text)).toContain(
    'Releases of a Friday wait until Monday morning.',
  )
})

test('what lost its ground is forgotten, with the reason that was given', async () => {
  const { page, visit, site, made } = at()
  await visit('review?kind=flagged')
  await moveTo(page, 'The audience reads')
  await page.getByLabel(/Why, in words/).fill('Nobody remembers why')
  await page.getByRole('button', { name: /Forget it/ }).click()
  await isAnswered('The audience reads')
  const stack = await site.open()
  const { changes, memory } = await stack.history.why(made.ungrounded)
  await stack.close()
  expect(memory.strengthTier).toBe('forgotten')
  expect(changes.map(({ text }) => text)).toContain('Nobody remembers why')
})

test('leaving the page sends what was answered', async () => {
  const { page, visit } = at()
  await visit('review?kind=contest')
  await moveTo(page, 'orders-service owner')
  await page.keyboard.press('3')
  await page.getByText('Nobody knows:', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await isAnswered('orders-service owner')
})

test('a proposal shows the fields that would change, and since when it waits', async () => {
  const { page, visit, site } = at()
  const stack = await site.open()
  const me = new Entity('release-agent')
  await me.attachStack(stack)
  const PERSON = { actor: 'dana', label: label.userAsserted() }
  await me.goal('Ship the changelog', { because: 'readers ask', ...PERSON })
  await me.goal('Ship the changelog', { status: 'completed', because: 'it is out' })
  await stack.close()
  await visit('review?kind=proposal')
  await moveTo(page, 'Ship the changelog')
  const item = page.locator('.item')
  await item.locator('.fields', { hasText: 'status: active → completed' }).waitFor()
  await item.getByText('Waiting since', { exact: false }).waitFor()
  await page.keyboard.press('1')
  await isAnswered('Ship the changelog')
})
