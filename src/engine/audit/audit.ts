import { MunimentError } from '../../domain/errors.ts'
import { ZERO_HASH } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { contentHash } from '../../ledger/ledger.ts'
import { rootOf } from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { Answers, Store } from '../../ports/store.ts'
import type { Reading } from '../history/why.ts'
import type { AuditOptions, AuditProgress, AuditReport } from './codes.ts'
import { found, type Progress } from './progress.ts'
import { walkLedger } from './walk.ts'

const PAGE = 1_024 // rows in one batch

/** Recomputes everything: entries, content, and every row folded from them. */
export async function audit(
  reading: Reading,
  sha256: Sha256,
  { onProgress }: Pick<AuditOptions, 'onProgress'> = {},
): Promise<AuditReport> {
  const standing = await reading.store.read(reading.stackId, { type: 'standing' })
  const { tip } = standing
  const progress = await walkLedger(reading, tip.head.seq, sha256, { texts: false, onProgress })
  compareHead(progress, standing)
  // Ledger problems come first, because row problems follow from them.
  const ledger = progress.problems.splice(0).sort((a, b) => a.seq - b.seq)
  await compareRows(progress, reading)
  await compareTombstones(progress, reading)
  await compareFiling(progress, reading)
  const problems = [...ledger, ...progress.problems.sort((a, b) => a.seq - b.seq)]
  const ok = problems.length === 0
  const root = rootOf(sha256, progress.tree)
  return {
    ok,
    head: { seq: tip.head.seq, hash: tip.head.hash, root },
    entries: progress.tree.size,
    mark: ok ? { size: progress.tree.size, root } : null,
    problems,
    notes: progress.notes,
  }
}

function compareHead(progress: Progress, { tip, stack, policy }: Answers['standing']): void {
  const { seq, hash } = tip.head
  const { last, sha256 } = progress
  if (hash !== (last?.hash ?? ZERO_HASH) || tip.time !== (last?.entry.time ?? null)) {
    found(progress, 'head.mismatch', { seq, detail: 'the recorded head is not the last entry' })
  }
  if (canonicalize(tip.tree) !== canonicalize(progress.tree)) {
    found(progress, 'root.mismatch', {
      seq,
      detail: 'the recorded tree is not that of the entries',
    })
  }
  const inForce = policy === null ? null : contentHash(sha256, policy)
  if (canonicalize(stack) !== canonicalize(progress.stack) || inForce !== stack.policyHash) {
    const detail = 'the recorded state or policy is not that of the entries'
    found(progress, 'state.mismatch', { seq, detail })
  }
}

/** Reads and erasures find content by its memory, so content must be filed there. */
async function compareFiling(progress: Progress, { store, stackId }: Reading): Promise<void> {
  for (const seq of await store.read(stackId, { type: 'table', name: 'misfiled' })) {
    found(progress, 'entry.place', { seq, detail: 'is found under another memory than its own' })
  }
}

/** Every row must equal the fold of its entries, without extra or missing rows (STORE-REBUILD). */
async function compareRows(progress: Progress, { store, stackId }: Reading): Promise<void> {
  const left = new Map(progress.memories)
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await store.read(stackId, {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    for (const row of rows) {
      compareRow(progress, row, left.get(row.ref))
      left.delete(row.ref)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    after = last.seq
  }
  for (const { ref, seq } of left.values()) {
    found(progress, 'row.missing', { seq, ref, detail: 'the ledger knows it, the rows do not' })
  }
}

function compareRow(progress: Progress, row: MemoryState, folded: MemoryState | undefined): void {
  const { ref, seq } = row
  if (!folded) {
    found(progress, 'row.stray', { seq, ref, detail: 'no entry speaks of it' })
  } else {
    const differing = differingFields(folded, row)
    if (differing.length === 0) return
    const detail = `is not what its entries fold to: ${differing.join(', ')}`
    found(progress, 'row.mismatch', { seq, ref, detail })
  }
}

/** Compares field by field for speed, because every memory is compared; only objects need JSON. */
function differingFields(a: MemoryState, b: MemoryState): readonly string[] {
  const differing: string[] = []
  for (const name in a) {
    const key = name as keyof MemoryState // a MemoryState has only its own fields
    const x = a[key]
    const y = b[key]
    if (x === y || (typeof x === 'object' && isAlike(x, y))) continue
    differing.push(name)
  }
  return differing
}

type StateValue = MemoryState[keyof MemoryState]

/** Compares lists and objects. */
const isAlike = (x: StateValue, y: StateValue): boolean => JSON.stringify(x) === JSON.stringify(y)

/** A missing tombstone would readmit words that a person rejected or erased. */
async function compareTombstones(progress: Progress, { store, stackId }: Reading): Promise<void> {
  const rows = await store.read(stackId, { type: 'table', name: 'tombstones' })
  const kept = new Set<string>(rows.map(({ mark }) => mark))
  for (const [mark, [seq = 0]] of progress.tombstones) {
    if (!kept.has(mark)) found(progress, 'row.missing', { seq, detail: 'its tombstone is gone' })
  }
  for (const { mark, seq } of rows) {
    const said = progress.tombstones.get(mark)
    if (said === undefined) {
      found(progress, 'row.stray', { seq, detail: 'no entry speaks of this tombstone' })
    } else if (!said.includes(seq)) {
      found(progress, 'row.mismatch', { seq, detail: 'is not the entry of this tombstone' })
    }
  }
}

export interface Rebuilt {
  readonly memories: number
  readonly entries: number
}

export interface RebuildOptions {
  /** Called with the progress, entry by entry. */
  readonly onProgress?: (progress: AuditProgress) => void
}

/** Folds every row again and replaces the stored rows. A damaged ledger is refused. */
export async function rebuild(
  { store, stackId }: Reading & { readonly store: Store },
  sha256: Sha256,
  { onProgress }: RebuildOptions = {},
): Promise<Rebuilt> {
  for (;;) {
    const { tip, walked } = await store.snapshot(async (reader) => {
      const { tip } = await reader.read(stackId, { type: 'standing' })
      const options = { texts: true, onProgress } as const
      const reading = { stackId, store: reader }
      return { tip, walked: await walkLedger(reading, tip.head.seq, sha256, options) }
    })
    const { memories, texts, problems, stack, tree } = walked
    const [first] = problems
    if (first) {
      throw new MunimentError('data_loss', `Entry ${first.seq}: ${first.detail}.`, {
        hint: 'Rows can be rebuilt only from a ledger that is whole. Restore a backup.',
        facts: { code: first.code, seq: first.seq },
      })
    }
    const head = { ...tip.head, rev: tip.head.rev + 1 }
    const states = [...memories.values()].sort((a, b) => a.seq - b.seq)
    const derived = { states, texts: texts?.values() ?? [], stack, tip: { ...tip, head, tree } }
    const { committed } = await store.replaceDerived(stackId, derived, tip.head)
    // Another commit came first, so the fold is repeated.
    if (committed) return { memories: states.length, entries: tree.size }
  }
}
