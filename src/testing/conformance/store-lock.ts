import { ok, strictEqual } from 'node:assert/strict'
import type { HeldStore } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf, same } from './compare.ts'
import { needing, type StoreGiven } from './given.ts'
import { EMPTY_TIP, Scribe } from './scribe.ts'

/** Adds one memory under the lock, after giving other writers time to interfere. */
async function addUnder(held: HeldStore, given: StoreGiven, others: () => Promise<void>) {
  const { stackId } = given
  const { tip } = await held.gather(stackId, needing())
  await others()
  const scribe = new Scribe(stackId)
  scribe.birth()
  while (scribe.tip.head.seq < tip.head.seq) scribe.save()
  scribe.save()
  const { batch } = scribe.batch()
  const head = { ...batch.tip.head, rev: tip.head.rev + 1 }
  const entries = batch.entries.slice(tip.head.seq + 1)
  const sealed = batch.sealed.slice(-1)
  const memories = batch.memories.slice(-1)
  const whole = { ...batch, entries, sealed, memories, tip: { ...batch.tip, head } }
  return held.commit(stackId, whole, tip.head)
}

const isCommitted = async (result: Promise<{ readonly committed: boolean }>) =>
  (await result).committed

const soon = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await null
}

const commitCase = holds<StoreGiven>(
  ['STORE-ORDER', 'LEDGER-ATOMIC'],
  'the holder of the lock gathers, reads and commits, and its answer comes back',
  async (given) => {
    const { store, stackId, scribe } = given
    scribe.birth()
    const state = scribe.save()
    const { batch, expected } = scribe.batch()
    const answer = await store.exclusively(stackId, async (held) => {
      const { tip } = await held.gather(stackId, needing())
      same(tip.head, expected, 'the head under the lock')
      strictEqual((await held.commit(stackId, batch, tip.head)).committed, true, 'committed')
      const found = await held.read(stackId, { type: 'memory', ref: state.ref })
      same(found?.state, state, 'its own write')
      return 'done'
    })
    strictEqual(answer, 'done', 'what the work returned')
    same((await given.read({ type: 'standing' })).tip, batch.tip, 'after the lock')
  },
)

const rulesCase = holds<StoreGiven>(
  'STORE-ORDER',
  'under the lock there is one commit at most',
  async ({ store, stackId, scribe, read }) => {
    const first = scribe.birth().batch()
    scribe.save()
    const second = scribe.batch()
    const twice = await errorOf(
      () =>
        store.exclusively(stackId, async (held) => {
          await held.commit(stackId, first.batch, first.expected)
          await held.commit(stackId, second.batch, second.expected)
        }),
      'two commits',
    )
    strictEqual(twice.code, 'invariant', 'two commits')
    same((await read({ type: 'standing' })).tip, EMPTY_TIP, 'the lock is one transaction')
  },
)

const releaseCase = holds<StoreGiven>(
  ['LEDGER-ATOMIC', 'STORE-ORDER'],
  'work that throws, before its commit or after it, releases the lock and leaves nothing',
  async ({ store, stackId, scribe, read }) => {
    const { batch, expected } = scribe.birth().batch()
    const boom = new Error('the work went wrong')
    const works: readonly ((held: HeldStore) => Promise<unknown>)[] = [
      (held) => held.gather(stackId, needing()),
      (held) => held.commit(stackId, batch, expected),
    ]
    for (const work of works) {
      const thrown = await store
        .exclusively(stackId, async (held) => {
          await work(held)
          throw boom
        })
        .catch((cause: unknown) => cause)
      strictEqual(thrown, boom, 'the error of the work itself')
      same((await read({ type: 'standing' })).tip, EMPTY_TIP, 'nothing was written')
      same(await read({ type: 'entries', from: 0, limit: 10 }), [], 'no entry is left')
    }
    strictEqual((await store.commit(stackId, batch, expected)).committed, true, 'commits go on')
    const after = await store.exclusively(stackId, (held) => held.gather(stackId, needing()))
    same(after.tip, scribe.tip, 'the lock is free again, for commits and for holders')
  },
)

const serialCase = holds<StoreGiven>(
  'STORE-ORDER',
  'holders take turns: none sees the head move under it',
  async (given) => {
    const { store, stackId, scribe, read } = given
    await scribe.birth().commit(store)
    let inside = 0
    const holders = Array.from({ length: 12 }, () =>
      store.exclusively(stackId, async (held) => {
        inside += 1
        strictEqual(inside, 1, 'one at a time')
        const { committed } = await addUnder(held, given, soon)
        inside -= 1
        return committed
      }),
    )
    const results = await Promise.all(holders)
    ok(
      results.every((committed) => committed),
      'every holder commits',
    )
    const { head } = (await read({ type: 'standing' })).tip
    same([head.seq, head.rev], [13, 13], 'one dense order')
  },
)

const intruderCase = holds<StoreGiven>(
  'STORE-ORDER',
  'a commit that comes while the lock is held waits, and then finds a head it did not expect',
  async (given) => {
    const { store, stackId, scribe } = given
    await scribe.birth().commit(store)
    scribe.save()
    const late = scribe.batch()
    const intruding: Promise<{ readonly committed: boolean }>[] = []
    const result = await store.exclusively(stackId, (held) =>
      addUnder(held, given, async () => {
        intruding.push(store.commit(stackId, late.batch, late.expected))
        await soon()
      }),
    )
    strictEqual(result.committed, true, 'the holder commits')
    same(await Promise.all(intruding.map(isCommitted)), [false], 'the intruder does not')
  },
)

export const lockCases: readonly Case<StoreGiven>[] = [
  commitCase,
  rulesCase,
  releaseCase,
  serialCase,
  intruderCase,
]
