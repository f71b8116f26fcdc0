import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holds } from '../../tests/support/holds.ts'
import type { RecordKind } from '../domain/ids.ts'
import { estimateTokens, type PackCandidate, type Packed, pack, tokenBudget } from './pack.ts'

/** A candidate whose text costs at least this many tokens and less than one more. */
const costing = (
  tokens: number,
  kind: RecordKind,
  priority: number,
  ref: string,
): PackCandidate => ({
  ref,
  kind,
  priority,
  text: 'x'.repeat(Math.floor((tokens * 40) / 13)),
})

const refs = ({ taken }: Packed): readonly string[] => taken.map(({ ref }) => ref)

holds('S-79', 'an item is cut between words at 500 characters, and counted as it is cut', () => {
  const text = 'seven letters '.repeat(100)
  const { taken, used } = pack([{ ref: 'note:1', kind: 'note', priority: 1, text }], 8_000)
  expect(taken[0]?.cut).toBe(true)
  expect(taken[0]?.text).toMatch(/(seven|letters)…$/)
  expect(taken[0]?.text.length).toBeLessThanOrEqual(500)
  expect(used).toBe(estimateTokens(taken[0]?.text ?? ''))
})

holds('S-79', 'four characters are a token and 30 % come on top', () => {
  expect(['', 'a', 'a'.repeat(40), 'a'.repeat(500)].map(estimateTokens)).toEqual([0, 1, 13, 163])
})

holds('S-79', 'a budget is 8,000 unless given, and no more than 50,000', () => {
  expect(tokenBudget()).toEqual({ tokens: 8_000, capped: false })
  expect(tokenBudget(50_000)).toEqual({ tokens: 50_000, capped: false })
  expect(tokenBudget(50_001)).toEqual({ tokens: 50_000, capped: true })
  expect(tokenBudget(-1)).toEqual({ tokens: 0, capped: false })
})

describe('packing', () => {
  test('goes by priority, equal ones in the order they came', () => {
    const items = [
      costing(10, 'note', 0.3, 'note:1'),
      costing(10, 'note', 0.4, 'note:2'),
      costing(10, 'note', 0.3, 'note:3'),
    ]
    expect(refs(pack(items, 20))).toEqual(['note:2', 'note:1'])
  })

  test('an item that does not fit makes way for a smaller one behind it', () => {
    const items = [costing(60, 'note', 0.9, 'note:1'), costing(50, 'note', 0.8, 'note:2')]
    const { taken, left } = pack([...items, costing(40, 'note', 0.7, 'note:3')], 100)
    expect(taken.map(({ ref }) => ref)).toEqual(['note:1', 'note:3'])
    expect(left).toEqual([{ ref: 'note:2', kind: 'note', reason: 'budget' }])
  })

  test('five thousand beliefs leave room for one note and one episode', () => {
    const beliefs = Array.from({ length: 5_000 }, (_, at) =>
      costing(30, 'belief', 0.78, `belief:${at}`),
    )
    const others = [costing(100, 'episode', 0.4, 'episode:1'), costing(90, 'note', 0.35, 'note:1')]
    const packed = pack([...beliefs, ...others], 8_000)
    expect(refs(packed)).toContain('episode:1')
    expect(refs(packed)).toContain('note:1')
    expect(packed.used).toBeGreaterThan(7_970)
    expect(packed.left[0]?.reason).toBe('share')
    expect(packed.left.at(-1)?.reason).toBe('budget')
  })

  test('a first item takes more than its share only when its kind has no smaller one', () => {
    const goal = costing(10, 'goal', 0.1, 'goal:1')
    const dear = costing(50, 'belief', 0.9, 'belief:dear')
    const small = costing(30, 'belief', 0.8, 'belief:small')
    expect(refs(pack([dear, small, goal], 80))).toEqual(['belief:small', 'goal:1'])
    expect(refs(pack([dear, goal], 80))).toEqual(['belief:dear', 'goal:1'])
  })

  test('a budget that cannot hold one of each goes by priority alone', () => {
    const items = [
      costing(50, 'belief', 0.9, 'belief:1'),
      costing(50, 'belief', 0.8, 'belief:2'),
      costing(60, 'note', 0.3, 'note:1'),
    ]
    expect(refs(pack(items, 100))).toEqual(['belief:1', 'belief:2'])
  })

  test('a kind too dear for the whole budget keeps nobody else out', () => {
    const items = [costing(120, 'belief', 0.9, 'belief:1'), costing(60, 'note', 0.3, 'note:1')]
    expect(refs(pack(items, 100))).toEqual(['note:1'])
  })

  test('no budget takes nothing that costs something', () => {
    const items = [costing(1, 'note', 1, 'note:1'), costing(0, 'note', 0, 'note:2')]
    for (const budget of [0, -1, Number.NaN])
      expect(pack(items, budget).used, String(budget)).toBe(0)
  })
})

