import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Ref } from '../../domain/ids.ts'
import type { Loaded, LoadedItem } from '../../engine/read/load.ts'
import { type Case, holds } from '../manifest/case.ts'
import type { StackGiven, StackHand } from './protocol-given.ts'

const SHELVES = [
  'values',
  'beliefs',
  'goals',
  'drives',
  'claims',
  'episodes',
  'notes',
  'relationships',
  'playbooks',
  'summaries',
  'selfNarratives',
] as const

const itemsIn = (loaded: Loaded): readonly LoadedItem[] => SHELVES.flatMap((name) => loaded[name])

async function priorityOf({ stack }: StackHand, ref: Ref): Promise<number | undefined> {
  const items = itemsIn(await stack.load())
  return items.find(({ memory }) => memory.ref === ref)?.priority
}

const isNear = (actual: number | undefined, expected: number, what: string): void => {
  ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${what}: ${actual}`)
}

export const loadCases: readonly Case<StackGiven>[] = [
  holds('S-44', 'load has a shelf for every kind, minds context, and counts', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const kinds = [
      'value',
      'belief',
      'goal',
      'drive',
      'claim',
      'episode',
      'note',
      'relationship',
      'playbook',
      'summary',
      'self_narrative',
    ] as const
    deepStrictEqual(itemsIn(await stack.load()), [], 'of nothing')
    for (const kind of kinds) await hand.make(kind)
    const loaded = await stack.load()
    for (const shelf of SHELVES) ok(loaded[shelf].length > 0, shelf)
    const items = itemsIn(loaded)
    const { _meta: meta } = loaded
    strictEqual(meta.budgetTotal, 8_000)
    strictEqual(
      meta.budgetUsed,
      items.reduce((sum, { tokens }) => sum + tokens, 0),
    )
    strictEqual(meta.included, items.length)
    const here = await hand.make('note', { content: 'here', context: 'project:a' })
    const tagged = await hand.make('note', { content: 'tagged', contextTags: ['project:a'] })
    const there = await hand.make('note', { content: 'there', context: 'project:b' })
    const { notes } = await stack.load({ context: 'project:a' })
    const found = notes.map(({ memory }) => memory.ref)
    ok(found.includes(here) && found.includes(tagged), 'of this context')
    ok(!found.includes(there), 'not of another')
    ok(notes.length > 2, 'and what belongs to none holds everywhere')
  }),

  holds('S-44', 'a budget is kept to, and what was left out is named', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    await hand.makeMany('note', 30)
    const { notes, _meta: meta } = await stack.load({ tokenBudget: 60 })
    ok(meta.budgetUsed <= 60 && meta.budgetTotal === 60)
    strictEqual(notes.length + meta.excludedCount, 30)
    ok(meta.excluded.every(({ reason }) => reason === 'budget'))
    const newest = (await stack.getNotes({ limit: 1 }))[0]?.ref
    strictEqual(notes[0]?.memory.ref, newest, 'of equals, the newest first')
    strictEqual(itemsIn(await stack.load({ tokenBudget: 0 })).length, 0)
  }),

  holds('S-77', 'each kind starts with its own priority', async (given) => {
    const hand = await given.open()
    const bases = [
      ['summary', { scope: 'decade' }, 0.95],
      ['value', { priority: 0 }, 0.9],
      ['self_narrative', {}, 0.9],
      ['summary', { scope: 'epoch' }, 0.85],
      ['summary', { scope: 'year' }, 0.8],
      ['goal', {}, 0.65],
      ['drive', { intensity: 0 }, 0.6],
      ['episode', {}, 0.4],
      ['note', {}, 0.35],
      ['relationship', {}, 0.3],
    ] as const
    for (const [kind, body, base] of bases) {
      const ref = await hand.make(kind, body as never) // a body of this kind
      isNear(await priorityOf(hand, ref), base, `${kind} ${JSON.stringify(body)}`)
    }
    const belief = await hand.make('belief', {}, { confidence: 0 })
    isNear(await priorityOf(hand, belief), 0.7, 'belief')
  }),

  holds('S-78', 'priority, confidence and intensity raise it', async (given) => {
    const hand = await given.open()
    for (const priority of [0, 50, 100]) {
      const ref = await hand.make('value', { priority })
      isNear(await priorityOf(hand, ref), 0.9 + priority / 1_000, 'value')
    }
    for (const confidence of [0.3, 0.8, 1]) {
      const ref = await hand.make('belief', {}, { confidence })
      isNear(await priorityOf(hand, ref), 0.7 + confidence / 10, 'belief')
    }
    for (const intensity of [0, 0.5, 1]) {
      const ref = await hand.make('drive', { intensity })
      isNear(await priorityOf(hand, ref), 0.6 + intensity / 10, 'drive')
    }
    const [value] = (await hand.stack.load()).values
    ok(value)
    strictEqual(
      (value.memory.body as { priority: number }).priority,
      100,
      'the most important one first',
    )
    const { values, beliefs } = await hand.stack.load({ tokenBudget: value.tokens })
    strictEqual(values.length, 1)
    deepStrictEqual(beliefs, [], 'a value comes before any belief')
  }),

  holds('S-77', 'what reaches far back is loaded however much came since', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const decade = await hand.make('summary', { scope: 'decade', content: 'ten years of trains' })
    const beliefs = await hand.makeMany('belief', 150)
    const content = 'word '.repeat(90)
    for (let n = 0; n < 120; n += 1) await hand.make('summary', { content: `${n} ${content}` })
    const loaded = await stack.load({ tokenBudget: 4_000 })
    ok(
      loaded.summaries.some(({ memory }) => memory.ref === decade),
      'the decade',
    )
    strictEqual(loaded.beliefs.length, beliefs.length, 'and every belief before a month')
  }),

  holds('S-79', 'an item is cut between words at 500 characters', async (given) => {
    const hand = await given.open()
    const words = 'seven letters '.repeat(100)
    await hand.make('note', { content: words })
    const [item] = (await hand.stack.load()).notes
    ok(item?.cut)
    ok(item.content.length <= 500 && item.content.length > 480)
    ok(/(seven|letters)…$/.test(item.content), item.content.slice(-20))
    strictEqual(item.tokens, Math.ceil((item.content.length / 4) * 1.3))
    strictEqual(item.memory.text, words, 'the memory itself is whole')
  }),

  holds('S-79', 'the budget is 8,000 unless given, and never above 50,000', async (given) => {
    const hand = await given.open()
    const content = 'word '.repeat(100)
    const records = []
    for (let n = 0; n < 400; n += 1)
      records.push(await hand.record('note', { content: `${n} ${content}` }))
    await hand.stack.saveNotesBatch(records)
    const plain = await hand.stack.load()
    ok(plain._meta.budgetUsed <= 8_000 && plain._meta.budgetUsed > 7_500)
    strictEqual(plain._meta.budgetCapped, false)
    const most = await hand.stack.load({ tokenBudget: 1_000_000 })
    strictEqual(most._meta.budgetTotal, 50_000)
    strictEqual(most._meta.budgetCapped, true)
    ok(most._meta.budgetUsed <= 50_000 && most._meta.budgetUsed > 49_500)
  }),
]
