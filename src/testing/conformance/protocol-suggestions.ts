import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { parseRef, splitRef } from '../../domain/ids.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import { idOf, refsOf, type StackGiven, type StackHand } from './protocol-given.ts'

const PROPOSED = {
  episode: { objective: 'take the night train', outcome: 'slept well' },
  belief: { statement: 'Night trains are quiet before midnight' },
  note: { content: 'the night train has a bar' },
  goal: { title: 'Travel by night train once a year' },
  value: { name: 'slowness', statement: 'Going slowly shows more of the country' },
  relationship: { entityName: 'the steward', relationshipType: 'acquaintance' },
  drive: { driveType: 'wanderlust', intensity: 0.7 },
} as const

type Proposed = keyof typeof PROPOSED
const PROPOSED_KINDS = Object.keys(PROPOSED) as readonly Proposed[] // keys of the constant above

const propose = (hand: StackHand, memoryType: Proposed, sourceRefs: readonly string[] = []) =>
  hand.id('suggestion', {
    memoryType,
    content: PROPOSED[memoryType],
    confidence: 0.6,
    sourceRefs,
  })

/** Accepts a suggestion of every kind from one sort of source, and checks the new memories. */
async function acceptsAll(given: StackGiven, source: 'raw' | 'note' | 'belief' | null) {
  for (const memoryType of PROPOSED_KINDS) {
    const hand = await given.open()
    const { stack } = hand
    const sources = source === null ? [] : [await hand.make(source)]
    const suggestionId = await propose(hand, memoryType, sources)
    const id = await stack.acceptSuggestion(suggestionId)
    ok(id, `${memoryType} from ${source}`)
    const memory = await stack.getMemory(memoryType, id)
    ok(memory)
    const { provenance } = memory
    for (const [name, value] of Object.entries(PROPOSED[memoryType])) {
      deepStrictEqual((memory.body as Record<string, unknown>)[name], value) // the proposed value
    }
    strictEqual(provenance.sourceEntity, 'muniment:suggestion-promotion')
    strictEqual(provenance.sourceType, 'consolidation')
    strictEqual(memory.confidence, 0.6)
    const { ref, kind } = memory
    const trace = await stack.history.trace(ref)
    const roots = trace.filter(({ memory: each }) => each.provenance.derivedFrom.length === 0)
    ok(roots.length > 0 && roots.every(({ memory: each }) => each.kind === 'raw'), 'ends at raw')
    const told = new Set([...trace.map((step) => step.memory.ref), ...provenance.sourceEpisodes])
    ok(
      sources.every((each) => told.has(each)),
      `${kind} names ${source}`,
    )
    const suggestion = await stack.getSuggestion(suggestionId)
    strictEqual(suggestion?.status, 'promoted')
    strictEqual(suggestion.promotedTo, ref)
    ok(suggestion.resolvedAt)
    if (source === 'raw') {
      const raws = await stack.getRaw({ status: 'processed' })
      ok(
        sources.every((each) => refsOf(raws).includes(each)),
        'its captures are done with',
      )
    }
    strictEqual(await stack.acceptSuggestion(suggestionId), null, 'a second time')
    deepStrictEqual((await stack.ledger.audit()).problems, [])
  }
}

const acceptCases: readonly Case<StackGiven>[] = [
  holds('S-21', 'every kind is accepted from a raw, chain and all', async (given) => {
    await acceptsAll(given, 'raw')
  }),
  holds('S-21', 'every kind is accepted from a note', async (given) => {
    await acceptsAll(given, 'note')
  }),
  holds('S-21', 'every kind is accepted from a belief', async (given) => {
    await acceptsAll(given, 'belief')
  }),
  holds('S-21', 'every kind is accepted from nothing but its own words', async (given) => {
    await acceptsAll(given, null)
  }),

  holds('S-21', 'modifications replace what was proposed and are said to', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const suggestionId = await propose(hand, 'belief')
    const statement = 'Night trains are quiet after midnight'
    const id = await stack.acceptSuggestion(suggestionId, { statement, confidence: 0.9 })
    const memory = await stack.getMemory('belief', String(id))
    strictEqual(memory?.body.statement, statement)
    strictEqual(memory.confidence, 0.9)
    strictEqual((await stack.getSuggestion(suggestionId))?.status, 'modified')
    const plain = await propose(hand, 'note')
    await stack.acceptSuggestion(plain, {})
    strictEqual((await stack.getSuggestion(plain))?.status, 'promoted', 'nothing was modified')
  }),

  holds('S-21', 'two accepts at once make one memory', async (given) => {
    const hand = await given.open()
    const suggestionId = await propose(hand, 'value')
    const both = await Promise.all([1, 2].map(() => hand.stack.acceptSuggestion(suggestionId)))
    strictEqual(both.filter((id) => id !== null).length, 1)
    strictEqual((await hand.stack.getStats()).value, 1)
  }),

  holds('S-22', 'absent, no longer pending, or noise: nothing', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    strictEqual(await stack.acceptSuggestion('01980000-0000-7000-8000-0000000000ff'), null)
    const dismissed = await propose(hand, 'note')
    await stack.dismissSuggestion(dismissed)
    strictEqual(await stack.acceptSuggestion(dismissed), null)
    for (const [memoryType, content] of [
      ['belief', { statement: 'TODO' }],
      ['value', { name: 'candour', statement: 'I should always consider the' }],
    ] as const) {
      const id = await hand.id('suggestion', { memoryType, content, confidence: 0.6 })
      strictEqual(await stack.acceptSuggestion(id), null, memoryType)
      strictEqual((await stack.getSuggestion(id))?.status, 'pending', 'it may still be modified')
      strictEqual((await stack.getStats())[memoryType], undefined)
    }
    const wrong = await hand.id('suggestion', { memoryType: 'goal', content: {}, confidence: 0.6 })
    strictEqual(
      (await errorOf(() => stack.acceptSuggestion(wrong), 'no title')).code,
      'invalid_input',
    )
  }),
]

