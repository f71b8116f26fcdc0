// A slow and obvious verifier, written from docs/ledger-format.md and nothing else: it imports no
// line of what it checks. Where the production audit and this file differ, one of them, or the
// document, is wrong.

import { problemsAfterCapture, problemsOfBirth } from './naive-birth.ts'
import { readCanonical } from './naive-canonical.ts'
import { problemsOfSuccession } from './naive-claims.ts'
import { problemsOfOrigin, type Standing } from './naive-distrust.ts'
import { type Entry, problemsOfMembers } from './naive-entry.ts'
import { type Erased, erasedIn, isGone, nextDue } from './naive-erased.ts'
import { type Due, isWhatWasDue } from './naive-follows.ts'
import { fullSubtreesOf, hashOfEntry, rootOf, rootOfSubtrees } from './naive-hash.ts'
import type { Memory, Policy } from './naive-memory.ts'
import { isChange, keepsWords, problemsOfOperation, sealsContent } from './naive-operations.ts'
import {
  type ActorKey,
  problemsOfActorKeys,
  problemsOfSealed,
  type SealedRow,
} from './naive-sealed.ts'
import { fold, problemsOfTold } from './naive-told.ts'
import { problemsOfNote } from './naive-wishes.ts'

export type EntryRow = { seq: number; bytes: Uint8Array; hash: string; prevHash: string }

export type Ledger = {
  entries: readonly EntryRow[]
  sealed: readonly SealedRow[]
  actorKeys: readonly ActorKey[]
  head: { seq: number; hash: string }
  tree: { size: number; hashes: readonly string[] }
}

/** What the entries so far have established. */
export type Past = {
  entries: (Entry | undefined)[]
  replica: string | null
  time: string
  policy: string | null
  state: string
  enforced: boolean
  policies: Map<string, Policy>
  memories: Map<string, Memory>
  /** What must come next, because of what came. */
  due: Due[]
  /** Origins that are not believed. */
  distrusted: readonly Standing[]
  /** What is erased anywhere in the ledger. */
  erased: Erased
  births: Map<string, number>
  revisions: Map<string, number>
}

export const verifyLedger = (ledger: Ledger): string[] => [...problemsIn(ledger)]

/** Whether anything is wrong at all: what stands behind the first problem is not looked at. */
export function isFaulty(ledger: Ledger): boolean {
  for (const _ of problemsIn(ledger)) return true
  return false
}

function* problemsIn(ledger: Ledger): Iterable<string> {
  const past: Past = {
    entries: [],
    replica: null,
    time: '',
    policy: null,
    state: 'INITIALIZING',
    enforced: true,
    policies: new Map(),
    memories: new Map(),
    due: [],
    distrusted: [],
    erased: erasedIn(ledger.entries),
    births: new Map(),
    revisions: new Map(),
  }
  for (const [position, row] of ledger.entries.entries()) {
    const found = problemsOfRow(ledger, row, position)
    const value = readCanonical(row.bytes)
    const shape = value === undefined ? ['is not canonical JSON'] : problemsOfMembers(value)
    found.push(...shape)
    // The members were just checked one by one, so the value is an entry.
    const entry = shape.length === 0 ? (value as unknown as Entry) : undefined
    if (entry !== undefined) {
      const due = nextDue(past.due, entry, past.erased)
      if (due !== undefined && !isWhatWasDue(due, entry)) {
        found.push(`stands where ${due.op} of ${due.ref} should follow`)
        past.due = []
      }
      found.push(...problemsOfEntry(ledger, past, entry, position))
      const isDue = due !== undefined && isWhatWasDue(due, entry)
      found.push(...problemsOfTold({ ledger, past }, entry, isDue))
      if (sealsContent(entry)) found.push(...problemsOfBirth({ ledger, past }, entry))
      found.push(...problemsAfterCapture({ past }, entry))
      remember(past, entry)
      fold({ ledger, past }, entry, { isDue, isSound: found.length === 0 })
    }
    past.entries.push(entry)
    yield* found.map((problem) => `entry ${position} ${problem}`)
  }
  yield* problemsAfterCapture({ past }, undefined).map((problem) => `the end ${problem}`)
  yield* past.due
    .filter(({ ref }) => !past.erased.has(ref))
    .map(({ op, ref }) => `the ledger ends before ${op} of ${ref}`)
  yield* problemsOfSealedRows(ledger, past)
  yield* problemsOfActorKeys(ledger.actorKeys)
  yield* problemsOfHead(ledger)
}

