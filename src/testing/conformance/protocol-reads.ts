import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Ref } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { type Case, holds } from '../manifest/case.ts'
import { idOf, refsOf, type StackGiven, type StackHand } from './protocol-given.ts'

type ListedKind = 'episode' | 'belief' | 'value' | 'goal' | 'note'
type Reader = (options?: Readonly<Record<string, unknown>>) => Promise<readonly Memory[]>

const GETTERS = {
  episode: 'getEpisodes',
  belief: 'getBeliefs',
  value: 'getValues',
  goal: 'getGoals',
  note: 'getNotes',
} as const

const readerOf = ({ stack }: StackHand, kind: ListedKind): Reader => stack[GETTERS[kind]] as Reader // its options are the case's

const DEFAULT_LIMIT = 50
const CROWD = 60 // more than a default page, and than a page of the store would hold by chance

/** The default limit is 50, newest first; a given limit holds; a cursor continues the list. */
async function isPaged(hand: StackHand, kind: ListedKind): Promise<void> {
  const read = readerOf(hand, kind)
  const newestFirst = (await hand.makeMany(kind, DEFAULT_LIMIT + 2)).toReversed()
  deepStrictEqual(refsOf(await read()), newestFirst.slice(0, DEFAULT_LIMIT), 'fifty by default')
  deepStrictEqual(refsOf(await read({ limit: 3 })), newestFirst.slice(0, 3))
  deepStrictEqual(refsOf(await read({ limit: 0 })), [])
  deepStrictEqual(refsOf(await read({ limit: 100 })).slice(0, 52), newestFirst)
  const after = idOf(newestFirst[49] as Ref) // there are fifty-two
  deepStrictEqual(refsOf(await read({ after })).slice(0, 2), newestFirst.slice(50))
}

/** Strong and fading by default; weak and then all the rest when they are asked for. */
async function isTiered(hand: StackHand, kind: ListedKind): Promise<void> {
  const read = readerOf(hand, kind)
  const made: Ref[] = []
  for (const strength of [1, 0.6, 0.4, 0.1, 0]) {
    const ref = await hand.make(kind)
    await hand.setStrength(ref, strength)
    made.push(ref)
  }
  const [strong, fading, weak, dormant, forgotten] = made
  const only = async (options?: Readonly<Record<string, unknown>>) =>
    refsOf(await read(options)).filter((ref) => made.includes(ref))
  deepStrictEqual(await only(), [fading, strong])
  deepStrictEqual(await only({ includeWeak: false, includeForgotten: false }), [fading, strong])
  deepStrictEqual(await only({ includeWeak: true }), [weak, fading, strong])
  const all = [forgotten, dormant, weak, fading, strong]
  deepStrictEqual(await only({ includeForgotten: true }), all)
}

/** Filters apply before the limit: a match is found behind a crowd of other memories. */
async function isFiltered<K extends ListedKind>(
  hand: StackHand,
  kind: K,
  { body, filter }: { body: Partial<BodyInputOf<K>>; filter: Readonly<Record<string, unknown>> },
): Promise<void> {
  const read = readerOf(hand, kind)
  const meant = await hand.make(kind, body)
  await hand.makeMany(kind, CROWD)
  deepStrictEqual(refsOf(await read({ ...filter, limit: 5 })), [meant], JSON.stringify(filter))
  ok(
    (await read({ limit: 5 })).every(({ ref }) => ref !== meant),
    'without it, others come first',
  )
}

/** The context is a memory's own context, or a context tag of the memory. */
async function isInContext(hand: StackHand, kind: ListedKind): Promise<void> {
  const read = readerOf(hand, kind)
  const context = 'project:rails'
  const own = await hand.make(kind, { context })
  const tagged = await hand.make(kind, { contextTags: ['elsewhere', context] })
  await hand.make(kind, { context: 'project:roads' })
  await hand.make(kind, { context: 'project:rails/narrow' })
  await hand.makeMany(kind, CROWD)
  deepStrictEqual(refsOf(await read({ context, limit: 5 })), [tagged, own])
}

