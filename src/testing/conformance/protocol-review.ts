import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import type { Caller } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import { type Case, shows } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import { idOf, type StackGiven, type StackHand } from './protocol-given.ts'

export const PERSON: Caller = {
  door: 'explorer',
  operation: 'review',
  person: true,
  grant: null,
  session: null,
  turn: null,
}
export const MODEL: Caller = { ...PERSON, door: 'mcp', person: false }

/** Repeats words that no live memory says, until the repeat is quarantined. */
async function quarantined({ stack }: StackHand, raw: Ref): Promise<Ref> {
  for (let times = 0; times < 12; times += 1) {
    const { ref, id, disposition } = await stack.write(
      {
        kind: 'note',
        body: { content: 'everybody says so' },
        provenance: {
          sourceType: 'inference',
          label: label.modelDerived(),
          sourceId: 'loop',
          ingestionPath: 'mcp:note',
          confidence: 0.8,
          llmModel: 'looping',
          derivedFrom: [raw],
        },
      },
      MODEL,
    )
    if (disposition === 'Quarantined' && ref) return ref
    if (times === 0) await stack.forgetMemory('note', id ?? '', 'said in a loop')
  }
  throw new Error('the burst was not noticed')
}

/** The review queue as kind and ref, newest first. */
const waiting = async ({ stack }: StackHand) =>
  (await stack.review.list()).map(({ kind, ref }) => [kind, ref])

export const reviewCases: readonly Case<StackGiven>[] = [
  shows(
    'one queue holds suggestions, quarantines, proposals, flags and ungrounded beliefs',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const raw = await hand.make('raw')
      const note = await hand.make('note', {}, { derivedFrom: [raw] })
      const other = await hand.make('note', {}, { derivedFrom: [raw] })
      const shaken = await hand.make('belief', {}, { derivedFrom: [note, other] })
      const ungrounded = await hand.make('belief', {}, { derivedFrom: [note] })
      await stack.forgetMemory('note', idOf(note), 'it was not so')
      const wished = await hand.make('note', {}, { derivedFrom: [raw] })
      await stack.changes.weaken(wished, 0.2, { caller: MODEL })
      const suggestion = await hand.make('suggestion')
      const held = await quarantined(hand, raw)
      const queue = [
        ['quarantine', held],
        ['suggestion', suggestion],
        ['proposal', wished],
        ['ungrounded', ungrounded],
        ['flagged', shaken],
      ]
      deepStrictEqual(await waiting(hand), queue)
      const pages = [...(await stack.review.list({ limit: 2 }))]
      pages.push(...(await stack.review.list({ limit: 9, after: String(pages.at(-1)?.ref) })))
      deepStrictEqual(
        pages.map(({ kind, ref }) => [kind, ref]),
        queue,
        'page by page',
      )
      const only = await stack.review.list({ kinds: ['proposal', 'suggestion'] })
      deepStrictEqual(
        only.map(({ ref }) => ref),
        [suggestion, wished],
      )
      for (const { ref, answers } of pages) {
        const [answer] = answers
        ok(answer, 'every item here takes an answer')
        strictEqual(await stack.review.resolve(ref, answer, { caller: PERSON }), true, ref)
        strictEqual(await stack.review.resolve(ref, answer, { caller: PERSON }), false, 'once')
      }
      deepStrictEqual(await waiting(hand), [])
      strictEqual((await stack.getMemory('note', idOf(wished)))?.strength, 0.8, 'as was wished')
      strictEqual((await stack.getMemory('note', idOf(held)))?.disposition, 'Rejected')
      strictEqual((await stack.getMemory('belief', idOf(ungrounded)))?.strength, 1, 'it was kept')
      deepStrictEqual((await stack.ledger.audit()).problems, [])
    },
  ),

  shows(
    'each kind takes its own answers; the wrong one is an error and changes nothing',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const suggestion = await hand.make('suggestion')
      const before = await hand.entryCount()
      for (const answer of ['keep', 'reject', 'forget'] as const) {
        const error = await errorOf(() => stack.review.resolve(suggestion, answer), answer)
        strictEqual(error.code, 'invalid_input')
      }
      const nonsense = 'maybe' as never // possible for a caller in JavaScript
      strictEqual(
        (await errorOf(() => stack.review.resolve(suggestion, nonsense), 'maybe')).code,
        'invalid_input',
      )
      strictEqual(await hand.entryCount(), before)
      strictEqual(await stack.review.resolve(suggestion, 'dismiss', { reason: 'no' }), true)
      strictEqual((await stack.getSuggestion(idOf(suggestion)))?.reason, 'no')
      const raw = await hand.make('raw')
      strictEqual(await stack.review.resolve(raw, 'keep'), false, 'what does not wait')
    },
  ),

  shows('a proposal is done as it was made, once a person grants it', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const first = await hand.make('belief', { statement: 'The bridge opens at nine' })
    const proposal = () =>
      stack.changes.supersede(first, 'The bridge opens at ten', { caller: MODEL })
    strictEqual((await errorOf(proposal, 'a model')).facts.reason, 'proposed')
    strictEqual((await errorOf(proposal, 'again')).facts.reason, 'proposed')
    strictEqual((await stack.review.list())[0]?.proposal?.text, 'The bridge opens at ten')
    const seq = (await stack.review.list())[0]?.proposal?.seq ?? -1
    const unseen = () =>
      stack.review.resolve(first, 'accept', { caller: PERSON, proposal: seq - 1 })
    strictEqual((await errorOf(unseen, 'another proposal')).code, 'version_conflict')
    strictEqual(
      await stack.review.resolve(first, 'accept', { caller: PERSON, proposal: seq }),
      true,
    )
    strictEqual((await stack.getMemory('belief', idOf(first)))?.disposition, 'Superseded')
    const [now] = await stack.getBeliefs()
    strictEqual(now?.body.statement, 'The bridge opens at ten')
    strictEqual(now.provenance.label.type, 'External', 'the word is the person’s')
    const note = await hand.make('note', { tags: ['old'] })
    const id = idOf(note)
    await stack.updateMemoryMeta('note', id, { confidence: 0.2, tags: ['new'], caller: MODEL })
    strictEqual((await stack.getMemory('note', id))?.confidence, 0.8)
    strictEqual(await stack.review.resolve(note, 'accept', { caller: PERSON }), true)
    const described = await stack.getMemory('note', id)
    strictEqual(described?.confidence, 0.2)
    deepStrictEqual(described.tags, ['new'])
    const guarded = await hand.make('note')
    await stack.protectMemory('note', idOf(guarded))
    await stack.protectMemory('note', idOf(guarded), false, { caller: MODEL })
    strictEqual((await stack.getMemory('note', idOf(guarded)))?.isProtected, true)
    strictEqual(await stack.review.resolve(guarded, 'accept', { caller: PERSON }), true)
    strictEqual((await stack.getMemory('note', idOf(guarded)))?.isProtected, false)
    const kept = await hand.make('note')
    await stack.forgetMemory('note', idOf(kept), 'says the model', { caller: MODEL })
    strictEqual(await stack.review.resolve(kept, 'dismiss', { caller: PERSON }), true)
    strictEqual((await stack.getMemory('note', idOf(kept)))?.strength, 1)
    deepStrictEqual(await waiting(hand), [])
    deepStrictEqual((await stack.ledger.audit()).problems, [])
  }),
]
