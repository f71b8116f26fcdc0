import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import type { Stack } from '../../src/stack.ts'
import { freshEntity } from '../stack/support.ts'

const OLD = 'The production shop runs on Heroku with two dynos'
const NEW = 'We moved production from Heroku to Fly'
const NOISE = 'Lunch is at noon in the canteen'

const found = async (stack: Stack, question: string, limit = 5) =>
  (await stack.search(question, { limit })).map(({ content, metadata }) => ({
    content,
    replacedBy: metadata.replacedBy,
  }))

describe('a statement that another one replaced', () => {
  test('stands below the one that holds now, and is marked', async () => {
    const { me, stack } = await freshEntity()
    await me.note(OLD)
    const { ref } = await me.note(NEW)
    await me.note(NOISE)
    const results = await found(stack, 'Where does the production shop run?')
    expect(results.slice(0, 2)).toEqual([
      { content: NEW, replacedBy: undefined },
      { content: OLD, replacedBy: ref },
    ])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('brings in the one that holds now, where that says no word of the question', async () => {
    const { me, stack } = await freshEntity()
    await me.note('Code is checked with ESLint and formatted with Prettier')
    await me.note('Biome instead of ESLint and Prettier, starting now')
    const [first] = await found(stack, 'What is the code checked with?', 1)
    expect(first?.content).toContain('Biome')
  })

  test('comes first where the question is about the past', async () => {
    const { me, stack } = await freshEntity()
    await me.note(OLD)
    await me.note(NEW)
    const [first] = await found(stack, 'Where did production run before we moved to Fly?')
    expect(first?.content).toBe(OLD)
  })

  test('is followed through later replacements', async () => {
    const { me, stack } = await freshEntity()
    await me.note('The shop runs on Heroku')
    await me.note('We moved the shop from Heroku to Fly')
    const { ref } = await me.note('We moved the shop from Fly to Hetzner')
    const results = await found(stack, 'Where does the shop run, on Heroku?')
    expect(results[0]?.content).toBe('We moved the shop from Fly to Hetzner')
    expect(results.filter(({ replacedBy }) => replacedBy === ref)).toHaveLength(2)
  })

  test('keeps its place and no mark against a model, and against another actor', async () => {
    const { me, stack } = await freshEntity()
    await me.note(OLD, { label: label.userAsserted() })
    await me.note(NEW)
    await me.note('The orders database is PostgreSQL 14 on the main server', { actor: 'one' })
    await me.note('The orders database is PostgreSQL 16 since today', { actor: 'other' })
    for (const question of ['Where does production run?', 'Which PostgreSQL is the database?']) {
      const results = await found(stack, question)
      expect(results.every(({ replacedBy }) => replacedBy === undefined)).toBe(true)
    }
    expect((await found(stack, 'Where does production run?'))[0]?.content).toBe(OLD)
  })

  test('is named to one who asks at once, and settled where the speaker may', async () => {
    const { me, stack } = await freshEntity()
    const because = 'seen on the server'
    const { ref } = await me.belief('Backups go to the Frankfurt bucket', { because })
    const later = 'Backups no longer go to Frankfurt, they go to the Stockholm bucket'
    const newer = await me.belief(later, { because })
    const noted = await stack.claims.noteContradictions(newer.ref)
    expect(noted.map(({ memory }) => memory.ref)).toEqual([ref])
    expect(await stack.review.list({ kinds: ['contradiction'] })).toEqual([])
  })

  test('brings a later one up that only likely replaced it, until a person says that both stand', async () => {
    const { me, stack } = await freshEntity()
    const because = 'read in the settings'
    await me.belief('The default request timeout is 30 seconds', { because })
    const later = await me.belief('Requests time out after 12 seconds', { because })
    const question = 'What is the default for the request timeout?'
    const [first, second] = await found(stack, question)
    expect([first?.content, second?.replacedBy]).toEqual([
      'Requests time out after 12 seconds',
      undefined,
    ])
    const [item] = await stack.review.list({ kinds: ['contradiction'] })
    expect(item).toMatchObject({ ref: later.ref })
    await stack.review.settle(later.ref, 'keep')
    expect((await found(stack, question))[0]?.content).toContain('30 seconds')
  })

  test('waits for a person where the speaker may not', async () => {
    const { me, stack } = await freshEntity()
    await me.note('Backups go to the Frankfurt bucket', { label: label.userAsserted() })
    const because = 'seen on the server'
    const later = 'Backups no longer go to Frankfurt, they go to the Stockholm bucket'
    await me.belief(later, { because })
    expect(await stack.review.list({ kinds: ['contradiction'] })).toHaveLength(1)
  })
})

test('a claim that was replaced never stands above the one that holds', async () => {
  const { stack } = await freshEntity()
  await stack.claims.remember('warehouse', 'city', 'Gdansk')
  await stack.claims.remember('warehouse', 'city', 'Poznan')
  for (const question of ['Is the warehouse city Gdansk?', 'warehouse city'])
    expect((await stack.search(question))[0]?.metadata.standing).toBe('held')
})

test('a wish of a person answers work that is asked for, and no question about another fact', async () => {
  const { me, stack } = await freshEntity()
  const said = { label: label.userAsserted() }
  await me.note('Never deploy while the nightly import is running', said)
  await me.note('Unit tests run with Vitest')
  const first = async (question: string) => (await stack.search(question))[0]?.content
  expect(await first('What do the unit tests run with?')).toBe('Unit tests run with Vitest')
  expect(await first('Can you deploy the shop?')).toContain('nightly import')
})

test('recall says in a word what its results may be taken for', async () => {
  const { me, stack } = await freshEntity()
  await me.note('The deploy window is on monday at nine')
  for (const text of ['Lunch is at noon', 'The pilot reads the map', 'Rain is due'])
    await me.note(text)
  expect((await stack.recall('When is the deploy window?')).answerable.match).toBe('strong')
  expect((await stack.recall('Which passport number has the pilot?')).answerable.match).toBe(
    'nothing',
  )
})
