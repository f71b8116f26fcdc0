import { describe, expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import { freshEntity } from '../stack/support.ts'

const CROWD = 150 // more than are ranked at once, so that a filter behind the limit would lose some

/** Many say it better, and earlier; two of ana's say it among other things. */
async function scene() {
  const fresh = await freshEntity()
  const { me, stack, clock } = fresh
  const said = { label: label.userAsserted() }
  for (let n = 0; n < CROWD; n += 1)
    await me.note(`The deploy window, ${n}`, { ...said, actor: 'ben' })
  clock.advance({ days: 2 })
  const long = 'after lunch we talked of many things, of boats and taxes, and of'
  const ana = [
    await me.note(`${long} some window`, { ...said, actor: 'ana' }),
    await me.note(`${long} a deploy that failed`, { ...said, actor: 'ana' }),
  ]
  const day = (await stack.getNotes({ limit: 1 }))[0]?.createdAt.slice(0, 10) ?? ''
  return { ...fresh, ana: ana.map(({ ref }): string => ref).sort(), day }
}

const refsOf = (found: readonly { readonly metadata: { readonly ref?: unknown } }[]) =>
  found.map(({ metadata }) => String(metadata.ref)).sort()

describe('filters come before limits', () => {
  test('of who said it', async () => {
    const { stack, ana } = await scene()
    const asked = { limit: 5, recordTypes: ['note'] }
    expect(refsOf(await stack.search('deploy window', { ...asked, saidBy: 'ana' }))).toEqual(ana)
    expect(await stack.search('deploy window', { ...asked, saidBy: 'ben' })).toHaveLength(5)
    expect(await stack.search('deploy window', { ...asked, saidBy: 'nobody' })).toEqual([])
  })

  test('of when it was learnt, by the day and to the millisecond', async () => {
    const { stack, ana, day } = await scene()
    const asked = { limit: 5, recordTypes: ['note'] }
    const since = await stack.search('deploy window', { ...asked, since: day })
    expect(refsOf(since)).toEqual(ana)
    const both = await stack.search('deploy window', { ...asked, since: day, until: day })
    expect(refsOf(both)).toEqual(ana)
    const before = await stack.search('deploy window', { ...asked, until: `${day}T00:00:00.000Z` })
    expect(before).toHaveLength(5)
    expect(refsOf(before).filter((ref) => ana.includes(ref))).toEqual([])
    const then = await stack.search('deploy window', { ...asked, since: day, asOf: 1_000_000 })
    expect(refsOf(then)).toEqual(ana)
  })

  test('of today’s confidence, where meaning alone finds', async () => {
    const { me, stack, clock } = await freshEntity()
    const said = { label: label.userAsserted() }
    const note = await me.note('The clinic', said)
    for (let n = 0; n < 60; n += 1)
      await me.belief(`Physician ${String.fromCharCode(97 + (n % 26))}${n}`, {
        ...said,
        derivedFrom: [note.ref],
      })
    clock.advance({ days: 600 })
    for (const way of ['north', 'south', 'west'])
      await me.belief(`Physician sailing ${way}`, { ...said, derivedFrom: [note.ref] })
    const asked = { recordTypes: ['belief'], minConfidence: 0.7 }
    for (const limit of [2, 3, 10]) {
      const found = await stack.search('doctor', { ...asked, limit })
      expect(found).toHaveLength(Math.min(3, limit))
    }
  })

  test('what is no day and no time is refused', async () => {
    const { stack } = await scene()
    for (const options of [{ since: 'monday' }, { until: '2026-02-30' }, { since: '2026' }]) {
      await expect(stack.search('window', options)).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })

  test('and whyNot names them', async () => {
    const { stack, ana } = await scene()
    const [ref = ''] = ana
    const { reasons } = await stack.lookup.whyNot('window', ref, {
      saidBy: 'ben',
      until: '2001-01-01',
    })
    expect(reasons.map(({ code }) => code)).toEqual(['said_by', 'time'])
  })
})
