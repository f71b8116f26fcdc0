import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { type Case, holds } from '../manifest/case.ts'
import { idOf, refsOf, type StackGiven } from './protocol-given.ts'
import { MODEL, PERSON } from './protocol-review.ts'

const NOBODY = '01980000-0000-7000-8000-0000000000ff'

export const metaCases: readonly Case<StackGiven>[] = [
  holds('S-45', 'each access strengthens a little less, and reading does not', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const ref = await hand.make('episode')
    await hand.setStrength(ref, 0.5)
    const strength = async () => (await stack.getMemory('episode', idOf(ref)))?.strength ?? 0
    const steps = [await strength()]
    for (let times = 0; times < 3; times += 1) {
      strictEqual(await stack.recordAccess('episode', idOf(ref)), true)
      steps.push(await strength())
    }
    const gains = steps.slice(1).map((value, at) => Number((value - (steps[at] ?? 0)).toFixed(9)))
    deepStrictEqual(gains, [0.02, Number((0.02 / 1.1).toFixed(9)), Number((0.02 / 1.2).toFixed(9))])
    const entries = await hand.entryCount()
    await stack.search('train')
    await stack.load()
    await stack.getEpisodes()
    strictEqual(await strength(), steps.at(-1))
    strictEqual(await hand.entryCount(), entries, 'reading writes nothing')
    strictEqual((await stack.getMemory('episode', idOf(ref)))?.accessCount, 3)
    strictEqual(await stack.recordAccess('episode', NOBODY), false)
    await stack.forgetMemory('episode', idOf(ref), 'done')
    strictEqual(await stack.recordAccess('episode', idOf(ref)), false, 'forgotten is forgotten')
  }),

  holds('S-46', 'updateMemoryMeta changes confidence and tags', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('note', { tags: ['first'] })
    const read = async () => stack.getMemory('note', id)
    strictEqual(await stack.updateMemoryMeta('note', id, { confidence: 0.5 }), true)
    strictEqual((await read())?.confidence, 0.5)
    deepStrictEqual((await read())?.tags, ['first'], 'tags that were not given stay')
    strictEqual(await stack.updateMemoryMeta('note', id, { tags: ['second', 'third'] }), true)
    deepStrictEqual((await read())?.tags, ['second', 'third'])
    strictEqual((await read())?.confidence, 0.5, 'confidence that was not given stays')
    deepStrictEqual((await read())?.body.tags, ['first'], 'its words are what they were')
    deepStrictEqual(refsOf(await stack.getNotes({ tags: ['third'] })), [`note:${id}`])
    deepStrictEqual(await stack.getNotes({ tags: ['first'] }), [])
    strictEqual(await stack.updateMemoryMeta('note', id, { tags: [] }), true)
    deepStrictEqual((await read())?.tags, [])
    strictEqual(await stack.updateMemoryMeta('note', id), false, 'nothing to change')
    strictEqual(await stack.updateMemoryMeta('note', NOBODY, { confidence: 0.1 }), false)
  }),

  holds('S-46', 'confidence is raised on a person’s word alone', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('note')
    const confidence = async () => (await stack.getMemory('note', id))?.confidence
    const before = await hand.entryCount()
    strictEqual(await stack.updateMemoryMeta('note', id, { confidence: 0.95 }), false)
    strictEqual(await confidence(), 0.8)
    strictEqual(await hand.entryCount(), before + 1, 'that it was said is written down')
    const raised = await stack.updateMemoryMeta('note', id, { confidence: 0.95, caller: PERSON })
    strictEqual(raised, true)
    strictEqual(await confidence(), 0.95)
    const [step] = (await stack.getMemory('note', id))?.confidenceHistory ?? []
    deepStrictEqual([step?.old, step?.new], [0.8, 0.95])
  }),

  holds('S-47', 'forgetMemory deletes softly, and keeps its reason', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('note', { content: 'a heron' })
    strictEqual(await stack.forgetMemory('note', id, 'no longer of use'), true)
    strictEqual((await stack.getMemory('note', id))?.strength, 0)
    deepStrictEqual(await stack.getNotes(), [])
    deepStrictEqual(await stack.search('heron'), [])
    strictEqual((await stack.getNotes({ includeForgotten: true })).length, 1)
    const [change] = await stack.history.strength(`note:${id}`)
    strictEqual(change?.text, 'no longer of use')
    strictEqual(await stack.forgetMemory('note', id, 'again'), false)
    strictEqual(await stack.forgetMemory('note', NOBODY, 'who'), false)
    strictEqual(await stack.forgetMemory('belief', id, 'another kind'), false)
  }),

  holds('S-48', 'recoverMemory undoes forgetting', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('note')
    strictEqual(await stack.recoverMemory('note', id), false, 'nothing to recover')
    await stack.forgetMemory('note', id, 'by mistake')
    strictEqual(await stack.recoverMemory('note', id), true)
    const memory = await stack.getMemory('note', id)
    strictEqual(memory?.strength, 0.2)
    strictEqual((await stack.getNotes({ includeWeak: true })).length, 1)
    strictEqual(await stack.recoverMemory('note', id), false)
    strictEqual(await stack.recoverMemory('note', NOBODY), false)
    const faded = await hand.id('note')
    given.clock.advance({ days: 3_200 })
    strictEqual((await stack.getMemory('note', faded))?.strengthTier, 'forgotten')
    strictEqual(await stack.recoverMemory('note', faded), true, 'also what faded away by itself')
  }),

  holds('S-49', 'protectMemory keeps a memory until the guard is lifted', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const id = await hand.id('note')
    strictEqual(await stack.protectMemory('note', id), true, 'on by default')
    strictEqual((await stack.getMemory('note', id))?.isProtected, true)
    strictEqual(await stack.protectMemory('note', id), false, 'it is protected already')
    strictEqual(await stack.forgetMemory('note', id, 'try'), false)
    strictEqual((await stack.changes.weaken(`note:${id}`, 0.5)).reason, 'protected')
    given.clock.advance({ days: 3_200 })
    strictEqual((await stack.getMemory('note', id))?.strength, 1, 'and it does not fade')
    strictEqual(await stack.protectMemory('note', id, false), true)
    strictEqual(await stack.forgetMemory('note', id, 'now'), true)
    strictEqual(await stack.protectMemory('note', NOBODY), false)
  }),

  holds('S-47', 'a model’s wish about first-hand memory waits for a person', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const ref = await hand.make('note')
    const id = idOf(ref)
    const before = await hand.entryCount()
    strictEqual(await stack.forgetMemory('note', id, 'says the model', { caller: MODEL }), false)
    strictEqual(await stack.forgetMemory('note', id, 'once more', { caller: MODEL }), false)
    strictEqual((await stack.getMemory('note', id))?.strength, 1, 'nothing moved')
    strictEqual(await hand.entryCount(), before + 1, 'one entry, however often it is wished for')
    const [item] = await stack.review.list()
    strictEqual(item?.kind, 'proposal')
    strictEqual(item.ref, ref)
    strictEqual(item.proposal?.text, 'says the model')
    strictEqual(await stack.review.resolve(ref, 'accept', { caller: MODEL }), false)
    strictEqual(await stack.review.resolve(ref, 'dismiss', { caller: MODEL }), false)
    strictEqual((await stack.review.list()).length, 1, 'and a model does not answer it')
    strictEqual(await stack.review.resolve(ref, 'accept', { caller: PERSON }), true)
    strictEqual((await stack.getMemory('note', id))?.strength, 0)
    deepStrictEqual(await stack.review.list(), [])
    ok((await stack.ledger.audit()).ok)
  }),
]
