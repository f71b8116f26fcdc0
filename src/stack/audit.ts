import { ZERO_HASH } from '../domain/ids.ts'
import type { MemoryState, StackState } from '../domain/state.ts'
import type { Tip } from '../domain/waist.ts'
import { canonicalize } from '../hash/canonical.ts'
import { rootOf } from '../hash/merkle.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { AuditReport } from './audit-codes.ts'
import { found, type Progress } from './audit-progress.ts'
import { walkLedger } from './audit-walk.ts'
import type { Reading } from './explain.ts'

const PAGE = 1_024 // rows read at a time

/** Believes nothing that it can recompute: entries, content, and every row folded from them. */
export async function audit(reading: Reading, sha256: Sha256): Promise<AuditReport> {
  const { tip, stack } = await reading.store.read(reading.stackId, { type: 'standing' })
  const progress = await walkLedger(reading, tip.head.seq, sha256)
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

function compareHead(progress: Progress, tip: Tip, stack: StackState): void {
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
