import { ok, strictEqual } from 'node:assert/strict'
import { ZERO_HASH } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Batch, Head } from '../../domain/waist.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf, same, sameRows } from './compare.ts'
import type { StoreGiven } from './given.ts'
import { burstFor, tallyFor } from './rows.ts'
import { digest, POLICY, Scribe } from './scribe.ts'

/** All data of a stack, to compare before and after. */
async function everythingIn({ read }: Pick<StoreGiven, 'read'>) {
  const standing = await read({ type: 'standing' })
  const until = standing.tip.head.seq + 10
  return {
    standing,
    entries: await read({ type: 'entries', from: 0, limit: until + 1 }),
    sealed: await read({ type: 'table', name: 'sealed', from: 0, to: until }),
    states: await read({ type: 'memories', as: 'state', order: 'oldest', limit: 1_000 }),
    counts: await read({ type: 'counts' }),
    actorKeys: await read({ type: 'table', name: 'actorKeys' }),
    tallies: await read({ type: 'table', name: 'tallies' }),
  }
}

/** A batch with every sort of row, on top of the scribe's writes so far. */
function richBatch(scribe: Scribe): { readonly batch: Batch; readonly expected: Head } {
  const state = scribe.save({ actor: 'ann' })
  return scribe
    .put({
      actorKeys: [{ actor: 'ann', key: 'c'.repeat(64), since: 2 }],
      tallies: [tallyFor(scribe, { about: state.ref })],
      bursts: [burstFor(scribe, { actor: 'ann', identity: state.identity })],
      tombstones: [{ mark: digest('gone'), seq: state.seq }],
    })
    .batch()
}

/** Each batch breaks a single promise about the chain. */
const BROKEN: readonly (readonly [string, (batch: Batch) => Batch])[] = [
  ['a gap in the ledger', (batch) => ({ ...batch, entries: batch.entries.slice(1) })],
  ['entries in another order', (batch) => ({ ...batch, entries: batch.entries.toReversed() })],
  ['a head that is not the last entry', (batch) => withHead(batch, { hash: ZERO_HASH })],
  ['a head beyond the last entry', (batch) => withHead(batch, { seq: batch.tip.head.seq + 1 })],
  ['rev that jumps', (batch) => withHead(batch, { rev: batch.tip.head.rev + 1 })],
  ['rev that stays', (batch) => withHead(batch, { rev: batch.tip.head.rev - 1 })],
  [
    'a tree of another size',
    (batch) => ({
      ...batch,
      tip: { ...batch.tip, tree: { ...batch.tip.tree, size: batch.tip.tree.size + 1 } },
    }),
  ],
]

const withHead = (batch: Batch, head: Partial<Head>): Batch => ({
  ...batch,
  tip: { ...batch.tip, head: { ...batch.tip.head, ...head } },
})

const brokenCase = holds<StoreGiven>(
  ['LEDGER-ATOMIC', 'LEDGER-APPEND'],
  'a batch that breaks the chain is an invariant broken, and leaves nothing',
  async (given) => {
    const { store, stackId, scribe } = given
    await scribe.birth().commit(store)
    const before = await everythingIn(given)
    scribe.save()
    const { batch, expected } = richBatch(scribe)
    for (const [name, damage] of BROKEN) {
      const error = await errorOf(() => store.commit(stackId, damage(batch), expected), name)
      strictEqual(error.code, 'invariant', name)
      same(await everythingIn(given), before, `${name}: what is left`)
    }
    const { committed } = await store.commit(stackId, batch, expected)
    strictEqual(committed, true, 'the unharmed batch is taken')
  },
)

