import type { Entry } from '../domain/entry.ts'
import { type Hash, ZERO_HASH } from '../domain/ids.ts'
import { readEntry } from './ledger.ts'
import { appendLeaf, emptyFrontier, type Frontier, leafHash } from './merkle.ts'
import type { Sha256 } from './sha256.ts'

/** The end of a chain: the hash of the last entry, and the tree over all entries. */
export interface ChainEnd {
  readonly last: Hash
  readonly tree: Frontier
}

export const CHAIN_START: ChainEnd = { last: ZERO_HASH, tree: emptyFrontier }

/** One entry in its place of the chain; each caller has its own codes for the faults. */
export interface ChainStep {
  /** The hash of the bytes, which is the entry's leaf in the tree. */
  readonly hash: Hash
  /** Null for bytes other than an entry in canonical form. */
  readonly entry: Entry | null
  readonly isPlaced: boolean
  readonly isLinked: boolean
  readonly end: ChainEnd
}

/**
 * Reads and hashes the bytes at a position, and compares them with the end of the chain before. The
 * full audit, the verifiers of exported ledgers and of bundles all walk a chain by this function; the
 * audit of the chain alone compares runs of bytes without reading entries.
 */
export function followChain(
  sha256: Sha256,
  { last, tree }: ChainEnd,
  { seq, bytes }: { readonly seq: number; readonly bytes: Uint8Array },
): ChainStep {
  const hash = leafHash(sha256, bytes)
  const entry = entryIn(bytes)
  return {
    hash,
    entry,
    isPlaced: entry?.seq === seq,
    isLinked: entry?.prevHash === last,
    end: { last: hash, tree: appendLeaf(sha256, tree, hash) },
  }
}

/** Null for bytes other than an entry in canonical form. */
export function entryIn(bytes: Uint8Array): Entry | null {
  try {
    return readEntry(bytes)
  } catch {
    return null // bytes from outside may fail in any way
  }
}
