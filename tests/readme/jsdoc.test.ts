import { expect, onTestFinished, test, vi } from 'vitest'
import * as library from '../../src/index.ts'
import { scratch } from '../cli/support/scratch.ts'
import { examples, runnable, typeErrors, undescribed } from './support/jsdoc-examples.ts'

vi.setConfig({ testTimeout: 120_000 }) // the compiler reads the whole engine

const all = examples()

test('every export says what it is', () => {
  expect(undescribed()).toEqual([])
})

test('every exported value, and every method of an entity and of a facet, has an example', () => {
  expect(all.length).toBeGreaterThan(100)
  expect(all.filter(({ code }) => code === null).map(({ name }) => name)).toEqual([])
})

test('every example passes the compiler', () => {
  expect(typeErrors(all)).toEqual([])
})

/** A small life for the examples, fresh for each. */
async function world() {
  const folder = scratch()
  const stack = await library.openStack('demo', { path: ':memory:' })
  onTestFinished(() => stack.close())
  const me = new library.Entity('agent')
  await me.attachStack(stack, { alias: 'main' })
  const ref = (written: { readonly ref: string | null }): string => written.ref ?? ''
  const note = ref(await me.note('We deploy on Tuesdays', { observed: true }))
  const belief = ref(await me.belief('Migrations go first', { derivedFrom: [note] }))
  const goal = ref(await me.goal('Ship v2', { derivedFrom: [belief] }))
  const episode = ref(await me.episode({ objective: 'deploy v2', outcome: 'failed' }))
  const relationship = ref(
    await me.relationship({
      entityName: 'Ann',
      relationshipType: 'colleague',
      derivedFrom: [episode],
    }),
  )
  const playbook = ref(
    await me.playbook({ name: 'Deploy', description: 'Migrate first', derivedFrom: [episode] }),
  )
  const { claimRef } = await stack.claims.remember('user', 'city', 'Berlin')
  const claim = claimRef ?? ''
  const refs = { note, belief, goal, relationship, playbook, claim }
  expect(Object.values(refs)).not.toContain('')
  return { ...refs, folder, stack, me, console: { log: () => {}, error: () => {} } }
}

test.each(all.flatMap(({ name, code }) => (code === null ? [] : [[name, code] as const])))(
  'the example of %s runs',
  async (_name, code) => {
    await runnable(code)({ ...library, ...(await world()) })
  },
)
