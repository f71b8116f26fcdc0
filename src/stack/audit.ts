import { foldStack } from '../belief/fold-stack.ts'
import type { Entry, SealedRow, StoredEntry } from '../domain/entry.ts'
import { isKnownOp, misusedMember } from '../domain/entry-shape.ts'
import { MunimentError } from '../domain/errors.ts'
import { ZERO_HASH } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'
import { type MemoryState, type StackState, UNBORN } from '../domain/state.ts'
import type { TreeEdge } from '../domain/waist.ts'
import { canonicalize } from '../hash/canonical.ts'
import { contentHash, readEntry } from '../hash/ledger.ts'
import { appendLeaf, leafHash, rootOf } from '../hash/merkle.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { EntryRow } from '../ports/store.ts'
import type { AuditReport } from './audit-codes.ts'
import { checkContent, foldEntry } from './audit-content.ts'
import { checkOperation } from './audit-operation.ts'
import { found, type Progress } from './audit-progress.ts'
import type { Reading } from './explain.ts'

const PAGE = 2_048 // entries read at a time

/** Reads the whole ledger once, in order, and believes nothing that it can recompute. */
export async function audit(reading: Reading, sha256: Sha256): Promise<AuditReport> {
  const { store, stackId } = reading
  const { tip, stack } = await store.read(stackId, { type: 'standing' })
  const keys = await store.read(stackId, { type: 'actorKeys' })
  const progress: Progress = {
    sha256,
    keys: new Map(keys.map((key) => [key.actor, key])),
    pseudonyms: new Map(),
    problems: [],
    memories: new Map(),
    counted: new Map(),
    policies: new Map(),
    stack: UNBORN,
    tree: { size: 0, hashes: [] },
    last: null,
  }
  for (let from = 0; from <= tip.head.seq; from += PAGE) {
    const to = Math.min(from + PAGE - 1, tip.head.seq)
    const rows = await store.read(stackId, { type: 'entries', from, limit: to - from + 1 })
    const sealed = await store.read(stackId, { type: 'sealed', from, to })
    auditPage(progress, { rows, sealed, from, to, stackId })
  }
  await findStray(progress, reading, tip.head.seq)
  compareHead(progress, tip, stack)
  await compareRows(progress, reading)
  const problems = progress.problems.sort((a, b) => a.seq - b.seq)
  return {
    ok: problems.length === 0,
    head: { seq: tip.head.seq, hash: tip.head.hash, root: rootOf(sha256, progress.tree) },
    entries: progress.tree.size,
    problems,
  }
}

interface Page {
  readonly rows: readonly EntryRow[]
  readonly sealed: readonly SealedRow[]
  readonly from: number
  readonly to: number
  readonly stackId: string
}

function auditPage(progress: Progress, { rows, sealed, from, to, stackId }: Page): void {
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const sealedBySeq = new Map(sealed.map((row) => [row.seq, row]))
  for (let seq = from; seq <= to; seq += 1) {
    const row = bySeq.get(seq)
    const seal = sealedBySeq.get(seq)
    if (!row) {
      found(progress, 'entry.missing', { seq, detail: 'no entry at this position' })
      continue
    }
    const stored = auditEntry(progress, row, stackId)
    if (stored) auditContent(progress, stored, seal)
    else if (seal) found(progress, 'sealed.stray', { seq, detail: 'its entry cannot be read' })
  }
}

/** The entry by itself: its bytes, its hash, its place in the chain. */
function auditEntry(progress: Progress, row: EntryRow, stackId: string): StoredEntry | null {
  const { seq } = row
  const hash = leafHash(progress.sha256, row.bytes)
  progress.tree = appendLeaf(progress.sha256, progress.tree, hash)
  let entry: Entry
  try {
    entry = readEntry(row.bytes)
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    found(progress, 'entry.unreadable', { seq, detail: cause.message })
    return null
  }
  const at = { seq, ref: entry.ref }
  if (hash !== row.hash) {
    found(progress, 'entry.hash', {
      ...at,
      detail: 'the bytes have another hash than the stored one',
    })
  }
  const before = progress.last?.hash ?? ZERO_HASH
  if (entry.prevHash !== before || row.prevHash !== before) {
    found(progress, 'entry.chain', {
      ...at,
      detail: 'prevHash is not the hash of the entry before',
    })
  }
  const begins = entry.op === 'genesis' || entry.op === 'replica.started'
  const replica = begins ? entry.decision.facts.replica : progress.stack.replica
  if (entry.seq !== seq || entry.stack !== stackId || entry.replica !== replica) {
    found(progress, 'entry.place', { ...at, detail: 'names another position, stack or replica' })
  }
  if (progress.last && entry.time < progress.last.entry.time) {
    found(progress, 'entry.time', { ...at, detail: 'is dated before the entry before it' })
  }
  if (entry.policy !== progress.stack.policyHash) {
    found(progress, 'entry.policy', { ...at, detail: 'names a policy that was not in force' })
  }
  checkOperation(progress, entry)
  if (isKnownOp(entry.op)) progress.stack = foldStack(progress.stack, entry)
  const { op, decision, ref } = entry
  if (COUNTED.has(op)) progress.counted.set(seq, { rule: decision.rule, ref })
  const stored = { entry, bytes: row.bytes, hash }
  progress.last = stored
  return stored
}

