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
  await page.getByLabel(/Name of the actor/).fill('service-catalogue')
  await page.getByRole('button', { name: 'What would change?' }).click()
  const answers = page.getByRole('region', { name: 'Answers that would change' })
  await answers.getByText('orders-service / owner').waitFor()
  await answers.getByText('payments, checkout').waitFor()
  // Named by its words, not by its reference alone.
  const losing = page.getByRole('region', { name: 'Would no longer be believed' })
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

test('an actor is chosen from a list that shows the words of each', async () => {
  const { page, visit } = at()
  await visit('distrust')
  const row = page
    .getByRole('region', { name: 'Actors of the newest memories' })
    .getByRole('listitem')
    .filter({ hasText: 'service-catalogue' })
  await row.getByRole('link', { name: 'orders-service owner checkout' }).waitFor()
  await row.getByRole('button', { name: 'What would change without service-catalogue?' }).click()
  await page
    .getByRole('region', { name: 'Answers that would change' })
    .getByText('orders-service / owner')
    .waitFor()
  expect(await page.getByLabel('Name of the actor').inputValue()).toBe('service-catalogue')
})

test('somebody is believed no longer, and again', async () => {
  const { page, visit } = at()
  await visit('distrust?actor=service-catalogue')
  await page.getByLabel('Reason: it is').selectOption('compromised')
  await page.getByRole('button', { name: 'Distrust it' }).click()
  await page.getByText(/^Distrusted: 2 memories/).waitFor()
  expect(await asked()).toEqual({ standing: 'held', value: 'payments' })
  await page
    .getByRole('region', { name: 'Distrusted now' })
    .getByText('service-catalogue')
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Trusted again: 2 memories/).waitFor()
  expect((await asked()).standing).toBe('contested')
})
