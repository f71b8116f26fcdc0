import { strictEqual } from 'node:assert/strict'
import { termsOf } from '../../domain/words/terms.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf, same } from './compare.ts'
import type { StoreGiven } from './given.ts'
import { burstFor, tallyFor } from './rows.ts'
import { digest } from './scribe.ts'

const goneCase = holds<StoreGiven>(
  'LEDGER-CONTENTLESS',
  'what a batch erases is gone from every answer, and its entries stay',
  async ({ store, stackId, scribe, read }) => {
    const kept = scribe.birth().save({ content: 'kept words' })
    const { ref, seq } = scribe.save({ content: 'secret words', parents: [kept.ref] })
    scribe.revise(ref, { content: 'secret words again', parents: [kept.ref] })
    const state = scribe.note(ref, 'alpha')
    scribe.put({
      tallies: [tallyFor(scribe, { about: ref }), tallyFor(scribe, { about: kept.ref })],
      bursts: [burstFor(scribe, { actor: 'ann', identity: state.identity })],
    })
    await scribe.commit(store)
    const before = await read({ type: 'entries', from: 0, limit: 100 })
    const after = scribe.erase(ref)
    await scribe.commit(store)
    const entries = await read({ type: 'entries', from: 0, limit: 100 })
    same(entries.slice(0, before.length), before, 'entries')
    const sealed = await read({ type: 'table', name: 'sealed', from: 0, to: 100 })
    same(
      sealed.map((row) => row.ref),
      [kept.ref],
      'content',
    )
    const by = scribe.tip.head.seq
    const erasures = await read({ type: 'table', name: 'erasures' })
    same(
      erasures,
      [seq, seq + 1, seq + 2].map((each) => ({ seq: each, entry: by })),
      'erasures',
    )
    same(await read({ type: 'memory', ref }), { state: after, sealed: null, notes: [] }, 'its row')
    const list = await read({ type: 'memories', where: { kind: 'raw', present: true }, limit: 10 })
    same(
      list.map((each) => each.state.ref),
      [kept.ref],
      'the list',
    )
    const terms = termsOf('secret words')
    const match = { type: 'match', terms, kinds: ['raw'], skip: 0, limit: 10 } as const
    const found = await read(match)
    same(
      found.map(({ memory }) => memory.state.ref),
      [kept.ref],
      'what is found',
    )
    same(
      await read({
        type: 'memories',
        as: 'state',
        where: { identity: state.identity },
        order: 'oldest',
      }),
      [],
      'what says the same',
    )
    same(await read({ type: 'counts' }), { raw: 1 }, 'the counts')
    same(await read({ type: 'table', name: 'bursts', after: null, limit: 10 }), [], 'bursts')
    const tallies = await read({ type: 'table', name: 'tallies' })
    same(
      tallies.map(({ about }) => about),
      [kept.ref],
      'tallies',
    )
    same(await read({ type: 'table', name: 'misfiled' }), [], 'what is found under another memory')
    same(await read({ type: 'table', name: 'scrubs' }), [by], 'what is to be cleaned')
    strictEqual(await store.scrub(stackId), true, 'nobody is in the way')
    same(await read({ type: 'table', name: 'scrubs' }), [], 'what is to be cleaned after it')
    strictEqual(await store.scrub(stackId), true, 'twice is once')
  },
)

const atomicCase = holds<StoreGiven>(
  'LEDGER-ATOMIC',
  'an erasure on another head, or whose work fails, destroys nothing',
  async ({ store, stackId, scribe, read }) => {
    const { ref } = scribe.birth().save()
    await scribe.commit(store)
    const before = await read({ type: 'memory', ref })
    scribe.erase(ref)
    const { batch, expected } = scribe.batch()
    const stale = { ...expected, hash: digest('another head') }
    strictEqual((await store.commit(stackId, batch, stale)).committed, false, 'a stale head')
    await errorOf(
      () =>
        store.exclusively(stackId, async (held) => {
          await held.commit(stackId, batch, expected)
          throw new Error('the work failed')
        }),
      'a failing work',
    ).catch(() => undefined)
    same(await read({ type: 'memory', ref }), before, 'the memory')
    same(await read({ type: 'table', name: 'erasures' }), [], 'erasures')
    strictEqual((await store.commit(stackId, batch, expected)).committed, true, 'then it is done')
  },
)

export const eraseCases: readonly Case<StoreGiven>[] = [goneCase, atomicCase]
