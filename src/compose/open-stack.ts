import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultComponents } from '../components/default-components.ts'
import { MunimentError } from '../domain/errors.ts'
import { parseStackId, type StackId } from '../domain/ids.ts'
import { buildPolicy, type Policy, parsePolicy } from '../domain/policy.ts'
import type { Budget } from '../engine/processing/prompt.ts'
import {
  LossCheck,
  NEVER_UNASKED,
  type SigningRule,
  USUALLY,
} from '../engine/proofs/signed-heads.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { StackComponent } from '../ports/component.ts'
import type { Embedder, Oracle } from '../ports/models.ts'
import type { Receipts } from '../ports/receipts.ts'
import type { Store } from '../ports/store.ts'
import type {
  CheckpointShelf,
  Clock,
  IdSource,
  Keyring,
  Random,
  Signer,
  Timer,
} from '../ports/world.ts'
import { Stack } from '../stack.ts'
import type { PostgresStore } from '../stores/postgres/index.ts'
import {
  fileShelf,
  memoryShelf,
  mirrored,
  type SecondPlace,
  secondPlace,
} from './checkpoint-shelf.ts'
import { elsewhere } from './elsewhere.ts'
import { fileKeyring, fileSigner, memoryKeyring, memorySigner, verifySignature } from './keyring.ts'
import {
  nodeHasher,
  nodeSha256,
  pooledRandom,
  risingIds,
  systemClock,
  systemTimer,
} from './node-world.ts'
import { writePrivateFile } from './private-files.ts'
import type { SyncOptions } from './sync/sync-ports.ts'
import { usualHome } from './usual-home.ts'

const POSTGRES = /^postgres(?:ql)?:\/\//

/** Stores by address: stacks of this process at an address share connections. */
const open = new Map<string, { readonly store: PostgresStore; users: number }>()

export interface SharedStore {
  readonly store: PostgresStore
  /** The last stack to close also closes the store. */
  readonly release: () => Promise<void>
}

/** Opens a store by its address, and loads the code of the store only then. */
export async function storeAt(address: string): Promise<SharedStore> {
  if (!POSTGRES.test(address)) {
    throw new MunimentError('invalid_input', 'That is no address of a store.', {
      hint: 'postgres://user:password@host/database, or no store at all: a file in the home folder.',
    })
  }
  const { postgres } = await import('../stores/postgres/index.ts')
  const shared = open.get(address) ?? { store: postgres({ connectionString: address }), users: 0 }
  shared.users += 1
  open.set(address, shared)
  let isOut = true
  return {
    store: shared.store,
    release: async () => {
      if (!isOut) return
      isOut = false
      shared.users -= 1
      if (shared.users > 0) return
      open.delete(address)
      await shared.store.close()
    },
  }
}

/** The place of a stack, and replacements for the defaults. */
export interface OpenOptions {
  /** The stack's file, or `:memory:`. When omitted, `<home>/stacks/<id>.db`. */
  readonly path?: string
  /** The folder of stacks and keys: `$MUNIMENT_HOME`, or `.muniment` in the user's folder. */
  readonly home?: string
  /**
   * A store instead of a file, closed by the caller. Or the address of a store, `postgres://…`, closed
   * with the last stack that was opened there.
   */
  readonly store?: Store | string
  /** Off only for a migration. The ledger records the choice, and migrated memories have tier 0. */
  readonly enforceProvenance?: boolean
  /** The policy that genesis writes. A later difference is an error: `setPolicy` changes the policy. */
  readonly policy?: Policy
  /** Instead of `defaultComponents()`; an empty list opens a bare stack. */
  readonly components?: readonly StackComponent[]
  /** An embedder for search, in place of the built-in one. */
  readonly embedder?: Embedder
  /** The daily budget of models; 200 calls and 500,000 tokens by default. */
  readonly modelBudget?: Budget
  /** The store of receipts; beside the stack's file by default. */
  readonly receipts?: Receipts
  /** The oracle for contested claims, which wait in a queue for its answer. */
  readonly oracle?: Oracle
  readonly clock?: Clock
  readonly timer?: Timer
  readonly ids?: IdSource
  readonly random?: Random
  /** The store of keys that must not lie in the stack's file. */
  readonly keyring?: Keyring
  /** When heads are signed unasked: every so many entries, and on close, unless told otherwise. */
  readonly signing?: Partial<SigningRule>
  /** A second place for signed heads: a file, a folder, an address. `$MUNIMENT_CHECKPOINTS_TO`. */
  readonly checkpointsTo?: string | SecondPlace
  /** The signer of heads; a key in the home folder by default. */
  readonly signer?: Signer
  /** A remote for other replicas of this stack: a folder, or the way to one. */
  readonly sync?: SyncOptions
}

/**
 * The rules and numbers of a new stack.
 * @example const policy = defaultPolicy()
 */
