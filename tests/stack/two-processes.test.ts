import { describe, expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { FaultyStore } from '../../src/testing/faulty-store.ts'
import { countingIds, fakeClock, seededRandom } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { entriesOf, saying } from './support.ts'

const raw = (content: string, id?: string) => ({
  kind: 'raw' as const,
  body: { content },
  provenance: saying('ExternalFirstHand'),
  ...(id === undefined ? {} : { id }),
})

/** Two processes with clocks, ids and chance of their own, on one stack of one home. */
async function pair(shakyStore?: (store: MemoryStore) => Store) {
  const store = new MemoryStore()
  const keyring = memoryKeyring()
  const open = (on: Store, seed: number): Promise<Stack> =>
    openStack('test', {
      store: on,
      keyring,
      clock: fakeClock(),
      ids: countingIds(seed),
      random: seededRandom(seed),
    })
  return {
    store,
    one: await open(shakyStore?.(store) ?? store, 1),
    two: await open(store, 2),
  }
}

describe('two processes on one stack', () => {
  holds(
    ['STORE-ORDER', 'LEDGER-ATOMIC'],
    'share one dense order, also from the very first entry on',
    async () => {
      const { one, two, store } = await pair()
      const writes = Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? one : two).write(raw(`write ${index}`)),
      )
      const results = await Promise.all(writes)
      expect(results.every(({ disposition }) => disposition === 'CommittedCheap')).toBe(true)
      const entries = entriesOf(store, one)
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index))
      expect(entries.filter(({ op }) => op === 'genesis')).toHaveLength(1)
      expect(entries.filter(({ op }) => op === 'replica.started')).toHaveLength(0)
      expect(await two.getStats()).toEqual({ raw: 40, total: 40 })
      for (const stack of [one, two]) expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'STORE-ORDER',
    'one that loses the race takes the lock, decides anew and is written',
    async () => {
      const faults: FaultyStore[] = []
      const others: Stack[] = []
      const { one, two } = await pair((store) => {
        const faulty = new FaultyStore(store, {
          intrude: async () => {
            await others[0]?.write(raw('the intruder'))
          },
        })
        faults.push(faulty)
        return faulty
      })
      others.push(two)
      await one.write(raw('before'))
      faults[0]?.failNext('intruder')
      const result = await one.write(raw('after'))
      expect(result).toMatchObject({ rule: 'admit' })
      expect((await two.getRaw()).map(({ text }) => text)).toEqual([
        'after',
        'the intruder',
        'before',
      ])
      expect((await one.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'GATE-ONE-ENTRY',
    'what one has decided, the other sees: a repeat is a repeat in both',
    async () => {
      const { one, two } = await pair()
      const source = await one.write(raw('x'))
      const note = {
        kind: 'note' as const,
        body: { content: 'said in both' },
        provenance: saying('ExternalFirstHand', { derivedFrom: source.ref ? [source.ref] : [] }),
      }
      const first = await one.write(note)
      expect(await two.write(note)).toMatchObject({ ref: first.ref, rule: 'restate' })
      expect(await one.write(note)).toMatchObject({ ref: first.ref, rule: 'restate' })
      expect(await one.getStats()).toMatchObject({ note: 1 })
    },
  )

  test('a state that one sets holds for the other at its next write', async () => {
    const { one, two } = await pair()
    await one.write(raw('x'))
    await one.control.setState('MAINTENANCE')
    await expect(two.write(raw('y'))).rejects.toMatchObject({ code: 'maintenance_mode' })
  })
})

describe('after a fault', () => {
  const id = countingIds(70).next(0)

  const shaky = async () => {
    const faults: FaultyStore[] = []
    const made = await pair((store) => {
      const faulty = new FaultyStore(store)
      faults.push(faulty)
      return faulty
    })
    const [faulty] = faults
    if (!faulty) throw new Error('a faulty store was made')
    return { ...made, faulty }
  }

  holds(
    'LEDGER-ATOMIC',
    'before the commit nothing is there, and the same write can be made again',
    async () => {
      for (const fault of ['gather', 'before_commit'] as const) {
        const { one, store, faulty } = await shaky()
        faulty.failNext(fault)
        await expect(one.write(raw('x', id))).rejects.toMatchObject({ code: 'store_unavailable' })
        expect(store.rows(one.stackId).entries).toEqual([])
        expect(await one.write(raw('x', id))).toMatchObject({ id, rule: 'admit' })
      }
    },
  )

  holds(
    'LEDGER-ATOMIC',
    'after the commit the write is acknowledged, since it can be seen to be there',
    async () => {
      const { one, faulty } = await shaky()
      faulty.failNext('after_commit')
      expect(await one.write(raw('x', id))).toMatchObject({ id, rule: 'admit' })
      expect(await one.getStats()).toEqual({ raw: 1, total: 1 })
    },
  )

  holds(
    ['LEDGER-ATOMIC', 'GATE-ONE-ENTRY'],
    'where nobody can tell, the same write made again finds what it made',
    async () => {
      const { one, store, faulty } = await shaky()
      faulty.failNext('after_commit_silent')
      await expect(one.write(raw('x', id))).rejects.toMatchObject({ code: 'store_unavailable' })
      faulty.heal()
      const { tip } = store.rows(one.stackId)
      expect(await one.write(raw('x', id))).toMatchObject({ id, reasons: ['already_saved'] })
      expect(store.rows(one.stackId).tip).toEqual(tip)
    },
  )

  test('the state is the one that was found to be there', async () => {
    const { one, faulty } = await shaky()
    faulty.failNext('after_commit_silent')
    await expect(one.control.setState('ACTIVE')).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    faulty.heal()
    expect(await one.control.setState('ACTIVE')).toEqual({ state: 'ACTIVE', entry: null })
    expect(one.state).toBe('ACTIVE')
  })

  test('everyone who waited in the group is told, and whoever comes next is served', async () => {
    const { one, faulty } = await shaky()
    faulty.failNext('before_commit')
    const group = await Promise.allSettled([one.write(raw('a')), one.write(raw('b'))])
    expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await one.write(raw('c'))).toMatchObject({ rule: 'admit' })
  })
})