const COUNTED: ReadonlySet<Entry['op']> = new Set([
  'memory.saved',
  'memory.refused',
  'memory.collapsed',
])

/** Nothing lies behind the head: neither an entry nor content. */
async function findStray(progress: Progress, reading: Reading, head: number): Promise<void> {
  const { store, stackId } = reading
  const from = head + 1
  const entries = await store.read(stackId, { type: 'entries', from, limit: 1 })
  for (const { seq } of entries) {
    found(progress, 'entry.stray', { seq, detail: 'lies behind the head' })
  }
  const sealed = await store.read(stackId, { type: 'sealed', from, to: Number.MAX_SAFE_INTEGER })
  for (const { seq, ref } of sealed) {
    found(progress, 'sealed.stray', { seq, ref, detail: 'lies behind the head' })
  }
}

function auditContent(progress: Progress, stored: StoredEntry, seal: SealedRow | undefined): void {
  const { entry } = stored
  const { seq, ref } = entry
  if (entry.op === 'policy') notePolicy(progress, entry)
  if (entry.commitment === null) {
    if (seal) found(progress, 'sealed.stray', { seq, ref, detail: 'no entry commits to it' })
    if (isKnownOp(entry.op) && misusedMember(entry) === null) foldEntry(progress, stored, null)
    return
  }
  if (!seal) {
    found(progress, 'sealed.missing', { seq, ref, detail: 'gone, and no erasure says so' })
    return
  }
  const sealed = checkContent(progress, stored, seal)
  if (sealed && isKnownOp(entry.op) && misusedMember(entry) === null) {
    foldEntry(progress, stored, sealed)
  }
}

function notePolicy(progress: Progress, { seq, decision }: Entry): void {
  const { hash, policy = null } = decision.facts
  const actual = contentHash(progress.sha256, policy)
  if (actual !== hash) {
    found(progress, 'entry.policy', {
      seq,
      detail: 'the policy does not have the hash it is given',
    })
  }
  progress.policies.set(actual, policy as unknown as Policy) // a policy entry carries it whole
}

function compareHead(
  progress: Progress,
  tip: { readonly head: { seq: number; hash: string }; readonly tree: TreeEdge },
  stack: StackState,
): void {
  const { seq, hash } = tip.head
  const last = progress.last?.hash ?? ZERO_HASH
  if (hash !== last) {
    found(progress, 'head.mismatch', { seq, detail: 'the recorded head is not the last entry' })
  }
  if (canonicalize(tip.tree) !== canonicalize(progress.tree)) {
    found(progress, 'root.mismatch', {
      seq,
      detail: 'the recorded tree is not that of the entries',
    })
  }
  if (canonicalize(stack) !== canonicalize(progress.stack)) {
    found(progress, 'state.mismatch', {
      seq,
      detail: 'the recorded state is not that of the entries',
    })
  }
}

/** Every row must be what its entries fold to, no more and no fewer (STORE-REBUILD). */
async function compareRows(progress: Progress, { store, stackId }: Reading): Promise<void> {
  const left = new Map(progress.memories)
  for (let after = -1; ; ) {
    const rows = await store.read(stackId, { type: 'states', after, limit: PAGE })
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

/** Field by field, since it is done for every memory; only lists and pairs need a closer look. */
function differingFields(a: MemoryState, b: MemoryState): readonly string[] {
  const names = Object.keys(a) as (keyof MemoryState)[] // a MemoryState has only its own fields
  return names.filter((name) => {
    const [x, y] = [a[name], b[name]]
    return x !== y && (typeof x !== 'object' || JSON.stringify(x) !== JSON.stringify(y))
  })
}
