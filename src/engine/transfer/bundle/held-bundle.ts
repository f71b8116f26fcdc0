import type { SealedRow } from '../../../domain/entry.ts'
import { isSaidBy } from '../../../domain/erasure.ts'
import { assert } from '../../../domain/errors.ts'
import { type Hash, isHash, ZERO_HASH } from '../../../domain/ids.ts'
import type { Bundle } from '../../../ledger/bundle/read.ts'
import { entryIn } from '../../../ledger/ledger.ts'
import { leafHash } from '../../../ledger/merkle.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import type { TableQuery } from '../../../ports/queries.ts'
import type { EntryRow, Erasure, ReadQuery, Store } from '../../../ports/store.ts'

/** A bundle with the hashes that a store keeps beside its entries. */
export interface BundleRows {
  readonly bundle: Bundle
  readonly entries: readonly EntryRow[]
}

export function rowsOf(bundle: Bundle, sha256: Sha256): BundleRows {
  let prevHash: Hash = ZERO_HASH
  const entries = bundle.entries.map((bytes, seq): EntryRow => {
    const row = { seq, bytes, hash: leafHash(sha256, bytes), prevHash }
    prevHash = row.hash
    return row
  })
  return { bundle, entries }
}

/** Serves a bundle as a store, so that the audit can check the bundle before any write. */
export const readerOf = (rows: BundleRows): Pick<Store, 'read'> => ({
  read: async (_, query) => answer(rows, query) as never, // the type of the query decides
})

function answer({ bundle, entries }: BundleRows, query: ReadQuery): readonly unknown[] {
  if (query.type === 'entries' && 'from' in query) {
    return entries.slice(query.from, query.from + query.limit)
  }
  switch (query.type === 'table' ? query.name : null) {
    case 'sealed':
      return sealedBetween(bundle.sealed, query as SealedQuery) // selected by its name
    case 'erasures':
      return erasuresIn(entries, bundle.sealed)
    case 'actorKeys':
      return bundle.actorKeys
    default:
      assert(false, 'the walk asks for entries, content and keys', { query: query.type })
  }
}

type SealedQuery = Extract<TableQuery, { name: 'sealed' }>

/** Sealed rows are sorted, so a page is found by binary search. */
function sealedBetween(sealed: Bundle['sealed'], { from, to }: SealedQuery): readonly SealedRow[] {
  const start = firstAt(sealed, from)
  return sealed.slice(start, firstAt(sealed, to + 1))
}

function firstAt(sealed: Bundle['sealed'], seq: number): number {
  let low = 0
  let high = sealed.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sealed[middle]?.seq ?? 0) < seq) low = middle + 1
    else high = middle
  }
  return low
}

/** A bundle lists no erasures: they follow from its entries and the missing content. */
function erasuresIn(entries: readonly EntryRow[], sealed: Bundle['sealed']): readonly Erasure[] {
  const erased = new Map<string, number>()
  const shredded: { readonly of: Hash; readonly seq: number }[] = []
  const told = entries.flatMap(({ bytes }) => {
    const entry = entryIn(bytes)
    const of = entry?.decision.facts.of
    if (entry?.op === 'memory.erased' && entry.ref !== null) erased.set(entry.ref, entry.seq)
    if (entry?.op === 'actor.erased' && isHash(of)) shredded.push({ of, seq: entry.seq })
    return entry === null ? [] : [entry]
  })
  if (erased.size === 0 && shredded.length === 0) return []
  const there = new Set(sealed.map(({ seq }) => seq))
  return told.flatMap((each) => {
    const { seq, ref, commitment } = each
    const by = there.has(seq)
      ? undefined
      : shredded.find((actor) => seq < actor.seq && isSaidBy(actor.of, each))?.seq
    const own = ref === null ? undefined : erased.get(ref)
    const entry = Math.min(by ?? Number.POSITIVE_INFINITY, own ?? Number.POSITIVE_INFINITY)
    return commitment !== null && Number.isFinite(entry) && seq < entry ? [{ seq, entry }] : []
  })
}