describe('closing', () => {
  holds(
    'LEDGER-ATOMIC',
    'lets everything that waits be written first, however often it is asked for',
    async () => {
      const { one, store } = await pair()
      const writes = Array.from({ length: 20 }, (_, index) => one.write(raw(`write ${index}`)))
      const closing = [one.close(), one.close()]
      await closing[1]
      // Whoever was told that the stack is closed may rely on it: nothing is under way any more.
      expect(store.rows(one.stackId).memories.size).toBe(20)
      await closing[0]
      expect((await Promise.all(writes)).every(({ rule }) => rule === 'admit')).toBe(true)
    },
  )

  test('ends the stack for every call, and leaves a store that was passed in open', async () => {
    const { one, two } = await pair()
    const written = await one.write(raw('x'))
    await one.close()
    const ref = String(written.ref)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => one.write(raw('y')),
      () => one.writeAll([raw('y')]),
      () => one.saveRaw({ content: 'y' } as never),
      () => one.getMemory('raw', String(written.id)),
      () => one.list('raw'),
      () => one.getStats(),
      () => one.history.trace(ref),
      () => one.history.impact(ref),
      () => one.history.why(ref),
      () => one.ledger.audit(),
      () => one.control.certify('raw', { content: 'y' }),
      () => one.control.setState('MAINTENANCE'),
      () => one.control.getPolicy(),
      () => one.review.reject(ref),
      () => one.lookup.resolveRef(ref.slice(0, 12)),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'stack_closed' })
    expect(await two.getStats()).toEqual({ raw: 1, total: 1 })
  })
})

holds('LEDGER-DETECT', 'an audit while others write finds nothing that is not so', async () => {
  const { one, two } = await pair()
  await one.write(raw('first'))
  const writing = Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      for (let turns = 0; turns < index; turns += 1) await null
      return one.write(raw(`write ${index}`))
    }),
  )
  for (let times = 0; times < 20; times += 1) {
    expect((await two.ledger.audit()).problems).toEqual([])
  }
  await writing
  expect((await two.ledger.audit()).entries).toBe(64)
})
