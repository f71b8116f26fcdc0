import { strictEqual } from 'node:assert/strict'
import type { MemoryState } from '../../domain/state.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import type { StoreGiven } from './given.ts'

const MODEL = { id: 'four numbers', dimension: 4 } as const

const rowOf = ({ seq, revisionSeq }: MemoryState, ...components: readonly number[]) => ({
  seq,
  revisionSeq,
  atMs: seq * 1_000,
  vector: Int8Array.from(components),
})

const keptCase = holds<StoreGiven>(
  'STORE-SAME',
  'vectors are kept by model, as they were given, and tell how far they reach',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const one = scribe.save({ content: 'a boat' })
    const two = scribe.save({ content: 'a gull' })
    await scribe.commit(store)
    const none = await read({ type: 'vectors', model: MODEL })
    same([none.upto, none.seqs.length, none.values.length], [-1, 0, 0], 'nothing yet')
    const rows = [rowOf(two, -128, 0, 127, 10), rowOf(one, 0, -1, 34, 92)]
    const batch = { model: MODEL, from: -1, upto: two.seq, rows }
    strictEqual(await store.putVectors(stackId, batch), true)
    const kept = await read({ type: 'vectors', model: MODEL })
    strictEqual(kept.upto, two.seq)
    same(kept.seqs, [one.seq, two.seq], 'oldest first')
    same(kept.revisionSeqs, [one.revisionSeq, two.revisionSeq], 'the revisions they are of')
    same(kept.atMs, [one.seq * 1_000, two.seq * 1_000], 'when it was')
    same([...kept.values], [0, -1, 34, 92, -128, 0, 127, 10], 'every number')
    const other = await read({ type: 'vectors', model: { ...MODEL, dimension: 2 } })
    strictEqual(other.seqs.length, 0, 'another model has its own')
    strictEqual(
      await store.putVectors(stackId, { ...batch, from: two.seq + 1, upto: 99 }),
      false,
      'what goes on from what is not there is not kept',
    )
    await store.putVectors(stackId, { ...batch, upto: 1, rows: [] })
    strictEqual((await read({ type: 'vectors', model: MODEL })).upto, two.seq, 'it never falls')
  },
)

const staleCase = holds<StoreGiven>(
  ['STORE-SAME', 'STORE-REBUILD'],
  'a vector is kept only of what is there in these words, and goes when rows are folded anew',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const one = scribe.save({ content: 'a boat' })
    const two = scribe.save({ content: 'a gull' })
    await scribe.commit(store)
    scribe.revise(one.ref, { content: 'a ship' })
    const { texts, memories } = await scribe.commit(store)
    const touched = await read({ type: 'touched', after: two.seq, limit: 10 })
    same(
      touched.rows.map(({ seq, hasWords }) => [seq, hasWords]),
      [[one.seq, true]],
      'what was said since is about it',
    )
    strictEqual(touched.isLast, true)
    const unknown = { ...rowOf(one, 9, 9, 9, 9), seq: 9_999 }
    const rows = [rowOf(one, 1, 2, 3, 4), rowOf(two, 4, 3, 2, 1), unknown]
    await store.putVectors(stackId, { model: MODEL, from: -1, upto: two.seq, rows })
    same((await read({ type: 'vectors', model: MODEL })).seqs, [two.seq], 'as it is now')
    const { tip, stack } = await read({ type: 'standing' })
    const next = { ...tip, head: { ...tip.head, rev: tip.head.rev + 1 } }
    await store.replaceDerived(stackId, { states: memories, texts, tip: next, stack }, tip.head)
    const anew = await read({ type: 'vectors', model: MODEL })
    same([anew.upto, anew.seqs.length], [-1, 0], 'to be made again')
  },
)

const touchedCase = holds<StoreGiven>(
  ['STORE-SAME', 'BOUND-LOUD'],
  'what entries are about is told in pieces, without a gap',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const all = Array.from({ length: 9 }, (_, at) => scribe.save({ content: `boat ${at}` }))
    await scribe.commit(store)
    const found: number[] = []
    let [after, isLast] = [-1, false]
    while (!isLast) {
      const piece = await read({ type: 'touched', after, limit: 2 })
      found.push(...piece.rows.map(({ seq }) => seq))
      after = piece.upto
      isLast = piece.isLast
    }
    same(
      found,
      all.map(({ seq }) => seq),
      'every one',
    )
    const end = await read({ type: 'touched', after, limit: 2 })
    same([end.rows.length, end.upto, end.isLast], [0, after, true], 'behind the end')
  },
)

const nearCase = holds<StoreGiven>(
  'STORE-SAME',
  'what is near is a candidate without a word of the question, with what stands beside it',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const [boat, gull, reed] = ['a boat', 'a gull', 'some reed'].map((content) =>
      scribe.save({ content, session: 'talk' }),
    ) as [MemoryState, MemoryState, MemoryState]
    const note = scribe.save({ kind: 'note', content: 'no word' })
    await scribe.commit(store)
    const query = { type: 'recall', terms: ['boat'], kinds: ['raw'], hits: 9 } as const
    const near = [gull.seq, note.seq, boat.seq, 9_999]
    const found = await read({ ...query, near })
    same(
      found.rows.map(({ seq }) => seq),
      [boat.seq, gull.seq, reed.seq],
      'hits, then near ones, then those beside; of the kinds asked for',
    )
    const alone = await read({ ...query, terms: [], near: [reed.seq] })
    strictEqual(alone.rows[0]?.seq, reed.seq, 'without any term')
    const kept = {
      type: 'memories',
      as: 'seq',
      where: { seqs: near, kinds: ['raw'] },
      order: 'given',
      limit: 9,
    } as const
    same(await read(kept), [gull.seq, boat.seq], 'kept')
    same(await read({ ...kept, limit: 1 }), [gull.seq], 'kept, the first of them')
  },
)

export const vectorCases: readonly Case<StoreGiven>[] = [keptCase, staleCase, touchedCase, nearCase]