export const defaultPolicy = (sha256: Sha256 = nodeSha256): Policy =>
  buildPolicy((words) => contentHash(sha256, words))

/**
 * Opens a stack, which makes nothing: the first write does.
 * @example
 * const stack = await openStack('demo', { path: ':memory:' })
 * await stack.claims.remember('user', 'city', 'Berlin')
 * await stack.close()
 */
export async function openStack(id: string, options: OpenOptions = {}): Promise<Stack> {
  const stackId = parseStackId(id)
  assertKnown(options)
  return openAt(await placeOf(stackId, options), stackId, options)
}

/** Opens a stack, and closes the stack's own store when opening fails. */
export async function openAt(
  { store, keyring, release, file, receipts, signer, shelf }: Place,
  stackId: StackId,
  options: OpenOptions,
): Promise<Stack> {
  const random = options.random ?? pooledRandom()
  try {
    const { stack: standing } = await store.read(stackId, { type: 'standing' })
    const isWhole =
      standing.uid !== null && (await new LossCheck({ stackId, store, shelf }, false).isWhole())
    if (options.policy && standing.policyHash !== null) {
      assertSamePolicy(contentHash(nodeSha256, options.policy), standing.policyHash)
    }
    const stack = new Stack({
      stackId,
      store,
      world: {
        clock: options.clock ?? systemClock,
        timer: options.timer ?? systemTimer,
        ids: options.ids ?? risingIds(random),
        random,
        sha256: nodeSha256,
        hasher: nodeHasher,
        keyring,
      },
      genesisPolicy: options.policy ? parsePolicy(options.policy) : defaultPolicy(),
      enforceProvenance: options.enforceProvenance ?? true,
      standing,
      isWhole,
      gatherPast: async (past, needs) =>
        (await import('../stores/memory/gather.ts')).gatherPast(past, needs),
      releaseStore: release,
      components: options.components ?? defaultComponents(),
      receipts: options.receipts ?? receipts,
      writeFile: writePrivateFile,
      meaning: (await import('./static-embedder.ts')).staticMeaning,
      linksReplaced: true,
      signer,
      shelf,
      verifySignature,
      // A key that ends with the process is worthless afterwards, so none is made unasked.
      signing: { ...(file === null ? NEVER_UNASKED : USUALLY), ...options.signing },
      ...(options.embedder === undefined ? {} : { embedder: options.embedder }),
      ...(options.modelBudget === undefined ? {} : { modelBudget: options.modelBudget }),
      ...(options.oracle === undefined ? {} : { oracle: options.oracle }),
      ...(await syncFor(stackId, options)),
      ...(file === null
        ? {}
        : {
            auditElsewhere: ({ onProgress, ...range }) =>
              elsewhere({ work: 'audit', path: file, stackId, range }, onProgress),
            rebuildElsewhere: ({ onProgress }) =>
              elsewhere({ work: 'rebuild', path: file, stackId }, onProgress),
            scrubElsewhere: () => elsewhere({ work: 'scrub', path: file, stackId }),
          }),
    })
    if (isWhole) await stack.erasure.resume()
    return stack
  } catch (cause) {
    await release()
    throw cause
  }
}

/** The code for a remote is loaded only where there is one. */
async function syncFor(stackId: StackId, { sync, home, random }: OpenOptions) {
  if (sync === undefined) return {}
  const { syncPorts } = await import('./sync/sync-ports.ts')
  const at = { stackId, home: () => home ?? usualHome(), random: random ?? pooledRandom() }
  return { sync: await syncPorts(sync, at) }
}

/** The place of a stack and its keys. */
export interface Place {
  readonly store: Store
  readonly keyring: Keyring
  /** Closes the store, where nobody else does. */
  readonly release: () => Promise<void>
  readonly file: string | null
  readonly receipts: Receipts
  readonly signer: Signer
  readonly shelf: CheckpointShelf
}

const IN_MEMORY = ':memory:'

export async function placeOf(stackId: StackId, options: OpenOptions): Promise<Place> {
  if (typeof options.store === 'string') {
    const { store, release } = await storeAt(options.store)
    return { store, release, ...(await besideStore(stackId, store, options)) }
  }
  if (options.store) {
    const { store } = options
    const release = async () => undefined
    return { store, release, ...(await besideStore(stackId, store, options)) }
  }
  const { SqliteStore } = await import('../stores/sqlite/store.ts')
  if (options.path === IN_MEMORY) {
    const store = new SqliteStore({ path: IN_MEMORY })
    const keyring = options.keyring ?? memoryKeyring()
    return { store, keyring, release: () => store.close(), ...(await inMemory(options)) }
  }
  const home = () => options.home ?? usualHome()
  if (options.path === undefined) assertNoNamesake(home(), stackId)
  const path = pathFor(stackId, options)
  const store = new SqliteStore({ path })
  const { SqliteReceipts } = await import('../stores/sqlite/receipts.ts')
  return {
    store,
    keyring: options.keyring ?? fileKeyring(home()),
    release: () => store.close(),
    file: path,
    receipts: new SqliteReceipts({ path: receiptsFile(path) }),
    signer: options.signer ?? fileSigner(home()),
    shelf: shelfAt(path, options),
  }
}

