import { MunimentError } from '../domain/errors.ts'
import { parseStackId } from '../domain/ids.ts'
import { buildPolicy, type Policy } from '../domain/policy.ts'
import { contentHash } from '../hash/ledger.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, IdSource, Random } from '../ports/world.ts'
import { Stack } from '../stack/stack.ts'
import { MemoryStore } from '../stores/memory/store.ts'
import { memoryKeyring } from './keyring.ts'
import { nodeSha256, pooledRandom, risingIds, systemClock } from './node-world.ts'

export interface OpenOptions {
  /** Where to keep it; a stack in memory when none is given. The caller closes what it passes in. */
  readonly store?: Store
  /** Off only for a migration: recorded in the ledger, and what it lets in has tier 0. */
  readonly enforceProvenance?: boolean
  /** What genesis writes. Later a difference is an error: `setPolicy` changes it. */
  readonly policy?: Policy
  readonly clock?: Clock
  readonly ids?: IdSource
  readonly random?: Random
  /** Where keys are kept that must not lie in the stack's file. */
  readonly keyring?: Keyring
}

/** Stacks opened on one store in memory share their keys, as those in one home do. */
const keyrings = new WeakMap<Store, Keyring>()

function keyringOf(store: Store): Keyring {
  const keyring = keyrings.get(store) ?? memoryKeyring()
  keyrings.set(store, keyring)
  return keyring
}

export const defaultPolicy = (sha256: Sha256 = nodeSha256): Policy =>
  buildPolicy((words) => contentHash(sha256, words))

export async function openStack(id: string, options: OpenOptions = {}): Promise<Stack> {
  const stackId = parseStackId(id)
  const store = options.store ?? new MemoryStore()
  const random = options.random ?? pooledRandom()
  const genesisPolicy = options.policy ?? defaultPolicy()
  const { stack: standing } = await store.read(stackId, { type: 'standing' })
  if (options.policy && standing.policyHash !== null) {
    assertSamePolicy(contentHash(nodeSha256, options.policy), standing.policyHash)
  }
  return new Stack({
    stackId,
    store,
    world: {
      clock: options.clock ?? systemClock,
      ids: options.ids ?? risingIds(random),
      random,
      sha256: nodeSha256,
      keyring: options.keyring ?? keyringOf(store),
    },
    genesisPolicy,
    enforceProvenance: options.enforceProvenance ?? true,
    standing,
    closeStore: options.store === undefined,
  })
}

function assertSamePolicy(given: string, inForce: string): void {
  if (given === inForce) return
  throw new MunimentError('policy_differs', `The policy in force is ${inForce}.`, {
    hint: 'Open without a policy, and change it with stack.setPolicy.',
    facts: { given, inForce },
  })
}
