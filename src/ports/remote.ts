import type { Ref } from '../domain/ids.ts'
import type { TreeEdge } from '../domain/waist.ts'

/** A place that carries bytes between replicas: a folder, a server, a bucket. Trusted with nothing. */
export interface Remote {
  /** The place as a person wrote it. */
  readonly address: string
  /** Names that begin so, in the order of their bytes. */
  list(prefix: string): Promise<readonly string[]>
  get(name: string): Promise<Uint8Array | null>
  /** Whole or not at all, and never over bytes that are there; false where the name is taken. */
  putNew(name: string, bytes: Uint8Array): Promise<boolean>
  delete(name: string): Promise<void>
}

/** Encrypts for the remote. The name is bound to the bytes, so that no two can be swapped. */
export interface Vault {
  seal(name: string, bytes: Uint8Array): Promise<Uint8Array>
  /** Null where the bytes were not sealed under this key and name. */
  open(name: string, bytes: Uint8Array): Promise<Uint8Array | null>
}

/** Another replica, as this replica knows it. */
export interface Peer {
  /** The key that signed the first head seen; no other key is believed. */
  readonly key: string
  /** Unknown until a person compared the words of the key. */
  readonly trust: 'unknown' | 'paired' | 'distrusted'
  /** The verified tree of the feed. */
  readonly tree: TreeEdge
  /** Verified entries that are not entered yet: a source is missing, or the replica is unknown. */
  readonly waiting: readonly number[]
  /** The entries that this peer has received of other feeds, by replica. */
  readonly acks: Readonly<Record<string, number>>
  /** A refusal to believe the feed, as a sentence. */
  readonly problem: string | null
}

/** The memory of a replica between two rounds. Everything but the trust can be fetched again. */
export interface SyncState {
  readonly peers: Readonly<Record<string, Peer>>
  /** Entries of this ledger that the remote has. */
  readonly published: number
  /** Memories that were erased elsewhere before they came here. */
  readonly erasedElsewhere: readonly Ref[]
}

export const NOTHING_SYNCED: SyncState = { peers: {}, published: 0, erasedElsewhere: [] }

export interface SyncShelf {
  read(): Promise<SyncState>
  write(state: SyncState): Promise<void>
}

/** The way of a stack to its remote. */
export interface SyncPorts {
  readonly remote: Remote
  readonly vault: Vault
  readonly shelf: SyncShelf
}
