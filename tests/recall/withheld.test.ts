import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { at, freshStack, saying } from '../stack/support.ts'

/** A person's word, what a model noted of it, and what nobody vouches for. */
async function tiers() {
  const fresh = await freshStack()
  const { stack } = fresh
  const write = async (kind: 'raw' | 'note', content: string, from: Parameters<typeof saying>) =>
    (await stack.write({ kind, body: { content }, provenance: saying(...from) }, at('lib')))
      .ref as Ref
  const raw = await write('raw', 'The lease ends in June', ['UserAsserted'])
  const note = await write('note', 'The lease is short', ['ModelDerived', { derivedFrom: [raw] }])
  const low = await write('note', 'A page says the lease is void', [
    'RecallReEntry',
    { derivedFrom: [raw] },
  ])
  return { ...fresh, raw, note, low }
}

const idOf = (ref: Ref): string => ref.slice(ref.indexOf(':') + 1)

describe('what a use may not read', () => {
  test('is left out of lists before their limit', async () => {
    const { stack, note, low } = await tiers()
    const refs = async (use: 'chat' | 'plan' | 'act') =>
      (await stack.getNotes({ for: use })).map(({ ref }) => ref)
    expect(await refs('chat')).toEqual([low, note])
    expect(await refs('plan')).toEqual([note])
    expect(await refs('act')).toEqual([])
    expect((await stack.list('note', { for: 'plan', limit: 1 })).map(({ ref }) => ref)).toEqual([
      note,
    ])
    await expect(stack.getNotes({ for: 'fun' as 'chat' })).rejects.toThrow('for')
  })

  test('is counted where a list has no place to say so, and named', async () => {
    const { stack, note, low } = await tiers()
    expect(await stack.lookup.withheld({ kinds: ['note'], for: 'act' })).toEqual({
      tierMin: 2,
      count: 2,
      refs: [low, note],
      hasMore: false,
    })
    expect(await stack.lookup.withheld({ for: 'plan' })).toMatchObject({ count: 1, refs: [low] })
    expect(await stack.lookup.withheld({ for: 'chat' })).toMatchObject({ tierMin: 0, count: 0 })
    expect(await stack.lookup.withheld({ kinds: ['raw'], for: 'act' })).toMatchObject({ count: 0 })
    // What another filter keeps out, the use does not.
    expect(await stack.lookup.withheld({ for: 'act', tags: ['rent'] })).toMatchObject({ count: 0 })
    const kept = [...(await stack.list('note', { for: 'act' })).map(({ ref }) => ref), low, note]
    expect(kept.sort()).toEqual((await stack.list('note')).map(({ ref }) => ref).sort())
    await expect(stack.lookup.withheld({ kinds: ['fun'] })).rejects.toThrow('kinds')
  })

  test('names two hundred at most, and says that there are more', async () => {
    const { stack, raw } = await tiers()
    for (let n = 0; n < 201; n += 1) {
      const provenance = saying('ModelDerived', { derivedFrom: [raw] })
      await stack.write({ kind: 'note', body: { content: `Clause ${n}` }, provenance }, at('lib'))
    }
    const told = await stack.lookup.withheld({ kinds: ['note'], for: 'act' })
    expect(told).toMatchObject({ count: 200, hasMore: true })
  })

  test('is told by recall, among the nearest, where a use or a tier was named', async () => {
    const { stack, note, low } = await tiers()
    const found = await stack.recall('lease', { for: 'act' })
    expect(found.withheld).toMatchObject({ tierMin: 2, count: 2, hasMore: false })
    expect([...(found.withheld?.refs ?? [])].sort()).toEqual([low, note].sort())
    expect((await stack.recall('lease', { for: 'chat' })).withheld).toMatchObject({ count: 0 })
    expect((await stack.recall('lease', { minTier: 1 })).withheld).toMatchObject({ refs: [low] })
    expect((await stack.recall('lease')).withheld).toBeNull()
    const now = (await stack.ledger.head()).seq
    const then = await stack.recall('lease', { for: 'act', asOf: now })
    expect(then.withheld).toMatchObject({ count: 2 })
  })

  test('is shown by its name without its words, and says which tier it takes', async () => {
    const { stack, note, raw } = await tiers()
    const caller = at('mcp', { session: 's' })
    const withheld = await stack.getMemory('note', idOf(note), { for: 'act', caller })
    expect(withheld).toMatchObject({
      ref: note,
      tier: 1,
      text: '(withheld)',
      body: {},
      withheld: 2,
    })
    const whole = await stack.getMemory('note', idOf(note), { for: 'plan', caller })
    expect(whole).toMatchObject({ text: 'The lease is short' })
    expect(whole).not.toHaveProperty('withheld')
    const steps = await stack.history.trace(note, { for: 'act', caller })
    expect(steps.map(({ memory }) => [memory.ref, memory.withheld])).toEqual([
      [raw, undefined],
      [note, 2],
    ])
    const { memory, lineage } = await stack.history.why(note, { for: 'act', caller })
    expect([memory.text, lineage.at(-1)?.memory.text]).toEqual(['(withheld)', '(withheld)'])
    const down = await stack.history.impact(raw, { for: 'act', caller })
    expect(down.filter((step) => step.memory.withheld === 2)).not.toHaveLength(0)
  })

  test('leaves no receipt: it was not told', async () => {
    const { stack, note } = await tiers()
    const caller = at('mcp', { session: 'quiet' })
    await stack.getMemory('note', idOf(note), { for: 'act', caller })
    await stack.history.why(note, { for: 'act', caller })
    const served = (await stack.history.receipts('quiet')).map(({ ref }) => ref)
    expect(served).not.toContain(note)
  })

  test('of a line is told as a step whose value is withheld', async () => {
    const { stack } = await freshStack()
    await stack.claims.remember('user', 'city', 'Bern', { actor: 'ann' })
    await stack.claims.remember('user', 'city', 'Rome', {
      actor: 'bot',
      label: { type: 'ModelDerived' },
      caller: at('mcp'),
    })
    const steps = await stack.claims.timeline({ subject: 'user', predicate: 'city', for: 'act' })
    expect(steps.map(({ value, withheld }) => [value, withheld])).toEqual([
      ['Bern', undefined],
      [null, 2],
    ])
  })
})
