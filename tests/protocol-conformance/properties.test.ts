import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultComponents } from '../../src/components/default-components.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { KINDS, type RecordKind } from '../../src/domain/ids.ts'
import type { Loaded } from '../../src/engine/read/load.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { estimateTokens } from '../../src/recall/pack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { StackHand } from '../../src/testing/conformance/protocol-given.ts'
import { part } from '../../src/testing/conformance/protocol-part.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { runs } from '../gate/runs.ts'
import { exported, restored } from '../stack/bundles.ts'
import { live, steps } from './random-life.ts'

/** A component that notes something of every memory, so that there are annotations too. */
const noting = part('noting', { onSave: ({ memory }) => ({ chars: memory.text.length }) })

async function fresh(store = new MemoryStore() as MemoryStore | SqliteStore) {
  const world = fakeWorld(1)
  const components = [noting, ...defaultComponents()]
  const stack = await openStack('random', { store, ...world, components })
  return { hand: new StackHand(stack), stack, store, clock: world.clock }
}

const LISTED = ['episode', 'belief', 'value', 'goal', 'note'] as const
const READERS = {
  episode: 'getEpisodes',
  belief: 'getBeliefs',
  value: 'getValues',
  goal: 'getGoals',
  note: 'getNotes',
} as const

const queries = fc.record(
  {
    limit: fc.constantFrom(0, 1, 2, 3, 50),
    context: fc.constantFrom('project:a', 'project:b', 'project:none'),
    tags: fc.constantFrom(['wet'], ['far', 'cold'], ['heron']),
    minConfidence: fc.constantFrom(0, 0.3, 0.5, 0.9),
    minTier: fc.constantFrom(0, 1, 2, 3),
    includeWeak: fc.boolean(),
    includeForgotten: fc.boolean(),
  },
  { requiredKeys: [] },
)

type Query = typeof queries extends fc.Arbitrary<infer Q> ? Q : never

/** The slow way: everything there is, every filter, then the limit. */
function naively(all: readonly Memory[], query: Query): readonly string[] {
  const strengthMin = query.includeForgotten ? 0 : query.includeWeak ? 0.2 : 0.5
  const { context, tags } = query
  return all
    .filter(({ disposition }) => !['Quarantined', 'Rejected', 'Superseded'].includes(disposition))
    .filter(({ strength }) => strength >= strengthMin)
    .filter(({ confidence }) => confidence >= (query.minConfidence ?? 0))
    .filter(({ tier }) => tier >= (query.minTier ?? 0))
    .filter(({ body }) => {
      const own = body as { context?: string; contextTags?: readonly string[] }
      return !context || own.context === context || own.contextTags?.includes(context)
    })
    .filter((memory) => !tags || tags.some((tag) => memory.tags.includes(tag)))
    .slice(0, query.limit ?? 50)
    .map(({ ref }) => ref)
}

describe('whatever a stack has lived through', () => {
  test('a list is what a naive filter over everything gives, in every store', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(queries, { minLength: 1 }), async (life, asked) => {
        for (const store of [new MemoryStore(), new SqliteStore({ path: ':memory:' })]) {
          const { hand, stack, clock } = await fresh(store)
          await live(hand, clock, life)
          for (const kind of LISTED) {
            const all = await stack.list(kind, { limit: 1_000 })
            for (const query of asked) {
              const found = await stack[READERS[kind]](query)
              expect(found.map(({ ref }) => ref)).toEqual(naively(all, query))
            }
          }
          await store.close()
        }
      }),
      runs(30),
    )
  })

  test('load keeps to its budget and leaves no kind without a word', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(400), async (life, tokenBudget) => {
        const { hand, stack, clock } = await fresh()
        await live(hand, clock, life)
        const loaded = await stack.load({ tokenBudget })
        const items = shelvesOf(loaded).flat()
        const used = items.reduce((sum, { tokens }) => sum + tokens, 0)
        expect(used).toBe(loaded._meta.budgetUsed)
        expect(used).toBeLessThanOrEqual(tokenBudget)
        expect(new Set(items.map(({ memory }) => memory.ref)).size).toBe(items.length)
        const whole = shelvesOf(await stack.load({ tokenBudget: 50_000 }))
        const cheapest = whole.flatMap((shelf) =>
          shelf.length === 0 ? [] : [Math.min(...shelf.map(({ tokens }) => tokens))],
        )
        const least = cheapest.reduce((sum, tokens) => sum + tokens, 0)
        if (least > tokenBudget) return
        const isHeard = shelvesOf(loaded).map((shelf) => shelf.length > 0)
        expect(isHeard).toEqual(whole.map((shelf) => shelf.length > 0))
        for (const { content, tokens, cut } of items) {
          expect(tokens).toBe(estimateTokens(content))
          expect(cut || content.length <= 500).toBe(true)
        }
      }),
      runs(60),
    )
  })

  test('exported, restored and exported again it is the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (life) => {
        const { hand, stack, store, clock } = await fresh()
        await live(hand, clock, life)
        if ((await stack.getStats()).total === 0) return
        const lines = await exported(store, stack.stackId)
        for (const copy of [new MemoryStore(), new SqliteStore({ path: ':memory:' })]) {
          await restored(copy, lines, stack.stackId)
          expect(await exported(copy, stack.stackId)).toEqual(lines)
          const twin = await openStack('random', { store: copy, clock, components: [] })
          const dump = { format: 'json', includeForgotten: true } as const
          expect(await twin.dump(dump)).toBe(await stack.dump(dump))
          expect(await twin.review.list()).toEqual(await stack.review.list())
          expect((await twin.ledger.audit()).problems).toEqual([])
          await copy.close()
        }
      }),
      runs(30),
    )
  })

  test('maintenance once is maintenance enough', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 10, 3_000), async (life, days) => {
        const { hand, stack, clock } = await fresh()
        await live(hand, clock, life)
        clock.advance({ days })
        await stack.health.correctClock() // years may have passed since the last entry
        await stack.maintenance()
        const before = await everything(stack)
        await stack.maintenance()
        await stack.applyForgetting()
        expect(await everything(stack)).toEqual(before)
        expect((await stack.ledger.audit()).problems).toEqual([])
      }),
      runs(60),
    )
  })

  test('reading writes nothing and changes no later answer', async () => {
    await fc.assert(
      fc.asyncProperty(steps, queries, async (life, query) => {
        const { hand, stack, clock } = await fresh()
        await live(hand, clock, life)
        const before = await everything(stack)
        await stack.search('train heron', { limit: 5 })
        await stack.load({ tokenBudget: 500 })
        for (const kind of LISTED) await stack[READERS[kind]](query)
        await stack.getSuggestions()
        await stack.getRelationships()
        await stack.getTrustAssessments()
        expect(await everything(stack)).toEqual(before)
      }),
      runs(30),
    )
  })
})

const shelvesOf = ({ _meta, ...shelves }: Loaded) =>
  [
    shelves.values,
    shelves.beliefs,
    shelves.goals,
    shelves.drives,
    shelves.claims,
    shelves.episodes,
    shelves.notes,
    shelves.relationships,
    shelves.playbooks,
    shelves.summaries,
    shelves.selfNarratives,
  ] as const

async function everything(stack: StackHand['stack']) {
  const kinds: readonly RecordKind[] = [...KINDS, 'suggestion', 'assessment']
  const memories = await Promise.all(kinds.map((kind) => stack.list(kind, { limit: 1_000 })))
  const { head } = await stack.ledger.audit()
  return { head, memories: JSON.stringify(memories) }
}