const pathFor = (stackId: StackId, { home, path }: OpenOptions): string =>
  path === undefined ? stackFile(home ?? usualHome(), stackId) : resolve(path)

/** The file of a stack; null for a stack in another store. */
export const fileFor = (stackId: StackId, options: OpenOptions): string | null =>
  options.store || options.path === IN_MEMORY ? null : pathFor(stackId, options)

/**
 * The companions of a given store. A store that outlives the process needs keys that last: they lie in
 * the home folder, as the keys of a file do.
 */
async function besideStore(stackId: StackId, store: Store, options: OpenOptions) {
  const receipts = store.receiptsFor?.(stackId)
  if (!receipts)
    return { keyring: options.keyring ?? sharedOn(store), ...(await inMemory(options)) }
  const home = options.home ?? usualHome()
  return {
    keyring: options.keyring ?? fileKeyring(home),
    file: null,
    receipts,
    signer: options.signer ?? fileSigner(home),
    shelf: { ...shelfAt(join(home, 'heads', stackId), options), isShared: true },
  }
}

/** Beside the stack, and wherever else heads shall be. */
function shelfAt(path: string, { checkpointsTo }: OpenOptions): CheckpointShelf {
  const shelf = fileShelf(headsBeside(path))
  const to = checkpointsTo ?? process.env.MUNIMENT_CHECKPOINTS_TO
  if (to === undefined || to === '') return shelf
  const place = typeof to === 'string' ? secondPlace(to) : to
  return mirrored(shelf, { to: place, waiting: waitingBeside(path) })
}

export const headsBeside = (path: string): string => `${path}.checkpoints`

/** The queue of heads that could not be copied to their second place. */
export const waitingBeside = (path: string): string => `${path}.checkpoints-waiting`

/** A signer whose key ends with the process, unless the host gives a signer. */
const inMemory = async ({ signer = memorySigner() }: OpenOptions) => ({
  file: null,
  receipts: new (await import('../stores/memory/receipts.ts')).MemoryReceipts(),
  signer,
  shelf: memoryShelf(),
})

export const stackFile = (home: string, stackId: StackId): string =>
  join(home, 'stacks', `${stackId}.db`)

/** Some file systems tell names apart by case and some do not: there two stacks would be one file. */
function assertNoNamesake(home: string, stackId: StackId): void {
  const wanted = `${stackId}.db`
  const names = filesIn(join(home, 'stacks'))
  if (names.includes(wanted)) return
  const namesake = names.find((name) => name.toLowerCase() === wanted.toLowerCase())
  if (namesake === undefined) return
  const there = namesake.slice(0, -'.db'.length)
  throw new MunimentError('id_exists', `There is a stack “${there}” already.`, {
    hint: 'A name that differs by capitals alone would be the same file on some systems.',
    facts: { stackId: there },
  })
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not there yet, or not ours to read: opening says which
  }
}

/** Behind the whole name, as SQLite's own files are: a stack may be called `demo.receipts`. */
export const receiptsFile = (file: string): string => `${file}-receipts`

/** Keys by store: stacks opened on a store in memory share keys, as stacks of a home do. */
const keyrings = new WeakMap<Store, Keyring>()

function sharedOn(store: Store): Keyring {
  const keyring = keyrings.get(store) ?? memoryKeyring()
  keyrings.set(store, keyring)
  return keyring
}

const KNOWN = {
  path: true,
  home: true,
  store: true,
  enforceProvenance: true,
  policy: true,
  components: true,
  embedder: true,
  modelBudget: true,
  receipts: true,
  oracle: true,
  clock: true,
  timer: true,
  ids: true,
  random: true,
  keyring: true,
  signing: true,
  checkpointsTo: true,
  signer: true,
  sync: true,
} as const satisfies Record<keyof OpenOptions, true>

/** Refuses unknown options: without a compiler, a mistyped name would open another stack. */
function assertKnown(options: OpenOptions): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(KNOWN, name))
  if (unknown.length === 0) return
  throw new MunimentError('invalid_input', `openStack has no option ${unknown.join(', ')}.`, {
    issues: unknown.map((path) => ({ path, message: 'is not an option here' })),
    hint: `It has ${Object.keys(KNOWN).join(', ')}.`,
  })
}

function assertSamePolicy(given: string, inForce: string): void {
  if (given === inForce) return
  throw new MunimentError('policy_differs', `The policy in force is ${inForce}.`, {
    hint: 'Open without a policy, and change it with stack.setPolicy.',
    facts: { given, inForce },
  })
}
