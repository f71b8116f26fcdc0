import { memorySigner } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { memorySyncShelf } from '../../src/compose/sync/sync-ports.ts'
import { syncVault } from '../../src/compose/sync/sync-vault.ts'
import { byteOrder } from '../../src/ledger/canonical.ts'
import type { Remote, SyncShelf } from '../../src/ports/remote.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { countingIds, type FakeClock, fakeClock, seededRandom } from '../../src/testing/world.ts'

export interface MemoryRemote extends Remote {
  readonly files: Map<string, Uint8Array>
}

export function memoryRemote(): MemoryRemote {
  const files = new Map<string, Uint8Array>()
  return {
    address: 'memory',
    files,
    list: async (prefix) =>
      [...files.keys()].filter((name) => name.startsWith(prefix)).sort(byteOrder),
    get: async (name) => files.get(name) ?? null,
    putNew: async (name, bytes) => {
      if (files.has(name)) return false
      files.set(name, bytes)
      return true
    },
    delete: async (name) => void files.delete(name),
  }
}

export const testVault = (seed: number) => syncVault(seededRandom(99)(32), seededRandom(seed))

export interface Replica {
  readonly stack: Stack
  readonly clock: FakeClock
}

/** A replica with a store, a clock and keys of its own. */
export async function replica(
  seed: number,
  remote: Remote,
  shelf: SyncShelf = memorySyncShelf(),
  store: Store = new MemoryStore(),
): Promise<Replica> {
  const clock = fakeClock()
  const stack = await openStack('shared', {
    store,
    components: [],
    clock,
    ids: countingIds(seed),
    random: seededRandom(seed),
    signer: memorySigner(),
    sync: { remote, shelf, vault: testVault(seed) },
  })
  return { stack, clock }
}

/** Every replica trusts every other one, as after comparing words. */
export async function pairAll(stacks: readonly Stack[]): Promise<void> {
  for (const stack of stacks) await stack.sync()
  for (const stack of stacks) await stack.sync()
  for (const stack of stacks) {
    const { peers } = await stack.replication.status()
    for (const { words } of peers) await stack.replication.trust(words)
  }
}
