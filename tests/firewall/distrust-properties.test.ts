import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemoryState } from '../../src/domain/state.ts'
import { entriesOf, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { acts, doubts, everythingOf, Life } from './distrust-lives.ts'

async function lived(life: Parameters<Life['live']>[0]) {
  const fresh = await freshStack()
  const all = new Life(fresh.stack)
  await all.live(life)
  const states = (): readonly MemoryState[] => [
    ...fresh.store.rows(fresh.stack.stackId).memories.values(),
  ]
  return { ...fresh, life: all, states }
}

const lives = fc.array(acts, { minLength: 3, maxLength: 30 })

/** What is not believed already, so that distrusting it says something new. */
const isNew = (before: readonly MemoryState[], after: readonly MemoryState[]): boolean =>
  JSON.stringify(before) !== JSON.stringify(after)

holds(
  'FIREWALL-DISTRUST',
  'after any history, what is distrusted and trusted again leaves every row, answer, belief and load as it was',
  async () => {
    await fc.assert(
      fc.asyncProperty(lives, doubts, async (acts, doubt) => {
        const { stack, life, states } = await lived(acts)
        const what = life.what(doubt)
        const before = await everythingOf(stack, states())
        if (what === undefined || isErased(states(), what)) return
        const { entry } = await stack.sources.distrust(what)
        if (entry === null) return // it was distrusted before, and is left so
        const { entry: undone } = await stack.sources.trust(what)
        expect(undone).not.toBeNull()
        expect(await everythingOf(stack, states())).toEqual(before)
        expect((await stack.ledger.audit()).problems).toEqual([])
      }),
      { numRuns: 150 },
    )
  },
)

const isErased = (states: readonly MemoryState[], what: unknown): boolean =>
  states.some(({ ref, erased }) => ref === what && erased !== null)

holds(
  'FIREWALL-WHATIF',
  'what whatIf says is what distrusting does: to memories, to flags and to every answer',
  async () => {
    await fc.assert(
      fc.asyncProperty(lives, doubts, async (acts, doubt) => {
        const { stack, store, life, states } = await lived(acts)
        const what = life.what(doubt)
        if (what === undefined || isErased(states(), what)) return
        const before = states()
        const asked = await everythingOf(stack, before)
        const entries = entriesOf(store, stack).length
        const foretold = await stack.sources.whatIf({ distrust: what })
        expect(entriesOf(store, stack)).toHaveLength(entries)
        expect(await everythingOf(stack, states())).toEqual(asked)
        const done = await stack.sources.distrust(what)
        const after = new Map(states().map((state) => [state.ref, state]))
        const fallen = before.filter(
          ({ ref, distrust }) => distrust === null && after.get(ref)?.distrust != null,
        )
        expect(foretold.memories.map(({ ref }) => ref).sort()).toEqual(
          fallen.map(({ ref }) => ref).sort(),
        )
        const flagged = before.filter(
          ({ ref, flags }) => (after.get(ref)?.flags.length ?? 0) > flags.length,
        )
        expect([...new Set(foretold.flagged.map(({ ref }) => ref))].sort()).toEqual(
          flagged.map(({ ref }) => ref).sort(),
        )
        expect([...done.flagged].sort()).toEqual(flagged.map(({ ref }) => ref).sort())
        const now = await everythingOf(stack, states())
        const changed = asked.answers.flatMap((answer, index) =>
          isNew([answer] as never, [now.answers[index]] as never)
            ? [{ before: answer, after: now.answers[index] }]
            : [],
        )
        const byName = (a: (typeof changed)[number], b: (typeof changed)[number]) =>
          a.before.predicate < b.before.predicate ? -1 : 1
        expect([...foretold.answers].sort(byName as never)).toEqual(changed.sort(byName))
        expect((await stack.ledger.audit()).problems).toEqual([])
      }),
      { numRuns: 150 },
    )
  },
)

holds(
  'FIREWALL-DISTRUST',
  'what is distrusted answers nothing, is found by nothing and is loaded by nothing; asked for, it is there',
  async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (acts) => {
        const { stack, states } = await lived(acts)
        const fallen = new Set<string>(
          states().flatMap(({ ref, distrust }) => (distrust === null ? [] : [ref])),
        )
        const { answers, loaded, found, beliefs } = await everythingOf(stack, states())
        const { _meta, ...shelves } = loaded
        const shown = [
          ...answers.flatMap(({ claims, beside }) => [
            ...claims.map(({ ref }) => ref),
            ...beside.flatMap((side) => side.claims.map(({ ref }) => ref)),
          ]),
          ...Object.values(shelves).flatMap((items) =>
            Array.isArray(items) ? items.map(({ memory }) => memory.ref) : [],
          ),
          ...found.map(({ memoryType, memoryId }) => `${memoryType}:${memoryId}`),
          ...beliefs.map(({ ref }) => ref),
        ]
        expect(shown.filter((ref) => fallen.has(ref))).toEqual([])
        for (const ref of fallen) {
          const [kind = '', id = ''] = ref.split(':')
          const memory = await stack.getMemory(kind as 'raw', id)
          expect(memory).toMatchObject({ disposition: 'Distrusted', tier: 0 })
        }
        expect((await stack.ledger.audit()).problems).toEqual([])
        await stack.ledger.rebuild()
        expect((await stack.ledger.audit()).problems).toEqual([])
      }),
      { numRuns: 100 },
    )
  },
)
