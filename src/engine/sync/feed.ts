import type { TreeEdge } from '../../domain/waist.ts'
import type { VerifyEd25519 } from '../../ledger/signed-note.ts'
import type { SyncPorts, SyncState } from '../../ports/remote.ts'
import { type FeedHead, type FeedTree, headsOf, openHead } from '../../sync/head.ts'
import { isNamed, unreadable } from '../../sync/segment.ts'
import type { EngineCore } from '../core.ts'
import type { Erasures } from '../erase/erasures.ts'
import type { Ledger } from '../proofs/ledger.ts'

/** The means of a round: the stack, its ledger, and the way to the remote. */
export interface SyncParts {
  readonly core: EngineCore
  readonly ledger: Ledger
  readonly erasures: Erasures
  readonly ports: SyncPorts
  readonly verify: VerifyEd25519
}

export const EMPTY_TREE: TreeEdge = { size: 0, hashes: [] }

const REPLICA = /^feeds\/([0-9a-f]{32})\//

/** The replicas with a feed in the remote. */
export async function replicasIn({ ports: { remote } }: SyncParts): Promise<readonly string[]> {
  const names = await remote.list('feeds/')
  return [...new Set(names.flatMap((name) => REPLICA.exec(name)?.[1] ?? []))].sort()
}

export type OpenedHead = FeedHead & { readonly tree: FeedTree }

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The newest head of a feed; null for a replica that never published. */
export async function newestHead(
  parts: SyncParts,
  of: { readonly replica: string; readonly key: string | null },
): Promise<OpenedHead | null> {
  const { ports, core, verify } = parts
  const name = (await ports.remote.list(headsOf(of.replica))).at(-1)
  const sealed = name === undefined ? null : await ports.remote.get(name)
  if (name === undefined || sealed === null) return null
  const bytes = await ports.vault.open(name, sealed)
  if (bytes === null) throw unreadable('the head was not sealed with the key of this remote')
  return openHead(decoder.decode(bytes), of, { sha256: core.sha256, verify })
}

/** The plain bytes of a named object, as its writer named them. */
export async function objectAt({ ports, core }: SyncParts, name: string): Promise<Uint8Array> {
  const sealed = await ports.remote.get(name)
  if (sealed === null) throw unreadable(`${name} is missing`)
  const bytes = await ports.vault.open(name, sealed)
  if (bytes === null || !isNamed(core.sha256, name, bytes)) throw unreadable(`${name} was changed`)
  return bytes
}

export async function putObject({ ports }: SyncParts, name: string, bytes: Uint8Array) {
  // A name is a digest, so an object under the name has the bytes already.
  await ports.remote.putNew(name, await ports.vault.seal(name, bytes))
}

export async function changeState(
  { ports: { shelf } }: SyncParts,
  change: (state: SyncState) => SyncState,
): Promise<SyncState> {
  const state = change(await shelf.read())
  await shelf.write(state)
  return state
}
