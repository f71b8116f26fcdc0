import { expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { freshEntity } from '../stack/support.ts'

const WISHES = [
  'Never deploy on a Friday',
  'I prefer short answers without headings',
  'Always write the test before the fix',
  'Please name the ticket in every commit',
  'Do not add a dependency without asking me',
  'Buttons must never be red',
  'Keep every migration reversible',
  'I want dates written out, never as numbers only',
]

/** Wishes first, and hundreds of routine notes behind them. */
async function worked() {
  const { me, stack } = await freshEntity()
  for (const wish of WISHES) await me.raw(wish, { label: label.userAsserted() })
  await me.raw('Add a button to the checkout', { label: label.userAsserted() })
  for (let run = 0; run < 300; run += 1)
    await me.note(`Ran suite ${run} on machine ${run % 7}: ${200 + run} passed, 0 failed`)
  return { me, stack }
}

test('a session starts with every wish of a person, however many routine notes came since', async () => {
  const { me, stack } = await worked()
  const { ref } = await me.note('The importer reads the feed of the warehouse')
  const { prompts, notes, _meta: meta } = await stack.load({ tokenBudget: 2_000 })
  expect(prompts.map(({ content }) => content).toSorted()).toEqual(WISHES.toSorted())
  expect(notes[0]?.memory.ref).toBe(ref) // before every run
  expect(meta.budgetUsed).toBeLessThanOrEqual(2_000)
})

test('a replaced statement gives its place to the one that holds', async () => {
  const { me, stack } = await freshEntity()
  const { ref } = await me.note('The production shop runs on Heroku')
  await me.note('We moved production from Heroku to Fly')
  const { notes, _meta: meta } = await stack.load()
  expect(notes.map(({ content }) => content)).toEqual(['We moved production from Heroku to Fly'])
  expect(meta.excluded).toContainEqual({ ref, reason: 'replaced' })
})