function problemsOfRow(ledger: Ledger, row: EntryRow, position: number): string[] {
  const problems: string[] = []
  const before = ledger.entries[position - 1]
  const expected = before === undefined ? '0'.repeat(64) : hashOfEntry(before.bytes)
  if (row.seq !== position) problems.push('is kept under another seq than its position')
  if (row.hash !== hashOfEntry(row.bytes)) problems.push('is kept beside another hash than its own')
  if (row.prevHash !== expected)
    problems.push('is kept beside another prevHash than the one before')
  return problems
}

function problemsOfEntry(ledger: Ledger, past: Past, entry: Entry, position: number): string[] {
  return [
    ...problemsOfOperation(entry),
    ...problemsOfSuccession(entry, past),
    ...problemsOfChain(ledger, past, entry, position),
    ...problemsOfUnit(past, entry),
    ...problemsOfStanding(past, entry),
    ...problemsOfLife(past, entry),
    ...(entry.op.startsWith('origin.') ? problemsOfOrigin(entry, past.distrusted) : []),
    ...problemsOfParents(past, entry),
    ...problemsOfContent(ledger, past, entry),
  ]
}

function problemsOfChain(ledger: Ledger, past: Past, entry: Entry, position: number): string[] {
  const problems: string[] = []
  const before = ledger.entries[position - 1]
  const genesis = past.entries[0] ?? entry
  const replica = entry.op === 'replica.started' ? entry.decision.facts.from : entry.replica
  const prevHash = before === undefined ? '0'.repeat(64) : hashOfEntry(before.bytes)
  if (entry.seq !== position) problems.push('says another seq than its position')
  if (entry.prevHash !== prevHash) problems.push('does not carry the hash of the entry before')
  if (entry.stack !== genesis.stack) problems.push('is of another stack than genesis')
  if (replica !== (past.replica ?? replica)) problems.push('is of another replica than the last')
  problems.push(...problemsOfTime(past, entry))
  return problems
}

const NINE_YEARS_MS = 3_288 * 24 * 60 * 60 * 1_000

/** Time falls at a clock correction alone, which names the time before and really moves the clock. */
function problemsOfTime(past: Past, entry: Entry): string[] {
  const falls = entry.time < past.time
  if (entry.op !== 'clock.corrected') return falls ? ['is earlier than the entry before'] : []
  const leap = Date.parse(entry.time) - Date.parse(past.time)
  if (!falls && leap <= NINE_YEARS_MS) return ['corrects a clock that was right']
  return entry.decision.facts.from === past.time
    ? []
    : ['corrects from another time than it follows']
}

const ERASES = ['memory.erased', 'actor.erased']

/** A draft's captures and what they were made for; what a change or an admission brought about. */
function problemsOfUnit(past: Past, entry: Entry): string[] {
  if (entry.unit === entry.seq) return []
  const first = past.entries[entry.unit]
  const before = past.entries[entry.seq - 1]
  if (entry.unit > entry.seq) return ['is of a unit that begins later']
  if (first?.unit !== entry.unit) return ['is of a unit that does not begin so']
  if (before?.unit !== entry.unit) return ['is of a unit that had ended']
  if (entry.op === 'quarantine.released') {
    return before.op === entry.op ? [] : ['is of one unit with what releases nothing']
  }
  if (ERASES.includes(entry.op)) {
    return ERASES.includes(before.op) ? [] : ['is of one unit with an entry that erases nothing']
  }
  if (isChange(entry)) return entry.decision.rule === null ? [] : ['was asked for in another unit']
  if (before.op === 'echo.overruled' && entry.op === 'memory.saved') return []
  if (before.op !== 'memory.saved' || !['memory.saved', 'memory.revised'].includes(entry.op)) {
    return ['is of one unit with an entry of no draft']
  }
  return []
}

