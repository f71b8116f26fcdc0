import { describe, expect, test } from 'vitest'
import { freshEntity } from '../stack/support.ts'
import { idOf, memoryOf, smallFamily } from './support.ts'

describe('a change that cannot be written down', () => {
  test('is refused with a code before it reaches the gate, and the ledger stays sound', async () => {
    const { stack, belief } = await smallFamily()
    const wrong: readonly unknown[] = [
      { type: 'weaken', amount: -5 },
      { type: 'weaken', amount: Number.NaN },
      { type: 'describe', confidence: 7, tags: null },
      { type: 'annotate', by: 'someone', fields: { big: 1n } },
      { type: 'annotate', by: '#tags', fields: {} },
      { type: 'verify', evidence: ['nothing'] },
      { type: 'bogus' },
      null,
    ]
    for (const change of wrong) {
      const made = stack.changes.change(belief, change as never, 'test')
      await expect(made, JSON.stringify(String(change))).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  })

  test('does not fail for those who write beside it', async () => {
    const { me, stack, belief } = await smallFamily()
    const bad = { type: 'describe', confidence: Number.NaN, tags: null } as const
    const ended = await Promise.allSettled([
      me.raw('innocent'),
      stack.changes.change(belief, bad, 'test'),
      me.raw('innocent too'),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

describe('words that were held once', () => {
  test('can be held again in the place of what replaced them', async () => {
    const { stack, belief } = await smallFamily()
    const words = 'Migrations go before deployments'
    const second = await stack.changes.supersede(belief, 'Migrations go after deployments')
    const third = await stack.changes.supersede(second.ref, words)
    expect(third.ref).not.toBe(belief)
    const active = await stack.getBeliefs()
    expect(active.map(({ ref, text }) => [ref, text])).toEqual([[third.ref, words]])
  })

  test('become a memory anew when a suggestion says them and they were forgotten', async () => {
    const { me, stack, belief, episode } = await smallFamily()
    await stack.forgetMemory('belief', idOf(belief), 'not needed')
    const id = await stack.saveSuggestion({
      memoryType: 'belief',
      content: { statement: 'Migrations go before deployments' },
      confidence: 0.8,
      sourceRefs: [episode],
      provenance: await papers(stack, episode),
    })
    const made = await stack.acceptSuggestion(id)
    expect(made).not.toBeNull()
    expect(made).not.toBe(idOf(belief))
    expect((await stack.getSuggestion(id))?.status).toBe('promoted')
    expect(me.coreId).toBe('my-agent')
  })
})

async function papers(stack: Awaited<ReturnType<typeof smallFamily>>['stack'], episode: string) {
  const body = {
    memoryType: 'belief',
    content: { statement: 'Migrations go before deployments' },
    confidence: 0.8,
    sourceRefs: [episode],
  } as const
  const { papersFor } = await import('../stack/support.ts')
  return papersFor(stack, 'suggestion', body as never) // the same body as is saved
}

test('what was known then has no history of later', async () => {
  const { me, stack, belief } = await smallFamily()
  const verify = async (when: string) => {
    const seen = await me.raw(`seen again ${when}`)
    await stack.changes.verify(belief, { evidence: [seen.ref] })
  }
  await verify('on Monday')
  const { head } = await stack.ledger.audit()
  await verify('on Tuesday')
  const asOf = head.seq
  const then = await stack.getMemory('belief', idOf(belief), { asOf })
  expect(then?.confidenceHistory).toHaveLength(1)
  const { memory, confidenceHistory, lineage } = await stack.history.why(belief, { asOf })
  expect([memory, lineage.at(-1)?.memory].map((each) => each?.confidenceHistory.length)).toEqual([
    1, 1,
  ])
  expect(confidenceHistory).toHaveLength(1)
  expect((await memoryOf(stack, belief)).confidenceHistory).toHaveLength(2)
})

test('a history is read from the entries that made it, however many others there are', async () => {
  const { me, stack, belief } = await smallFamily()
  const seen = await me.raw('seen again')
  await stack.changes.verify(belief, { evidence: [seen.ref] })
  for (let times = 0; times < 20; times += 1) await stack.recordAccess('belief', idOf(belief))
  expect((await memoryOf(stack, belief)).confidenceHistory).toMatchObject([{ old: 0.8, new: 0.9 }])
})

test('what most rests on comes first among the uncertain, along every chain', async () => {
  const { me, stack } = await freshEntity()
  const raw = await me.raw('it was said')
  const weak = { confidence: 0.3 }
  let last = (await me.note('the first of a chain', { derivedFrom: [raw.ref], ...weak })).ref
  const first = last
  for (let depth = 0; depth < 5; depth += 1) {
    const next = { subject: 'link', predicate: `number ${depth}`, value: depth }
    last = (await me.claim(next, { derivedFrom: [last], ...weak })).ref
  }
  const lone = await me.note('nothing rests on this', { derivedFrom: [raw.ref], ...weak })
  const found = await stack.history.uncertain({ limit: 10 })
  expect(found[0]).toMatchObject({ memory: { ref: first }, restingOnIt: 5 })
  expect(found.map(({ memory }) => memory.ref)).toContain(lone.ref)
})
