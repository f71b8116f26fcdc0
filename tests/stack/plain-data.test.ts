import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'

/** Paths of everything in a value that `console.log` would not print as data. */
function unplain(value: unknown, path = '$'): readonly string[] {
  if (typeof value === 'function') return [`${path} is a function`]
  if (typeof value !== 'object' || value === null) return []
  const proto: unknown = Object.getPrototypeOf(value)
  const isPlain = proto === Object.prototype || proto === Array.prototype || proto === null
  const own = Object.entries(Object.getOwnPropertyDescriptors(value))
  const found = own.flatMap(([name, { get, value: member, enumerable }]) => {
    if (Array.isArray(value) && name === 'length') return []
    if (get) return [`${path}.${name} is a getter`]
    if (!enumerable) return [`${path}.${name} is hidden`]
    return unplain(member, `${path}.${name}`)
  })
  const symbols = Object.getOwnPropertySymbols(value).map((each) => `${path} has ${String(each)}`)
  return [
    ...(isPlain ? [] : [`${path} is a ${String(Object(proto).constructor?.name)}`]),
    ...found,
    ...symbols,
  ]
}

async function world() {
  const stack = await openStack('plain', { store: new MemoryStore() })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw('Deploy failed: migration 12 locked the table')
  const note = await me.note('The table has forty million rows', { derivedFrom: [raw.ref] })
  const belief = await me.belief('Migrations go before the deploy', { derivedFrom: [note.ref] })
  const claim = await stack.claims.remember('user', 'city', 'Berlin')
  return { stack, raw, note, belief, claim }
}

describe('what a stack answers with is plain data', () => {
  test('the lineage of the first sample prints its words', async () => {
    const { stack, belief } = await world()
    const { lineage } = await stack.history.why(belief.ref)
    const printed = inspect(lineage, { depth: 6 })
    expect(printed).not.toContain('Getter')
    expect(printed).toContain('Deploy failed: migration 12 locked the table')
    expect(printed).toContain('The table has forty million rows')
  })

  test.each([
    ['why', ({ stack, belief }) => stack.history.why(belief.ref)],
    ['trace', ({ stack, belief }) => stack.history.trace(belief.ref)],
    ['impact', ({ stack, raw }) => stack.history.impact(raw.ref)],
    ['getMemory', ({ stack, belief }) => stack.getMemory('belief', belief.id)],
    ['list', ({ stack }) => stack.list('note', { limit: 5 })],
    ['search', ({ stack }) => stack.search('deploy')],
    ['recall', ({ stack }) => stack.recall('deploy', {})],
    ['load', ({ stack }) => stack.load({ tokenBudget: 500 })],
    ['ask', ({ stack }) => stack.claims.ask({ subject: 'user', predicate: 'city' })],
    ['getReview', ({ stack }) => stack.review.list()],
    ['audit', ({ stack }) => stack.ledger.audit()],
    ['getStats', ({ stack }) => stack.getStats()],
    ['a write', async ({ belief }) => belief],
    ['a claim', async ({ claim }) => claim],
  ] as readonly (readonly [string, (at: Awaited<ReturnType<typeof world>>) => Promise<unknown>])[])(
    '%s',
    async (_, ask) => {
      const answer = await ask(await world())
      expect(unplain(answer)).toEqual([])
      expect(structuredClone(answer)).toEqual(answer)
    },
  )

  test('the check itself sees getters, classes and hidden members', () => {
    class Other {}
    expect(unplain({ get a() { return 1 } })).toEqual(['$.a is a getter']) // biome-ignore format: one line
    expect(unplain([new Other()])).toEqual(['$.0 is a Other'])
    expect(unplain(Object.defineProperty({}, 'a', { value: 1 }))).toEqual(['$.a is hidden'])
  })
})
