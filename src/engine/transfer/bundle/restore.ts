import type { Entry, SealedRow, StoredEntry } from '../../../domain/entry.ts'
import { isSaidBy } from '../../../domain/erasure.ts'
import { assert, MunimentError } from '../../../domain/errors.ts'
import { type Hash, isHash, type Ref, type StackId, ZERO_HASH } from '../../../domain/ids.ts'
import type { Batch, Head } from '../../../domain/waist.ts'
import { badLine, lineOf, type RowSection, type TextLines } from '../../../ledger/bundle/format.ts'
import { type Bundle, readBundle } from '../../../ledger/bundle/read.ts'
import { readJson } from '../../../ledger/canonical.ts'
import { entryIn } from '../../../ledger/ledger.ts'
import { leafHash, rootOf } from '../../../ledger/merkle.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import type { TableQuery } from '../../../ports/queries.ts'
import type { EntryRow, Erasure, ReadQuery, Store } from '../../../ports/store.ts'
import { audit } from '../../audit/audit.ts'
import type { AuditProblem } from '../../audit/codes.ts'
import type { Progress } from '../../audit/progress.ts'
import { walkLedger } from '../../audit/walk.ts'
import type { BundleTools } from './export.ts'

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
  if (query.type === 'entries') {
    return entries.filter(({ bytes }) => entryIn(bytes)?.ref === query.about)
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

/**
 * Counters cannot be folded from the ledger, so only the bundle vouches for their numbers; the
 * check covers the entries and memories that they name.
 */
export function checkRows({ bundle, entries }: BundleRows, progress: Progress): void {
  const { header, actorKeys, tallies, bursts, tombstones } = bundle
  const must = (isSo: boolean, section: RowSection, index: number): void => {
    const line = lineOf(header.counts, section, index)
    if (!isSo) throw badLine(line, 'points at something that is not in the ledger')
  }
  const isKnown = (ref: Ref | null): boolean => ref === null || progress.memories.has(ref)
  for (const [index, { since }] of actorKeys.entries()) {
    must(since < entries.length, 'actorKeys', index)
  }
  for (const [index, { entrySeq, entryHash, about }] of tallies.entries()) {
    must(entries[entrySeq]?.hash === entryHash && isKnown(about), 'tallies', index)
  }
  for (const [index, { quarantined }] of bursts.entries()) {
    must(isKnown(quarantined), 'bursts', index)
  }
  for (const [index, { mark, seq }] of tombstones.entries()) {
    must(progress.tombstones.get(mark)?.includes(seq) === true, 'tombstones', index)
  }
}

export interface RestoreOptions extends BundleTools {
  /** The only stack that may be restored; any stack by default. */
  readonly stackId?: StackId
  /** Called with the progress: every entry is checked twice, before and after the commit. */
  readonly onProgress?: (progress: Passed) => void
}

interface Passed {
  readonly done: number
  readonly total: number
}

export interface Restored {
  readonly stackId: StackId
  readonly head: { readonly seq: number; readonly hash: Hash; readonly root: Hash }
  readonly entries: number
  readonly memories: number
}

/**
 * Copies a bundle byte for byte into an empty stack, and audits the stack. The store is unchanged
 * until the whole bundle is checked; then one commit writes everything.
 */
export async function restoreBundle(
  store: Store,
  lines: TextLines,
  { stackId, sha256, hasher, onProgress }: RestoreOptions,
): Promise<Restored> {
  if (stackId !== undefined) await assertEmpty(store, stackId)
  const bundle = await readBundle(lines, { hasher, stackId: stackId ?? null })
  const rows = rowsOf(bundle, sha256)
  const { header } = bundle
  const reading = { stackId: bundle.stackId, store: readerOf(rows) }
  const telling = (passes: number) => ({
    onProgress: ({ done, total }: Passed) =>
      onProgress?.({ done: done + passes * total, total: 2 * total }),
  })
  const wants = { texts: true, ...telling(0) }
  const progress = await walkLedger(reading, header.head.seq, sha256, wants)
  const [first] = progress.problems
  if (first) throw damaged(bundle, first)
  checkHeader(bundle, progress, rootOf(sha256, progress.tree))
  checkRows(rows, progress)
  // Checked last, because other faults have a line of their own with more detail.
  if (!bundle.isDigestRight)
    throw badLine(lastLineOf(bundle), 'is not the digest of those before it')
  await store.exclusively(bundle.stackId, async (held) => {
    const head = await assertEmpty(held, bundle.stackId)
    const { committed } = await held.commit(bundle.stackId, batchOf(rows, progress, head), head)
    assert(committed, 'nobody commits while the lock is held')
    const report = await audit({ stackId: bundle.stackId, store: held }, sha256, telling(1))
    // An exception releases the lock and discards the commit: a bad audit keeps no stack.
    const [problem] = report.problems
    if (problem) throw damaged(bundle, problem)
  })
  return {
    stackId: bundle.stackId,
    head: { ...header.head, root: header.root },
    entries: header.counts.entries,
    memories: progress.memories.size,
  }
}

async function assertEmpty(store: Pick<Store, 'read'>, stackId: StackId): Promise<Head> {
  const { tip } = await store.read(stackId, { type: 'standing' })
  if (tip.head.seq < 0) return tip.head
  throw new MunimentError('stack_not_empty', `The stack ${stackId} holds memories already.`, {
    hint: 'Restore into a place where nothing was written, or import the memories instead.',
    facts: { stack: stackId, entries: tip.head.seq + 1 },
  })
}

/** Names the damaged line: the content where content is wrong, otherwise the entry. */
function damaged(bundle: Bundle, { code, seq, detail }: AuditProblem): MunimentError {
  const { counts } = bundle.header
  const content = OF_CONTENT.test(code) ? bundle.sealed.findIndex((row) => row.seq === seq) : -1
  const line = content < 0 ? lineOf(counts, 'entries', seq) : lineOf(counts, 'sealed', content)
  return badLine(line, `does not hold as entry ${seq}: ${detail}`, { facts: { code, seq } })
}

const OF_CONTENT = /^(sealed|commitment|content|certificate)\./

const lastLineOf = ({ header: { counts } }: Bundle): number =>
  lineOf(counts, 'tombstones', counts.tombstones)

/** The header must agree with the entries, because readers trust the header. */
function checkHeader({ header }: Bundle, { stack, last }: Progress, root: Hash): void {
  const { uid, head } = header
  if (uid !== stack.uid) throw badLine(1, 'names another uid than the first entry')
  if (head.hash !== last?.hash) throw badLine(1, 'names another head than the last entry')
  if (header.root !== root) throw badLine(1, 'names another root than that of the entries')
}

/** Entries, content and counters as in the bundle; rows as folded from the ledger. */
function batchOf(rows: BundleRows, progress: Progress, head: Head): Batch {
  const { memories, texts, stack, tree, last } = progress
  const { actorKeys, tallies, bursts, tombstones, sealed } = rows.bundle
  return {
    entries: rows.entries.map(({ bytes, hash }): StoredEntry => {
      const entry = readJson(decoder.decode(bytes)) as Entry // parsed and checked by the walk
      return { entry, bytes, hash }
    }),
    sealed,
    memories: [...memories.values()].sort((a, b) => a.seq - b.seq),
    texts: [...(texts?.values() ?? [])],
    actorKeys,
    tallies,
    bursts,
    tombstones,
    ...erasedBy(progress),
    tip: {
      head: { seq: tree.size - 1, hash: last?.hash ?? ZERO_HASH, rev: head.rev + 1 },
      time: last?.entry.time ?? null,
      tree,
    },
    stack,
  }
}

/** Erased content of the bundle is recorded as erased here, so that the gap stays. */
function erasedBy({ memories, shredded }: Progress): Pick<Batch, 'erased'> {
  const erased = [...memories.values()].flatMap(({ ref, seq: birth, erased: mark }) =>
    mark === null ? [] : [{ ref, birth, entry: mark.seq, identities: [] }],
  )
  // Names of erased actors are gone with their keys; entries keep the pseudonyms.
  const actors = [...shredded].map(([entry, pseudonym]) => ({ actor: '', pseudonym, entry }))
  if (erased.length + actors.length === 0) return {}
  return { erased: { memories: erased, actors, lifted: [] } }
}

const decoder = new TextDecoder()
