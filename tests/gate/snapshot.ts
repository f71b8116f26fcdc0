import { canonicalize } from '../../src/ledger/canonical.ts'
import { toHex } from '../../src/ledger/sha256.ts'
import type { MemoryStore } from '../../src/stores/memory/store.ts'
import { STACK_ID } from './production.ts'

/** Everything a store holds, as text that can be compared; only `rev` counts commits and is left out. */
export function snapshot(store: MemoryStore) {
  const rows = store.rows(STACK_ID)
  const { head, time, tree } = rows.tip
  return {
    entries: rows.entries.map(({ bytes, hash }) => `${hash} ${toHex(bytes)}`),
    sealed: sorted(rows.sealed.values(), ({ seq, ref, salt, bytes }) =>
      [String(seq).padStart(6, '0'), ref, toHex(salt), toHex(bytes)].join(' '),
    ),
    memories: sorted(rows.memories.values(), canonicalize),
    actorKeys: sorted(rows.actorKeys.values(), canonicalize),
    tallies: sorted(rows.tallies.values(), canonicalize),
    bursts: sorted(rows.bursts.values(), canonicalize),
    tombstones: sorted(rows.tombstones.values(), canonicalize),
    tip: canonicalize({ seq: head.seq, hash: head.hash, time, tree }),
    stack: canonicalize(rows.stack),
  }
}

const sorted = <Row>(rows: Iterable<Row>, text: (row: Row) => string): readonly string[] =>
  [...rows].map((row) => text(row)).sort()
