import { strictEqual } from 'node:assert/strict'
import { toRef } from '../../domain/ids.ts'
import { UNBORN } from '../../domain/state.ts'
import type { ReadQuery } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { countingIds } from '../world.ts'
import { errorOf, same } from './compare.ts'
import { lineNeed, needing, type StoreGiven } from './given.ts'
import { digest, EMPTY_TIP } from './scribe.ts'

const NOWHERE = toRef('raw', countingIds(99).next(0))

/** One query of every type, with the answer of an empty stack. */
const EMPTY_ANSWERS: readonly (readonly [ReadQuery, unknown])[] = [
  [{ type: 'standing' }, { tip: EMPTY_TIP, stack: UNBORN, policy: null }],
  [{ type: 'memory', ref: NOWHERE }, null],
  [{ type: 'memories', where: { kind: 'raw', present: true }, limit: 10 }, []],
  [{ type: 'entries', from: 0, limit: 10 }, []],
  [{ type: 'entries', about: NOWHERE }, []],
  [{ type: 'lineage', ref: NOWHERE, direction: 'up', visitMax: 10 }, []],
  [{ type: 'lineage', ref: NOWHERE, direction: 'down', visitMax: 10 }, []],
  [{ type: 'table', name: 'sealed', from: 0, to: 10 }, []],
  [{ type: 'counts' }, {}],
  [{ type: 'memories', as: 'ref', where: { idPart: '0000' }, order: 'oldest', limit: 10 }, []],
  [{ type: 'memories', as: 'state', order: 'oldest', limit: 10 }, []],
  [{ type: 'table', name: 'actorKeys' }, []],
  [{ type: 'table', name: 'tallies' }, []],
]

const EVERYTHING = needing({
  refs: [NOWHERE],
  identities: [digest('x')],
  lines: [lineNeed('x')],
  actors: ['nobody'],
  bursts: [{ actor: 'nobody', identity: digest('x') }],
  tombstones: [digest('x')],
  reaches: [{ from: [NOWHERE], to: toRef('note', countingIds(98).next(0)) }],
})

export const standingCases: readonly Case<StoreGiven>[] = [
  holds('STORE-SAME', 'an empty stack answers every query with nothing', async ({ read }) => {
    for (const [query, answer] of EMPTY_ANSWERS) same(await read(query), answer, query.type)
  }),

  holds('STORE-SAME', 'an empty stack has nothing to gather', async ({ store, stackId }) => {
    same(
      await store.gather(stackId, EVERYTHING),
      {
        tip: EMPTY_TIP,
        stack: UNBORN,
        policy: null,
        memories: [],
        actorKeys: [],
        tallies: [],
        bursts: [],
        tombstones: [],
        words: [],
        reached: [false],
      },
      'gathered from nothing',
    )
  }),

  holds('LEDGER-APPEND', 'asking writes nothing', async ({ store, stackId, read }) => {
    for (const [query] of EMPTY_ANSWERS) await read(query)
    await store.gather(stackId, EVERYTHING)
    const { tip } = await read({ type: 'standing' })
    same(tip, EMPTY_TIP, 'the head after asking')
  }),

  holds('LEDGER-ATOMIC', 'a closed store takes and tells nothing', async (given) => {
    const { store, stackId, scribe, read } = given
    const { batch, expected } = scribe.birth().batch()
    await store.close()
    const attempts: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['read', () => read({ type: 'standing' })],
      ['gather', () => store.gather(stackId, EVERYTHING)],
      ['commit', () => store.commit(stackId, batch, expected)],
      ['exclusively', () => store.exclusively(stackId, (held) => held.gather(stackId, EVERYTHING))],
    ]
    for (const [name, attempt] of attempts) {
      strictEqual((await errorOf(attempt, name)).code, 'store_unavailable', name)
    }
  }),
]
