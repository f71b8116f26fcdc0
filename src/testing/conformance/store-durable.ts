import { strictEqual } from 'node:assert/strict'
import type { Store } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import { lineNeed, needing, type StoreGiven } from './given.ts'
import { burstFor, tallyFor } from './rows.ts'
import { digest, EMPTY_TIP, Scribe } from './scribe.ts'

async function dump(store: Store, { stackId, scribe }: Pick<StoreGiven, 'stackId' | 'scribe'>) {
  const needs = needing({
    tombstones: [digest('gone')],
    bursts: [{ actor: 'ann', identity: digest('i') }],
    identities: [digest('i')],
    actors: ['ann'],
  })
  return {
    gathered: await store.gather(stackId, needs),
    entries: await store.read(stackId, { type: 'entries', from: 0, limit: 1_000 }),
    sealed: await store.read(stackId, {
      type: 'table',
      name: 'sealed',
      from: 0,
      to: scribe.tip.head.seq,
    }),
    states: await store.read(stackId, {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      limit: 1_000,
    }),
    keys: await store.read(stackId, { type: 'table', name: 'actorKeys' }),
    tallies: await store.read(stackId, { type: 'table', name: 'tallies' }),
    counts: await store.read(stackId, { type: 'counts' }),
  }
}

const reopenCase = holds<StoreGiven>(
  ['LEDGER-ATOMIC', 'STORE-SAME'],
  'a store that is closed and opened again holds all it held, and goes on from there',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    const one = scribe.save({ identity: 'i', actor: 'ann' })
    scribe.save({ kind: 'note', parents: [one.ref] })
    await scribe
      .put({
        actorKeys: [{ actor: 'ann', key: 'c'.repeat(64), since: 2 }],
        tallies: [tallyFor(scribe, { about: one.ref })],
        bursts: [burstFor(scribe, { actor: 'ann', identity: digest('i') })],
        tombstones: [{ mark: digest('gone'), seq: 1 }],
      })
      .commit(store)
    const before = await dump(store, given)
    const again = await given.reopen()
    same(await dump(again, given), before, 'after opening again')
    scribe.save()
    await scribe.commit(again)
    const down = { type: 'lineage', ref: one.ref, direction: 'down', visitMax: 10 } as const
    strictEqual((await again.read(given.stackId, down))?.length, 2, 'edges are there too')
  },
)

const apartCase = holds<StoreGiven>(
  'STORE-SAME',
  'two stacks in one store see nothing of each other',
  async (given) => {
    const { store, scribe, stackId } = given
    const otherId = given.otherStack()
    const other = new Scribe(otherId)
    scribe.birth()
    const mine = scribe.save({ identity: 'i', line: 'l', actor: 'ann' })
    await scribe.put({ actorKeys: [{ actor: 'ann', key: 'c'.repeat(64), since: 2 }] }).commit(store)
    same((await store.read(otherId, { type: 'standing' })).tip, EMPTY_TIP, 'the other is empty')
    // Both count their ids alike, so the same refs now exist on both sides.
    other.birth()
    const theirs = other.save({ identity: 'i', line: 'l', actor: 'bob', content: 'other words' })
    strictEqual(theirs.ref, mine.ref, 'one ref, two memories')
    await other.commit(store)
    for (const [id, state] of [
      [stackId, mine],
      [otherId, theirs],
    ] as const) {
      const found = await store.read(id, { type: 'memory', ref: state.ref })
      same(found?.state, state, `the memory of ${id}`)
      const needs = needing({ identities: [digest('i')], lines: [lineNeed('l')], actors: ['ann'] })
      const { memories, actorKeys } = await store.gather(id, needs)
      same(memories, [state], `gathered in ${id}`)
      strictEqual(actorKeys.length, id === stackId ? 1 : 0, `keys of ${id}`)
      same(await store.read(id, { type: 'counts' }), { raw: 1 }, `counts of ${id}`)
    }
  },
)

const locksApartCase = holds<StoreGiven>(
  'STORE-ORDER',
  'the lock of one stack does not hold up another',
  async (given) => {
    const { store, stackId } = given
    const other = new Scribe(given.otherWriter())
    await store.exclusively(stackId, async (held) => {
      await held.gather(stackId, needing())
      await other.birth().commit(store)
    })
    same((await store.read(other.stackId, { type: 'standing' })).tip, other.tip, 'committed')
  },
)

export const durableCases: readonly Case<StoreGiven>[] = [reopenCase, apartCase, locksApartCase]