const staleCase = holds<StoreGiven>(
  ['STORE-ORDER', 'LEDGER-ATOMIC'],
  'a batch on any other head than the current one writes nothing and is told the head',
  async (given) => {
    const { store, stackId, scribe } = given
    scribe.birth()
    await scribe.commit(store)
    const before = await everythingIn(given)
    const { batch, expected } = richBatch(scribe)
    const stale: readonly Head[] = [
      { ...expected, seq: expected.seq - 1 },
      { ...expected, hash: digest('another') },
      { ...expected, rev: expected.rev - 1 },
      { seq: -1, hash: ZERO_HASH, rev: 0 },
    ]
    for (const head of stale) {
      same(
        await store.commit(stackId, batch, head),
        { committed: false, head: before.standing.tip.head },
        'the answer to a stale head',
      )
      same(await everythingIn(given), before, 'what is left after a stale head')
    }
    const { committed } = await store.commit(stackId, batch, expected)
    strictEqual(committed, true, 'the current head is taken')
  },
)

const raceCase = holds<StoreGiven>(
  'STORE-ORDER',
  'of many commits on one head exactly one is made',
  async ({ store, stackId, scribe, read }) => {
    await scribe.birth().commit(store)
    const rivals = Array.from({ length: 8 }, (_, index) => {
      const rival = new Scribe(stackId)
      rival.birth().batch()
      return { state: rival.save({ content: `rival ${index}` }), ...rival.batch() }
    })
    const results = await Promise.all(
      rivals.map(({ batch, expected }) => store.commit(stackId, batch, expected)),
    )
    const won = rivals.filter((_, index) => results[index]?.committed)
    strictEqual(won.length, 1, 'one winner')
    const [winner] = won
    const { tip } = await read({ type: 'standing' })
    same(tip, winner?.batch.tip, 'the winner is what stands')
    for (const result of results) {
      if (!result.committed) same(result.head, tip.head, 'the others are told the head')
    }
  },
)

const replaceCase = holds<StoreGiven>(
  'STORE-SAME',
  'a later row replaces the row of the same key, and a commit may hold no entry',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const state = scribe.save({ actor: 'ann', line: 'first' })
    const tally = tallyFor(scribe, { about: state.ref })
    await scribe.put({ tallies: [tally] }).commit(store)
    const later: MemoryState = { ...state, disposition: 'Rejected', line: digest('second') }
    scribe.replace(later)
    const counted = { ...tally, count: 3, firstAt: scribe.time, lastAt: scribe.time }
    const before = scribe.tip
    await scribe.put({ tallies: [counted] }).commit(store)
    const { tip } = await read({ type: 'standing' })
    same(tip, { ...before, head: { ...before.head, rev: 2 } }, 'only rev has risen')
    same((await read({ type: 'memory', ref: state.ref }))?.state, later, 'the later row')
    same(await read({ type: 'table', name: 'tallies' }), [counted], 'the later tally')
    same(await read({ type: 'counts' }), { raw: 1 }, 'still one memory')
  },
)

const roundTripCase = holds<StoreGiven>(
  'STORE-SAME',
  'what was committed is what every query answers',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const { batch, expected } = richBatch(scribe)
    strictEqual((await store.commit(scribe.stackId, batch, expected)).committed, true, 'committed')
    const { tip, stack, entries, sealed, memories, actorKeys, tallies } = batch
    const found = await everythingIn(given)
    same(found.standing, { tip, stack, policy: POLICY }, 'standing')
    const rows = entries.map(({ entry: { seq, prevHash }, bytes, hash }) => ({
      seq,
      bytes,
      hash,
      prevHash,
    }))
    same(found.entries, rows, 'entries')
    same(found.sealed, sealed, 'sealed')
    same(found.states, memories, 'states')
    sameRows(found.actorKeys, actorKeys, 'actor keys')
    sameRows(found.tallies, tallies, 'tallies')
    const [state] = memories
    ok(state, 'a memory was written')
    const expectedMemory = { state, sealed: sealed[0], notes: [] }
    same(await given.read({ type: 'memory', ref: state.ref }), expectedMemory, 'memory')
    same(
      await given.read({ type: 'memories', where: { kind: 'raw', present: true }, limit: 10 }),
      [expectedMemory],
      'list',
    )
  },
)

export const commitCases: readonly Case<StoreGiven>[] = [
  roundTripCase,
  staleCase,
  brokenCase,
  raceCase,
  replaceCase,
]