export const listCases: readonly Case<StackGiven>[] = [
  holds('S-25', 'getEpisodes: limit 50, tags, context, weak and forgotten', async (given) => {
    const hand = await given.open()
    await isTiered(hand, 'episode')
    await isInContext(hand, 'episode')
    const filter = { tags: ['delay', 'unheard of'] }
    await isFiltered(hand, 'episode', { body: { tags: ['rain', 'delay'] }, filter })
    await isPaged(hand, 'episode')
  }),

  holds(
    'S-26',
    'getBeliefs: limit 50, beliefType, minConfidence, weak, forgotten',
    async (given) => {
      const hand = await given.open()
      await isTiered(hand, 'belief')
      const filter = { beliefType: 'rule' }
      await isFiltered(hand, 'belief', { body: { beliefType: 'rule' }, filter })
      const sure = await hand.make('belief', {}, { confidence: 0.95 })
      await hand.makeMany('belief', CROWD)
      const { stack } = hand
      deepStrictEqual(refsOf(await stack.getBeliefs({ minConfidence: 0.9, limit: 5 })), [sure])
      deepStrictEqual(refsOf(await stack.getBeliefs({ minConfidence: 0.95 })), [sure], 'or equal')
      given.clock.advance({ days: 3_000 })
      deepStrictEqual(await stack.getBeliefs({ minConfidence: 0.9, includeForgotten: true }), [])
      given.clock.advance({ days: -3_000 })
      await isInContext(hand, 'belief')
      await isPaged(hand, 'belief')
    },
  ),

  holds('S-27', 'getValues: limit 50, context, weak and forgotten', async (given) => {
    const hand = await given.open()
    await isTiered(hand, 'value')
    await isInContext(hand, 'value')
    await isPaged(hand, 'value')
  }),

  holds('S-28', 'getGoals: limit 50, status, context, weak and forgotten', async (given) => {
    const hand = await given.open()
    await isTiered(hand, 'goal')
    await isInContext(hand, 'goal')
    const filter = { status: 'paused' }
    await isFiltered(hand, 'goal', { body: { status: 'paused' }, filter })
    await isPaged(hand, 'goal')
  }),

  holds('S-29', 'getNotes: limit 50, noteType, context, weak and forgotten', async (given) => {
    const hand = await given.open()
    await isTiered(hand, 'note')
    await isInContext(hand, 'note')
    const filter = { noteType: 'quote' }
    await isFiltered(hand, 'note', { body: { noteType: 'quote' }, filter })
    await isPaged(hand, 'note')
  }),

  holds('S-34', 'getRaw: limit 50, tags; however faint', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const tagged = await hand.make('raw', { tags: ['platform 9'] })
    const crowd = (await hand.makeMany('raw', CROWD)).toReversed()
    deepStrictEqual(refsOf(await stack.getRaw()), crowd.slice(0, DEFAULT_LIMIT))
    deepStrictEqual(refsOf(await stack.getRaw({ limit: 2 })), crowd.slice(0, 2))
    deepStrictEqual(refsOf(await stack.getRaw({ tags: ['platform 9'], limit: 1 })), [tagged])
    await hand.setStrength(tagged, 0)
    deepStrictEqual(refsOf(await stack.getRaw({ tags: ['platform 9'] })), [tagged])
  }),
]

export const namedCases: readonly Case<StackGiven>[] = [
  holds('S-30', 'getDrive gives the drive of a type, or nothing', async (given) => {
    const hand = await given.open()
    strictEqual(await hand.stack.getDrive('growth'), null)
    const growth = await hand.make('drive', { driveType: 'growth' })
    await hand.make('drive', { driveType: 'connection' })
    strictEqual((await hand.stack.getDrive('growth'))?.ref, growth)
    strictEqual(await hand.stack.getDrive('Growth'), null, 'a type is a name, not a likeness')
    await hand.setStrength(growth, 0)
    strictEqual((await hand.stack.getDrive('growth'))?.ref, growth, 'also one that has expired')
  }),

  holds('S-31', 'getDrives leaves expired drives out unless they are asked for', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const drives: Ref[] = []
    for (const strength of [1, 0.3, 0.2, 0]) {
      const ref = await hand.make('drive')
      await hand.setStrength(ref, strength)
      drives.unshift(ref)
    }
    deepStrictEqual(refsOf(await stack.getDrives()), drives.slice(2), 'above 0.2')
    deepStrictEqual(refsOf(await stack.getDrives({ includeExpired: false })), drives.slice(2))
    deepStrictEqual(refsOf(await stack.getDrives({ includeExpired: true })), drives)
  }),

  holds('S-32', 'getRelationship gives the one with a name, or nothing', async (given) => {
    const hand = await given.open()
    strictEqual(await hand.stack.getRelationship('Kim'), null)
    const kim = await hand.make('relationship', { entityName: 'Kim' })
    await hand.make('relationship', { entityName: 'Kimi' })
    strictEqual((await hand.stack.getRelationship('Kim'))?.ref, kim)
  }),

  holds('S-33', 'getRelationships: entityId, entityType, minTrust', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const make = (body: Partial<BodyInputOf<'relationship'>>) => hand.make('relationship', body)
    const kim = await make({ entityId: 'person-1', sentiment: 0.6 })
    const bot = await make({ entityId: 'bot-1', entityType: 'service', sentiment: -1 })
    const lee = await make({ sentiment: 0 })
    deepStrictEqual(refsOf(await stack.getRelationships()), [lee, bot, kim])
    deepStrictEqual(refsOf(await stack.getRelationships({ entityId: 'person-1' })), [kim])
    deepStrictEqual(refsOf(await stack.getRelationships({ entityType: 'service' })), [bot])
    deepStrictEqual(refsOf(await stack.getRelationships({ minTrust: 0.5 })), [lee, kim])
    deepStrictEqual(refsOf(await stack.getRelationships({ minTrust: 0.8 })), [kim])
    deepStrictEqual(refsOf(await stack.getRelationships({ minTrust: 0.81 })), [])
    deepStrictEqual(refsOf(await stack.getRelationships({ entityType: 'person', minTrust: 0.6 })), [
      kim,
    ])
  }),

  holds('S-35', 'getMemory gives the memory of a kind and id, or nothing', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const ref = await hand.make('note', { content: 'said once' })
    const memory = await stack.getMemory('note', idOf(ref))
    strictEqual(memory?.ref, ref)
    strictEqual(memory.text, 'said once')
    deepStrictEqual(memory.provenance.label, { type: 'External', kind: 'ExternalFirstHand' })
    strictEqual(await stack.getMemory('belief', idOf(ref)), null, 'of another kind')
    strictEqual(await stack.getMemory('note', '01980000-0000-7000-8000-0000000000ff'), null)
    await hand.setStrength(ref, 0)
    strictEqual((await stack.getMemory('note', idOf(ref)))?.strengthTier, 'forgotten')
  }),
]