/** The policy, the state and the enforcement that hold when the entry is written. */
function problemsOfStanding(past: Past, entry: Entry): string[] {
  const problems: string[] = []
  const { facts } = entry.decision
  if (entry.policy !== past.policy) problems.push('names another policy than the one in force')
  if (entry.op === 'state' && facts.from !== past.state) {
    problems.push('leaves a state that was not the current one')
  }
  if (facts.relaxed !== undefined && past.enforced) {
    problems.push('is relaxed while enforcement is on')
  }
  return problems
}

function problemsOfLife(past: Past, entry: Entry): string[] {
  const problems: string[] = []
  const last = entry.ref === null ? undefined : past.revisions.get(entry.ref)
  const isBirth = entry.op === 'memory.saved' || entry.op === 'memory.refused'
  if (sealsContent(entry)) {
    if (isBirth && last !== undefined) problems.push('is a birth of what was born before')
    if (isBirth && entry.revision !== 1) problems.push('is a birth whose revision is not 1')
    if (!isBirth && last === undefined) problems.push('revises what was never born')
    if (!isBirth && entry.revision !== (last ?? 0) + 1) problems.push('skips or repeats a revision')
  } else if (entry.ref !== null && last === undefined) {
    problems.push('is about a memory that was never born')
  }
  return problems
}

function problemsOfParents(past: Past, entry: Entry): string[] {
  return entry.parents.flatMap((parent) => {
    const born = past.births.get(parent.ref)
    if (parent.seq === null) {
      if (past.enforced) return [`has no seq for ${parent.ref} while enforcement is on`]
      return born === undefined ? [] : [`has no seq for ${parent.ref}, which is there`]
    }
    return born === parent.seq ? [] : [`has a parent ${parent.ref} that was not born there`]
  })
}

function problemsOfContent(ledger: Ledger, past: Past, entry: Entry): string[] {
  if (entry.commitment === null) return []
  const rows = ledger.sealed.filter((row) => row.seq === entry.seq)
  if (isGone(entry, past.erased)) return rows.length === 0 ? [] : ['keeps what was erased']
  if (isChange(entry)) return []
  if (keepsWords(entry)) return problemsOfNote(entry, rows[0])
  const [row] = rows
  if (row === undefined) return ['has lost its sealed row']
  const problems = problemsOfSealed(entry, row, ledger.actorKeys)
  return rows.length === 1 ? problems : [...problems, 'has more than one sealed row']
}

function remember(past: Past, entry: Entry): void {
  const { facts } = entry.decision
  past.time = entry.time
  past.replica = entry.replica
  if (entry.op === 'policy') {
    past.policy = String(facts.hash)
    past.policies.set(past.policy, facts.policy as unknown as Policy) // plain JSON, used as it is
  }
  if (entry.op === 'state') past.state = String(facts.to)
  if (entry.op === 'enforcement.off') past.enforced = false
  if (entry.op === 'enforcement.on') past.enforced = true
  if (entry.ref === null || entry.revision === null) return
  if (!past.births.has(entry.ref)) past.births.set(entry.ref, entry.seq)
  past.revisions.set(entry.ref, entry.revision)
}

function problemsOfSealedRows(ledger: Ledger, past: Past): string[] {
  return ledger.sealed
    .filter((row) => (past.entries[row.seq]?.commitment ?? null) === null)
    .map((row) => `sealed row ${row.seq} is one that no entry commits to`)
}

function problemsOfHead(ledger: Ledger): string[] {
  const problems: string[] = []
  const leaves = ledger.entries.map((row) => hashOfEntry(row.bytes))
  const last = leaves.length - 1
  if (last < 1) problems.push('the ledger lacks its first two entries')
  if (ledger.head.seq !== last) problems.push('the head is at another seq than the last entry')
  if (ledger.head.hash !== leaves[last]) problems.push('the head is not the hash of the last entry')
  if (ledger.tree.size !== leaves.length) problems.push('the tree is of another size')
  if (rootOfSubtrees(ledger.tree.hashes) !== rootOf(leaves))
    problems.push('the tree has another root')
  if (ledger.tree.hashes.join() !== fullSubtreesOf(leaves).join()) {
    problems.push('the tree keeps other subtrees')
  }
  return problems
}
