import { nodeSha256 } from '../../src/compose/node-world.ts'
import type { Entry, SealedRow } from '../../src/domain/entry.ts'
import { type Hash, ZERO_HASH } from '../../src/domain/ids.ts'
import type { TreeEdge } from '../../src/domain/waist.ts'
import { canonicalBytes } from '../../src/ledger/canonical.ts'
import { commitmentOf, readEntry } from '../../src/ledger/ledger.ts'
import { appendLeaf, leafHash } from '../../src/ledger/merkle.ts'
import type { MemoryStore } from '../../src/stores/memory/store.ts'

export type Rows = ReturnType<MemoryStore['rows']>

/** Any value as an entry's bytes: a forger is not bound to what an entry may say. */
export function written(entry: object): { readonly bytes: Uint8Array; readonly hash: Hash } {
  const bytes = canonicalBytes(entry)
  return { bytes, hash: leafHash(nodeSha256, bytes) }
}

/**
 * Writes the whole ledger anew around a change, hashes, links, tree and head included: what is left
 * to find is only that the story does not hold together.
 */
export function forge(rows: Rows, change: (entries: readonly Entry[]) => readonly Entry[]): void {
  const entries = change(rows.entries.map(({ bytes }) => readEntry(bytes)))
  let prevHash = ZERO_HASH
  let tree: TreeEdge = { size: 0, hashes: [] }
  rows.entries = entries.map((entry, seq) => {
    const { bytes, hash } = written({ ...entry, prevHash })
    const row = { seq, bytes, hash, prevHash }
    prevHash = hash
    tree = appendLeaf(nodeSha256, tree, hash)
    return row
  })
  const head = { ...rows.tip.head, seq: entries.length - 1, hash: prevHash }
  rows.tip = { ...rows.tip, head, tree }
}

/** Changes one entry and hides the change as well as a forger can. */
export const forgeAt = (rows: Rows, seq: number, change: (entry: Entry) => object): void =>
  forge(rows, (entries) =>
    entries.map((entry) => (entry.seq === seq ? { ...entry, ...change(entry) } : entry)),
  )

/** Puts other content in the place of what was sealed, and lets the entry commit to it. */
export function forgeContent(rows: Rows, seq: number, content: Uint8Array | object): void {
  const seal = rows.sealed.get(seq)
  if (!seal) throw new Error(`nothing is sealed at ${seq}`)
  const bytes = content instanceof Uint8Array ? content : canonicalBytes(content)
  rows.sealed.set(seq, { ...seal, bytes })
  forgeAt(rows, seq, () => ({ commitment: commitmentOf(nodeSha256, seal.salt, bytes) }))
}

const decoder = new TextDecoder()

export interface Opened {
  readonly body: Record<string, unknown>
  readonly provenance: Record<string, unknown>
}

export const openedAt = (rows: Rows, seq: number): Opened => {
  const { bytes } = rows.sealed.get(seq) as SealedRow // the caller knows what is there
  return JSON.parse(decoder.decode(bytes))
}
