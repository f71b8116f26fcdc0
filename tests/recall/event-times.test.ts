import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { freshEntity } from '../stack/support.ts'

const said = (day: string) => ({
  label: label.userAsserted(),
  eventTime: `${day}T12:00:00.000Z`,
})

/** Three purchases that only their days tell apart, and a journey. */
async function scene() {
  const fresh = await freshEntity()
  const { me } = fresh
  const early = await me.raw('I bought a jacket at the market', said('2025-03-03'))
  const fits = await me.raw('I bought a lantern at the market', said('2025-04-24'))
  const late = await me.raw('I bought a teapot at the market', said('2025-07-20'))
  return { ...fresh, early, fits, late }
}

const QUERY = 'What was bought at the market two weeks before the trip to Rome?'

const firstMarket = (results: readonly { readonly content: string }[]) =>
  results.find(({ content }) => content.includes('market'))?.content

describe('a time counted from an event', () => {
  test('is that of the memory which tells of it', async () => {
    const { me, stack, fits } = await scene()
    await me.raw('The trip to Rome has begun', said('2025-05-08'))
    const results = await stack.search(QUERY)
    expect(firstMarket(results)).toBe('I bought a lantern at the market')
    const { signals } = await stack.lookup.explain(QUERY, fits.ref)
    expect(signals.find(({ signal }) => signal === 'time')?.value).toBe(1)
  })

  test('is the one that the memory names, where it names one', async () => {
    const { me, stack } = await scene()
    await me.raw('Our trip to Rome begins on 8 May 2025', said('2025-01-02'))
    expect(firstMarket(await stack.search(QUERY))).toBe('I bought a lantern at the market')
  })

  test('is found whatever the question is narrowed to, and not by what it may not see', async () => {
    const { me, stack, fits } = await scene()
    const trip = await me.raw('The trip to Rome has begun', said('2025-05-08'))
    const note = await me.note('I bought a lamp at the market', {
      ...said('2025-04-24'),
      derivedFrom: [fits.ref],
    })
    const narrowed = await stack.lookup.explain(QUERY, note.ref, { recordTypes: ['note'] })
    expect(narrowed.signals.find(({ signal }) => signal === 'time')?.value).toBe(1)
    await stack.erasure.erase(trip.ref)
    const { signals } = await stack.lookup.explain(QUERY, note.ref, { recordTypes: ['note'] })
    expect(signals.find(({ signal }) => signal === 'time')).toBeUndefined()
  })

  test('is not told by what the search may not see, when another memory is barred', async () => {
    const { me, stack, fits } = await scene()
    await me.note('The trip to Rome has begun', {
      ...said('2025-05-08'),
      label: label.recallReEntry(),
      derivedFrom: [fits.ref],
    })
    const barred = await stack.lookup.explain(QUERY, fits.ref, { inSession: 'another' })
    expect(barred.signals.find(({ signal }) => signal === 'time')).toBeUndefined()
  })

  test('of what nobody told is no time', async () => {
    const { stack, fits } = await scene()
    const { signals } = await stack.lookup.explain(QUERY, fits.ref)
    expect(signals.find(({ signal }) => signal === 'time')).toBeUndefined()
  })

  test('is what was known then, of the past', async () => {
    const { me, stack, fits } = await scene()
    const trip = await me.raw('The trip to Rome has begun', said('2025-05-08'))
    const asOf = trip.entry.seq
    const then = await stack.lookup.explain(QUERY, fits.ref, { asOf: asOf - 1 })
    expect(then.signals.find(({ signal }) => signal === 'time')).toBeUndefined()
    const since = await stack.lookup.explain(QUERY, fits.ref, { asOf })
    expect(since.signals.find(({ signal }) => signal === 'time')?.value).toBe(1)
  })
})
