import { describe, expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Keyring } from '../../src/ports/world.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { FaultyStore } from '../../src/testing/faulty-store.ts'
import { countingIds, fakeClock, seededRandom } from '../../src/testing/world.ts'
import { saying } from './support.ts'

/** A keyring that says of which stacks it has keys. */
function openKeyring(): Keyring & { readonly uids: ReadonlySet<string> } {
  const uids = new Set<string>()
  const ring = memoryKeyring()
  return {
    ...ring,
    uids,
    keep(uid, keys) {
      uids.add(uid)
      return ring.keep(uid, keys)
    },
    drop(uid) {
      uids.delete(uid)
      ring.drop?.(uid)
    },
  }
}

const raw = (content: string) => ({
  kind: 'raw' as const,
  body: { content },
  provenance: saying('ExternalFirstHand'),
})

async function home(shaky: (inner: MemoryStore) => Store) {
  const inner = new MemoryStore()
  const keyring = openKeyring()
  const open = (store: Store, seed: number) =>
    openStack('test', {
      store,
      keyring,
      clock: fakeClock(),
      ids: countingIds(seed),
      random: seededRandom(seed),
    })
  const stack = await open(shaky(inner), 1)
  return {
    stack,
    other: await open(inner, 2),
    isThere: () => inner.rows(stack.stackId).entries.length > 0,
    /** The keys, and those that there should be: of the stack as it lies in the store. */
    keys: async () => {
      const { stack: found } = await inner.read(stack.stackId, { type: 'standing' })
      return { kept: [...keyring.uids], due: found.uid === null ? [] : [found.uid] }
    },
  }
}

async function faultyHome(intrude: { by?: () => Promise<unknown> } = {}) {
  const made: FaultyStore[] = []
  const found = await home((inner) => {
    const store = new FaultyStore(inner, { intrude: async () => void (await intrude.by?.()) })
    made.push(store)
    return store
  })
  const [faulty] = made
  if (!faulty) throw new Error('a faulty store was made')
  return { ...found, faulty }
}

/** Loses a race that nobody won, as a database may say, and then gives way with the lock held. */
class Overcautious extends MemoryStore {
  override async commit(...[, , head]: Parameters<MemoryStore['commit']>) {
    return { committed: false, head } as const
  }

  override exclusively: MemoryStore['exclusively'] = (stack, work) =>
    super.exclusively(stack, (held) =>
      work({
        gather: (...args) => held.gather(...args),
        read: (...args) => held.read(...args),
        commit: async () => {
          throw new Error('the disk gave way')
        },
      }),
    )
}

describe('the keys of a stack that was to begin', () => {
  test('stay where it began and nobody could tell', async () => {
    const { stack, other, faulty, isThere, keys } = await faultyHome()
    faulty.failNext('after_commit_silent')
    await expect(stack.write(raw('x'))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(isThere()).toBe(true)
    const { kept, due } = await keys()
    expect(kept).toEqual(due)
    faulty.heal()
    await other.write(raw('y'))
    await stack.write(raw('z'))
    expect(await keys()).toEqual({ kept: due, due })
  })

  test('go where it certainly did not', async () => {
    const { stack, faulty, isThere, keys } = await faultyHome()
    faulty.failNext('before_commit')
    await expect(stack.write(raw('x'))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(isThere()).toBe(false)
    expect(await keys()).toEqual({ kept: [], due: [] })
    await stack.write(raw('x'))
    const { kept, due } = await keys()
    expect(kept).toEqual(due)
  })

  test('go where another began it first', async () => {
    const intrude: { by?: () => Promise<unknown> } = {}
    const { stack, other, faulty, keys } = await faultyHome(intrude)
    intrude.by = () => other.write(raw('first'))
    faulty.failNext('intruder')
    await stack.write(raw('x'))
    const { kept, due } = await keys()
    expect(due).toHaveLength(1)
    expect(kept).toEqual(due)
  })

  test('go where it failed to begin with the lock held', async () => {
    const { stack, keys } = await home(() => new Overcautious())
    await expect(stack.write(raw('x'))).rejects.toThrow('the disk gave way')
    expect(await keys()).toEqual({ kept: [], due: [] })
  })
})
