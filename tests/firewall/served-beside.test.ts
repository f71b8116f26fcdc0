import { describe, expect } from 'vitest'
import { Entity } from '../../src/core/entity.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { operate } from '../../src/doors/operate.ts'
import { PRINT_HEADER, printOf, termsIn } from '../../src/embed/print.ts'
import type { Stack } from '../../src/stack/stack.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE } from './preference.ts'

const LESSON = 'Fridays' // too short to be believed
const REWORDED = 'the user preferred dark mode in the editor & a quiet theme'

/** What a session may say once it was served something: the tier of its next word. */
async function tierAfter(stack: Stack, session: string): Promise<unknown> {
  const body = { content: `Said after ${session}` }
  const said = { kind: 'raw', body, provenance: saying('ModelDerived') } as const
  return (await stack.write(said, at('mcp', { session }))).tier
}

/** Whether every telling word of a text is in the print that a session has of a memory. */
async function isKnownTo(
  receipts: MemoryReceipts,
  session: string,
  [ref, text]: readonly [Ref, string],
): Promise<boolean> {
  const kept = (await receipts.all()).findLast(
    ({ receipt }) => receipt.session === session && receipt.ref === ref,
  )
  if (!kept?.print) return false
  const held = new Set(kept.print.slice(PRINT_HEADER))
  return [...termsIn(printOf(text)).values()].every(({ word }) => held.has(word))
}

const ask = (
  stack: Stack,
  session: string,
  [name, input]: readonly ['promote' | 'review', object],
) =>
  operate(
    {
      stack,
      entity: new Entity('door', { modelId: 'model-1' }),
      caller: at('mcp', { session }),
      actor: 'test:model',
      model: 'model-1',
    },
    name,
    input,
  )

describe('words that are told beside memories', () => {
  holds(
    'FIREWALL-CONTEXT',
    'a lesson that promotion was refused leaves a receipt of each episode that says it',
    async () => {
      const receipts = new MemoryReceipts()
      const { stack } = await freshStack({ receipts })
      const provenance = saying('ModelDerived', { trustTier: 0, confidence: 0.3 })
      const episodes: Ref[] = []
      for (const objective of ['Deployed in May', 'Deployed in June']) {
        const raw = { kind: 'raw', body: { content: objective }, provenance } as const
        const derivedFrom = [(await stack.write(raw, at('lib'))).ref as Ref]
        const body = { objective, outcome: 'broken', lessons: [LESSON] }
        const made = { kind: 'episode', body, provenance: { ...provenance, derivedFrom } } as const
        episodes.push((await stack.write(made, at('lib'))).ref as Ref)
      }
      expect(await ask(stack, 'talk', ['promote', {}])).toMatchObject({
        refused: [{ lesson: LESSON }],
      })
      for (const ref of episodes)
        expect(await isKnownTo(receipts, 'talk', [ref, LESSON])).toBe(true)
      expect(await tierAfter(stack, 'talk')).toBe(0)
      // What tells no words leaves nothing.
      await ask(stack, 'another', ['promote', { minEpisodes: 3 }])
      expect(await stack.receipts('another')).toEqual([])
    },
  )

  holds(
    'FIREWALL-CONTEXT',
    'a rewording that review shows is served in its own words, at the tier it would have had',
    async () => {
      const receipts = new MemoryReceipts()
      const { stack } = await freshStack({ receipts })
      const capture = {
        kind: 'raw',
        body: { content: 'Something else was captured' },
        provenance: saying('ExternalFirstHand'),
      } as const
      const derivedFrom = [(await stack.write(capture, at('lib'))).ref as Ref]
      const note = (content: string, provenance: ReturnType<typeof saying>) =>
        ({ kind: 'note', body: { content }, provenance }) as const
      const said = note(PREFERENCE, saying('UserAsserted', { derivedFrom }))
      const ref = (await stack.write(said, at('lib'))).ref as Ref
      await stack.trace(ref, { caller: at('mcp', { session: 'first' }) })
      const again = note(REWORDED, saying('ModelDerived', { derivedFrom, trustTier: 0 }))
      expect(await stack.write(again, at('mcp', { session: 'first' }))).toMatchObject({
        ref,
        reasons: ['echo_reworded'],
      })
      for (const [session, input] of [
        ['whole queue', {}],
        ['one item', { ref }],
      ] as const) {
        const [item] = (await ask(stack, session, ['review', input])) as readonly object[]
        expect(item).toMatchObject({ rewordings: [{ text: REWORDED, tier: 0 }] })
        expect(await isKnownTo(receipts, session, [ref, PREFERENCE])).toBe(true)
        expect(await isKnownTo(receipts, session, [ref, REWORDED])).toBe(true)
        expect(await tierAfter(stack, session)).toBe(0)
      }
      expect(await isKnownTo(receipts, 'first', [ref, REWORDED])).toBe(false) // it has words of its own
    },
  )
})
