import { expect, test } from 'vitest'
import { desk } from './support/desk.ts'

const at = desk()

const asked = async () => {
  const stack = await at().site.open()
  const answer = await stack.claims.ask({ subject: 'orders-service', predicate: 'owner' })
  await stack.close()
  return { standing: answer.standing, value: answer.value }
}

test('what would change is shown before anything does', async () => {
  const { page, visit } = at()
  await visit('distrust')
  await page.getByLabel(/Who handed it in/).fill('service-catalogue')
  await page.getByRole('button', { name: 'What would change?' }).click()
  const answers = page.getByRole('region', { name: 'Answers that would change' })
  await answers.getByText('orders-service / owner').waitFor()
  await answers.getByText('payments, checkout').waitFor()
  // Told by its words, not by its reference alone.
  const losing = page.getByRole('region', { name: 'Would lose its belief' })
  await losing
    .getByRole('link', { name: /checkout/ })
    .first()
    .waitFor()
  expect((await asked()).standing).toBe('contested')
})

test('actors that were met lately are offered by name', async () => {
  const { page, visit } = at()
  await visit('distrust')
  await page.locator('datalist option[value="service-catalogue"]').waitFor({ state: 'attached' })
})

test('somebody is believed no longer, and again', async () => {
  const { page, visit } = at()
  await visit('distrust?actor=service-catalogue')
  await page.getByLabel('Because it is').selectOption('compromised')
  await page.getByRole('button', { name: 'Believe it no longer' }).click()
  await page.getByText(/^Believed no longer: 2 memories/).waitFor()
  expect(await asked()).toEqual({ standing: 'held', value: 'payments' })
  await page
    .getByRole('region', { name: 'Not believed now' })
    .getByText('service-catalogue')
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Believed again: 2 memories/).waitFor()
  expect((await asked()).standing).toBe('contested')
})