export const suggestionCases: readonly Case<StackGiven>[] = [
  ...acceptCases,

  holds('S-19', 'getSuggestion gives what was proposed, or nothing', async (given) => {
    const hand = await given.open()
    const raw = await hand.make('raw')
    const id = await propose(hand, 'goal', [raw])
    const suggestion = await hand.stack.getSuggestion(id)
    strictEqual(suggestion?.memoryType, 'goal')
    deepStrictEqual(suggestion.content, PROPOSED.goal)
    strictEqual(suggestion.confidence, 0.6)
    deepStrictEqual(suggestion.sourceRefs, [raw])
    strictEqual(suggestion.status, 'pending')
    strictEqual(suggestion.resolvedAt, null)
    strictEqual(await hand.stack.getSuggestion('01980000-0000-7000-8000-0000000000ff'), null)
    strictEqual(await hand.stack.getSuggestion(splitRef(raw).id), null, 'a raw is none')
  }),

  holds('S-20', 'getSuggestions: every filter, and 100 by default', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const raw = await hand.make('raw')
    const old = await hand.make('suggestion', { sourceRefs: [raw], confidence: 0.9 })
    given.clock.advance({ minutes: 180 })
    const goal = await hand.make('suggestion', { memoryType: 'goal', content: PROPOSED.goal })
    const crowd = (await hand.makeMany('suggestion', 110)).toReversed()
    await stack.dismissSuggestion(idOf(goal))
    const found = async (options?: Parameters<typeof stack.getSuggestions>[0]) =>
      refsOf(await stack.getSuggestions(options))
    deepStrictEqual(await found(), crowd.slice(0, 100), 'a hundred, newest first')
    deepStrictEqual(await found({ limit: 3 }), crowd.slice(0, 3))
    deepStrictEqual(await found({ limit: 111 }), [...crowd, goal])
    deepStrictEqual(await found({ status: 'dismissed', limit: 1 }), [goal])
    deepStrictEqual(await found({ status: 'pending', limit: 111 }), [...crowd, old])
    deepStrictEqual(await found({ memoryType: 'goal', limit: 1 }), [goal])
    deepStrictEqual(await found({ minConfidence: 0.9, limit: 1 }), [old])
    deepStrictEqual(await found({ maxAgeHours: 2, limit: 112 }), [...crowd, goal])
    deepStrictEqual((await found({ maxAgeHours: 3, limit: 112 })).length, 112)
    deepStrictEqual(await found({ sourceRawId: idOf(raw), limit: 1 }), [old])
    deepStrictEqual(await found({ sourceRawId: raw, limit: 1 }), [old], 'a ref does as well')
    const after = idOf(parseRef(crowd[108] ?? ''))
    deepStrictEqual(await found({ after }), [crowd[109], goal, old], 'and a cursor')
  }),

  holds('S-23', 'dismissSuggestion keeps its reason and says whether it did', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await propose(hand, 'note')
    strictEqual(await stack.dismissSuggestion(id, 'the bar was closed'), true)
    const dismissed = await stack.getSuggestion(id)
    strictEqual(dismissed?.status, 'dismissed')
    strictEqual(dismissed.reason, 'the bar was closed')
    strictEqual(await stack.dismissSuggestion(id, 'again'), false)
    strictEqual((await stack.getSuggestion(id))?.reason, 'the bar was closed')
    strictEqual(await stack.dismissSuggestion('01980000-0000-7000-8000-0000000000ff'), false)
    const silent = await propose(hand, 'note')
    strictEqual(await stack.dismissSuggestion(silent), true, 'a reason is optional')
    strictEqual((await stack.getSuggestion(silent))?.reason, null)
  }),

  holds(
    'S-20',
    'a suggestion nobody answers in a week expires, however many came since',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const late = await propose(hand, 'note')
      given.clock.advance({ days: 7, minutes: 1 })
      await hand.makeMany('suggestion', 1_001)
      await stack.maintenance()
      strictEqual((await stack.getSuggestion(late))?.status, 'expired')
      strictEqual((await stack.getSuggestions({ status: 'expired' })).length, 1)
      strictEqual(await stack.acceptSuggestion(late), null)
    },
  ),
]
