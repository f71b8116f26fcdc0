import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { Entity, label } from '../../src/index.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'

async function heard(text: string) {
  const fresh = await freshStack()
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(fresh.stack)
  const { ref } = await me.note(text, { observed: true })
  return { ...fresh, me, ref }
}

describe('what is derived is no surer than what it rests on', () => {
  test('“might” does not become “is”, and the entry says so', async () => {
    const { stack, store, me, ref } = await heard('The user might be vegetarian.')
    const sure = { confidence: 0.9, derivedFrom: [ref] }
    const belief = await me.belief('The user is vegetarian', sure)
    expect(belief.reasons).toContain('hedge_dropped')
    expect(belief.message).toContain(ref)
    const kept = await stack.getMemory('belief', belief.id)
    expect(kept?.stored.confidence).toBe(0.5)
    expect(entriesOf(store, stack).at(-1)?.decision.facts.hedge).toEqual({
      of: ref,
      said: 0,
      source: 2,
      asked: 0.9,
    })
    const open = await me.belief('The user may be vegetarian', sure)
    expect(open.reasons).not.toContain('hedge_dropped')
    expect((await stack.getMemory('belief', open.id))?.stored.confidence).toBe(0.9)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('what was only thought costs less, and what is unsure already nothing', async () => {
    const { stack, me, ref } = await heard('The deploy probably fails on Mondays.')
    const said = async (statement: string, confidence: number) => {
      const { id } = await me.belief(statement, { confidence, derivedFrom: [ref] })
      return (await stack.getMemory('belief', id))?.stored.confidence
    }
    expect(await said('The deploy fails on Mondays', 0.9)).toBe(0.75)
    expect(await said('The deploy fails on mondays, so it does', 0.3)).toBe(0.3)
  })

  test('a person’s own word is not measured by others’', async () => {
    const { stack, me, ref } = await heard('The user might be vegetarian.')
    const own = { label: label.userAsserted(), derivedFrom: [ref], confidence: 1 }
    const said = await me.note('The user is vegetarian', { ...own, derivedFrom: [] })
    expect((await stack.getMemory('note', said.id))?.stored.confidence).toBe(1)
  })

  test('the reason that is captured with a belief is its ground too', async () => {
    const { me } = await heard('Nothing of the kind.')
    const written = await me.belief('The build cache is broken', {
      because: 'perhaps the build cache is broken',
      confidence: 0.9,
    })
    expect(written.reasons).toContain('hedge_dropped')
  })

  test('what is captured for it and set aside with it has its reasons, and no hedge of its own', async () => {
    const { stack, me } = await heard('Nothing of the kind.')
    await stack.sources.distrust({ actor: 'my-agent' })
    const written = await me.belief('The build cache is broken', {
      because: 'perhaps the build cache is broken',
      confidence: 0.9,
    })
    expect(written).toMatchObject({ disposition: 'Distrusted' })
    expect(written.reasons).toContain('hedge_dropped')
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('a claim is held against the sentence that names its value', async () => {
    const { stack, ref } = await heard('I might move to New York. I live in Berlin.')
    const claim = async (value: string) => {
      const provenance = saying('ModelDerived', { derivedFrom: [ref], confidence: 0.9 })
      const body = { subject: 'user', predicate: `city ${value}`, value }
      return stack.write({ kind: 'claim', body: body as never, provenance }, at('mcp'))
    }
    expect((await claim('New York')).reasons).toContain('hedge_dropped')
    expect((await claim('Berlin')).reasons).not.toContain('hedge_dropped')
  })

  test('it is the same whether both come together or one after the other', async () => {
    const confidences: unknown[] = []
    for (const together of [true, false]) {
      const { stack, ref } = await heard('Nothing of the kind.')
      const note = saying('ModelDerived', { derivedFrom: [ref], confidence: 0.9 })
      const id = '00000000-0000-7000-8000-00000000abcd'
      const first = { kind: 'note', id, body: { content: 'Ann may be late' }, provenance: note }
      const derivedFrom = [`note:${id}` as Ref]
      const second = {
        kind: 'belief',
        body: { statement: 'Ann is late again' },
        provenance: saying('ModelDerived', { derivedFrom, confidence: 0.9 }),
      }
      const raw = { kind: 'raw', body: { content: 'x' }, provenance: saying('ExternalFirstHand') }
      const { ref: ground } = await stack.write(raw as never, at('lib'))
      const rooted = { ...first, provenance: { ...note, derivedFrom: [ground] } }
      if (together) await stack.writeAll([rooted, second] as never, at('lib'))
      else for (const each of [rooted, second]) await stack.write(each as never, at('lib'))
      confidences.push((await stack.list('belief', { limit: 1 }))[0]?.stored.confidence)
      expect((await stack.ledger.audit()).problems).toEqual([])
    }
    expect(confidences).toEqual([0.5, 0.5])
  })

  test('a stack under a policy that names no such words goes on as it was', async () => {
    const { stack, me, ref } = await heard('The user might be vegetarian.')
    const { policy } = await stack.control.getPolicy()
    const { hedges, ...lexicons } = policy.lexicons
    await stack.control.setPolicy({ ...policy, lexicons })
    const sure = { confidence: 0.9, derivedFrom: [ref] }
    const belief = await me.belief('The user is vegetarian', sure)
    expect([hedges?.length, belief.reasons]).toEqual([64, []])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})
