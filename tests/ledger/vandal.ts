// Hands that reach past the program into its rows. Rows are replaced, never changed in place, so
// that the history they were taken from stays whole.

import { openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import type { History } from './history.ts'
import { canonical, isObject, type Json } from './naive-canonical.ts'
import { fullSubtreesOf, hashOfEntry } from './naive-hash.ts'
import { isFaulty, type Ledger, verifyLedger } from './naive-verifier.ts'

export type Rows = ReturnType<MemoryStore['rows']>
export type EntryRow = Rows['entries'][number]
type Hash = EntryRow['hash']

/** The members of an entry, free to be changed into anything. */
export type Members = { [member: string]: Json }

export type Copy = { store: MemoryStore; rows: Rows }

export function copyOf({ store, stack }: History): Copy {
  const rows = store.rows(stack.stackId)
  const copy = new MemoryStore()
  Object.assign(copy.rows(stack.stackId), {
    ...rows,
    entries: [...rows.entries],
    sealed: new Map(rows.sealed),
    actorKeys: new Map(rows.actorKeys),
  })
  return { store: copy, rows: copy.rows(stack.stackId) }
}

export function ledgerOf(rows: Rows): Ledger {
  return {
    entries: rows.entries,
    sealed: [...rows.sealed.values()],
    actorKeys: [...rows.actorKeys.values()],
    head: rows.tip.head,
    tree: rows.tip.tree,
  }
}

export const naiveProblems = ({ rows }: Copy): string[] => verifyLedger(ledgerOf(rows))
export const isNoticed = ({ rows }: Copy): boolean => isFaulty(ledgerOf(rows))

export type Outcome = 'ok' | 'problems' | 'threw'

export async function auditOutcome({ store }: Copy): Promise<Outcome> {
  const stack = await openStack('demo', { store })
  const report = await stack.ledger.audit().catch(() => 'threw' as const)
  if (report === 'threw') return report
  if (report.ok !== (report.problems.length === 0))
    throw new Error('ok means that nothing was found')
  return report.ok ? 'ok' : 'problems'
}

export function rowAt(rows: Rows, position: number): EntryRow {
  const row = rows.entries[position]
  if (row === undefined) throw new Error(`there is no entry ${position}`)
  return row
}

export function sealedAt(rows: Rows, seq: number) {
  const row = rows.sealed.get(seq)
  if (row === undefined) throw new Error(`nothing is sealed at ${seq}`)
  return row
}

export const membersOf = (row: EntryRow): Members =>
  JSON.parse(Buffer.from(row.bytes).toString('utf8')) as Members // entries are objects

export const flipped = (bytes: Uint8Array, place: number): Uint8Array =>
  bytes.map((byte, index) => (index === place ? byte ^ 1 : byte))

/** New bytes under their true hash; the entries after it still name the old one. */
export function withBytes(row: EntryRow, bytes: Uint8Array): EntryRow {
  return { ...row, bytes, hash: hashOfEntry(bytes) as Hash } // 64 hex digits
}

export function withMembers(row: EntryRow, members: Members): EntryRow {
  const bytes = Uint8Array.from(Buffer.from(canonical(members)))
  const prevHash = String(members.prevHash) as Hash // what a careful vandal keeps beside it
  return { ...withBytes(row, bytes), prevHash }
}

/** Makes chain, head, tree and rows fit again: what someone can do who rewrites everything. */
export function rechain(rows: Rows, from: number): void {
  for (let position = from; position < rows.entries.length; position += 1) {
    const row = rowAt(rows, position)
    const prevHash = rows.entries[position - 1]?.hash ?? '0'.repeat(64)
    rows.entries[position] = withMembers(row, afterHash(membersOf(row), prevHash))
  }
  const hashes = rows.entries.map(({ hash }) => hash)
  const seq = hashes.length - 1
  rows.tip = {
    ...rows.tip,
    head: { ...rows.tip.head, seq, hash: rowAt(rows, seq).hash },
    tree: { size: hashes.length, hashes: fullSubtreesOf(hashes) as Hash[] }, // hashes of hashes
  }
  rows.memories = new Map(
    [...rows.memories].map(([ref, memory]) => {
      const entryHash = hashes[memory.revisionSeq] ?? memory.entryHash
      return [ref, { ...memory, entryHash }]
    }),
  )
}

/** An entry also names the hash before it in its facts where a replica starts. */
function afterHash(members: Members, prevHash: string): Members {
  const { decision } = members
  if (members.op !== 'replica.started' || !isObject(decision) || !isObject(decision.facts)) {
    return { ...members, prevHash }
  }
  const head = { hash: prevHash, seq: Number(members.seq) - 1 }
  return { ...members, prevHash, decision: { ...decision, facts: { ...decision.facts, head } } }
}
