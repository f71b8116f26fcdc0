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
    const steps = await stack.trace(note, { for: 'act', caller })
    expect(steps.map(({ memory }) => [memory.ref, memory.withheld])).toEqual([
      [raw, undefined],
      [note, 2],
    ])
    const { memory, lineage } = await stack.why(note, { for: 'act', caller })
    expect([memory.text, lineage.at(-1)?.memory.text]).toEqual(['(withheld)', '(withheld)'])
    const down = await stack.impact(raw, { for: 'act', caller })
    expect(down.filter((step) => step.memory.withheld === 2)).not.toHaveLength(0)
  })

  test('leaves no receipt: it was not told', async () => {
    const { stack, note } = await tiers()
    const caller = at('mcp', { session: 'quiet' })
    await stack.getMemory('note', idOf(note), { for: 'act', caller })
    await stack.why(note, { for: 'act', caller })
    const served = (await stack.receipts('quiet')).map(({ ref }) => ref)
    expect(served).not.toContain(note)
  })

  test('of a line is told as a step whose value is withheld', async () => {
    const { stack } = await freshStack()
    await stack.remember('user', 'city', 'Bern', { actor: 'ann' })
    await stack.remember('user', 'city', 'Rome', {
      actor: 'bot',
      label: { type: 'ModelDerived' },
      caller: at('mcp'),
    })
    const steps = await stack.lineHistory({ subject: 'user', predicate: 'city', for: 'act' })
    expect(steps.map(({ value, withheld }) => [value, withheld])).toEqual([
      ['Bern', undefined],
      [null, 2],
    ])
  })
})