const KIND_NAMES = ['belief', 'note', 'goal', 'value'] as const
const candidates = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KIND_NAMES),
      priority: fc.constantFrom(0.2, 0.4, 0.4001, 0.6, 0.9),
      length: fc.oneof(fc.nat(40), fc.nat(499)),
    }),
    { maxLength: 25 },
  )
  .map((list) =>
    list.map(({ kind, priority, length }, at) => ({
      ref: `${kind}:${at}`,
      kind,
      priority,
      text: 'x'.repeat(length),
    })),
  )
const budgets = fc.oneof(fc.nat(100), fc.nat(600), fc.nat(3_000))

const cost = ({ text }: PackCandidate): number => estimateTokens(text)
const cheapest = (list: readonly PackCandidate[], kind: RecordKind): number =>
  Math.min(...list.filter((item) => item.kind === kind).map(cost))
/** The kinds that could have an item at all. */
const possible = (list: readonly PackCandidate[], budget: number): readonly RecordKind[] =>
  KIND_NAMES.filter((kind) => cheapest(list, kind) <= budget)
const holdsOneOfEach = (list: readonly PackCandidate[], budget: number): boolean =>
  possible(list, budget).reduce((sum, kind) => sum + cheapest(list, kind), 0) <= budget

/** The slow and obvious way: first one of each kind, asking anew at every step, then the rest. */
function naive(list: readonly PackCandidate[], budget: number): readonly string[] {
  const order = list.map((item, at) => ({ item, at }))
  order.sort((a, b) => b.item.priority - a.item.priority || a.at - b.at)
  const taken: PackCandidate[] = []
  const used = (): number => taken.reduce((sum, item) => sum + cost(item), 0)
  const without = (): readonly RecordKind[] =>
    possible(list, budget).filter((kind) => !taken.some((item) => item.kind === kind))
  for (const { item } of order) {
    if (!holdsOneOfEach(list, budget) || !without().includes(item.kind)) continue
    const others = without().filter((kind) => kind !== item.kind)
    const kept = others.reduce((sum, kind) => sum + cheapest(list, kind), 0)
    const tooMuch = others.length > 0 && cost(item) > budget * 0.4
    if (tooMuch && cost(item) > cheapest(list, item.kind)) continue
    if (used() + cost(item) + kept <= budget) taken.push(item)
  }
  for (const { item } of order)
    if (!taken.includes(item) && used() + cost(item) <= budget) taken.push(item)
  return order.filter(({ item }) => taken.includes(item)).map(({ item }) => item.ref)
}

describe('whatever is packed', () => {
  test('never goes over the budget, loses nobody, and leaves out nothing that would still fit', () => {
    fc.assert(
      fc.property(candidates, budgets, (list, budget) => {
        const { taken, used, left } = pack(list, budget)
        expect(used).toBe(taken.reduce((sum, { tokens }) => sum + tokens, 0))
        expect(used).toBeLessThanOrEqual(budget)
        const all = [...taken, ...left].map(({ ref }) => ref).sort()
        expect(all).toEqual(list.map(({ ref }) => ref).sort())
        const gone = new Set(left.map(({ ref }) => ref))
        for (const item of list)
          if (gone.has(item.ref)) expect(used + cost(item)).toBeGreaterThan(budget)
      }),
    )
  })

  test('every kind that could have an item has one, when one of each fits together', () => {
    fc.assert(
      fc.property(candidates, budgets, (list, budget) => {
        fc.pre(holdsOneOfEach(list, budget))
        const kinds = new Set(pack(list, budget).taken.map(({ kind }) => kind))
        for (const kind of possible(list, budget)) expect(kinds).toContain(kind)
      }),
    )
  })

  test('is what the slow and obvious way packs', () => {
    fc.assert(
      fc.property(candidates, budgets, (list, budget) => {
        expect(refs(pack(list, budget))).toEqual(naive(list, budget))
      }),
      { numRuns: 500 },
    )
  })

  test('depends on the order of the candidates only among equal priorities', () => {
    const distinct = candidates.map((list) => list.map((item, at) => ({ ...item, priority: at })))
    fc.assert(
      fc.property(distinct, budgets, (list, budget) => {
        expect(pack(list.toReversed(), budget)).toEqual(pack(list, budget))
      }),
    )
  })
})

test('what a person asked to keep has two fifths of the budget, and no more against stronger items', () => {
  const text = 'word '.repeat(20)
  const strong = Array.from({ length: 20 }, (_, at) => ({
    ...{ ref: `belief:${at}`, kind: 'belief' as const, priority: 0.9, text },
  }))
  const wishes = Array.from({ length: 20 }, (_, at) => ({
    ...{ ref: `raw:${at}`, kind: 'raw' as const, priority: 0.1, text, isKept: true },
  }))
  const { taken } = pack([...strong, ...wishes], 330) // room for ten
  expect(taken.filter(({ kind }) => kind === 'raw')).toHaveLength(4)
  expect(taken).toHaveLength(10)
})
