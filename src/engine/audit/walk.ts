import { type Entry, isChangeOp, type SealedRow, type StoredEntry } from '../../domain/entry.ts'
import { isKnownOp } from '../../domain/entry-shape.ts'
import { isHash, type StackId, ZERO_HASH } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { UNBORN } from '../../domain/state.ts'
import { foldStack } from '../../fold/fold-memory.ts'
import { contentHash, followChain } from '../../ledger/ledger.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { EntryRow } from '../../ports/store.ts'
import type { Reading } from '../history/why.ts'
import { checkNothingDue } from './authority.ts'
import { auditErased, checkErasures, noteKept, noteTombstones } from './claims.ts'
import type { AuditOptions } from './codes.ts'
import { checkContent, checkNote, checkQuotes, foldEntry } from './content.ts'
import { closeTurning } from './distrust.ts'
import { checkOperation } from './operation.ts'
import { found, type Progress } from './progress.ts'
import { auditReceived } from './received.ts'

const PAGE = 512 // entries in one batch; other work runs between batches

interface Wants {
  readonly texts: boolean
  readonly onProgress?: AuditOptions['onProgress'] | undefined
}

/** Reads and folds the ledger in order, up to its head. */
export async function walkLedger(
  reading: Reading,
  head: number,
  sha256: Sha256,
  wants: Wants = { texts: false },
): Promise<Progress> {
  const progress = await walkUntil(reading, head, sha256, wants)
  checkNothingDue(progress, head)
  closeTurning(progress, null)
  checkErasures(progress)
  await checkQuotes(progress, reading)
  await findStray(progress, reading, head)
  return progress
}

/** Reads and folds the ledger up to any entry, without the checks of its end. */
export async function walkUntil(
  { store, stackId }: Reading,
  last: number,
  sha256: Sha256,
  wants: Wants = { texts: false },
): Promise<Progress> {
  const keys = await store.read(stackId, { type: 'table', name: 'actorKeys' })
  const erasures = await store.read(stackId, { type: 'table', name: 'erasures' })
  const progress: Progress = {
    sha256,
    keys: new Map(keys.filter(({ key }) => isHash(key)).map((key) => [key.actor, key])),
    pseudonyms: new Map(),
    problems: [],
    memories: new Map(),
    texts: wants.texts ? new Map() : null,
    counted: new Map(),
    tombstones: new Map(),
    erasures: new Map(erasures.map(({ seq, entry }) => [seq, entry])),
    said: new Map(),
    shredded: new Map(),
    kept: new Set(),
    hollow: new Set(),
    notes: [],
    policies: new Map(),
    children: null,
    lines: new Map(),
    due: [],
    turning: null,
    quotes: [],
    proposers: new Map(),
    stack: UNBORN,
    tree: { size: 0, hashes: [] },
    last: null,
    told: null,
  }
  for (const { key, since: seq } of keys) {
    const detail = 'what is kept as the key of an actor is none'
    if (!isHash(key)) found(progress, 'actor.mismatch', { seq, detail })
  }
  for (let from = 0; from <= last; from += PAGE) {
    const to = Math.min(from + PAGE - 1, last)
    const rows = await store.read(stackId, { type: 'entries', from, limit: to - from + 1 })
    const sealed = await store.read(stackId, { type: 'table', name: 'sealed', from, to })
    await auditPage(progress, { rows, sealed, from, to, stackId, store })
    wants.onProgress?.({ done: to + 1, total: last + 1, mark: null })
  }
  return progress
}

interface Page {
  readonly rows: readonly EntryRow[]
  readonly sealed: readonly SealedRow[]
  readonly from: number
  readonly to: number
  readonly stackId: StackId
  readonly store: Reading['store']
}

async function auditPage(progress: Progress, page: Page): Promise<void> {
  const { rows, sealed, from, to, stackId } = page
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  const sealedBySeq = new Map(sealed.map((row) => [row.seq, row]))
  for (let seq = from; seq <= to; seq += 1) {
    const row = bySeq.get(seq)
    const seal = sealedBySeq.get(seq)
    if (!row) {
      found(progress, 'entry.missing', { seq, detail: 'no entry at this position' })
      continue
    }
    const read = auditEntry(progress, row, stackId)
    if (read?.stored.entry.op === 'memory.received')
      await auditReceived(progress, read, { ...page, seal })
    else if (read) auditContent(progress, read, seal)
    else if (seal) found(progress, 'sealed.stray', { seq, detail: 'its entry cannot be read' })
  }
}

/** A parsed entry; only a sound entry is folded. */
export interface Read {
  readonly stored: StoredEntry
  readonly isSound: boolean
}

/** Checks the entry by itself: bytes, hash, and place in the chain. */
function auditEntry(progress: Progress, row: EntryRow, stackId: string): Read | null {
  const { seq } = row
  const { last, tree } = progress
  const step = followChain(progress.sha256, { last: last?.hash ?? ZERO_HASH, tree }, row)
  progress.tree = step.end.tree
  if (step.entry === null) {
    found(progress, 'entry.unreadable', { seq, detail: 'is no entry in canonical form' })
    return null
  }
  // An entry with a wrong number is checked at its real position.
  const entry = step.isPlaced ? step.entry : { ...step.entry, seq }
  const { hash } = step
  const at = { seq, ref: entry.ref }
  if (hash !== row.hash) {
    found(progress, 'entry.hash', {
      ...at,
      detail: 'the bytes have another hash than the stored one',
    })
  }
  if (!step.isLinked || row.prevHash !== entry.prevHash) {
    found(progress, 'entry.chain', {
      ...at,
      detail: 'prevHash is not the hash of the entry before',
    })
  }
  const begins = entry.op === 'genesis' || entry.op === 'replica.started'
  const replica = begins ? entry.decision.facts.replica : progress.stack.replica
  if (!step.isPlaced || entry.stack !== stackId || entry.replica !== replica) {
    found(progress, 'entry.place', { ...at, detail: 'names another position, stack or replica' })
  }
  const isCorrected = entry.op === 'clock.corrected' // a correction records the time before, and is checked below
  if (progress.last && entry.time < progress.last.entry.time && !isCorrected) {
    found(progress, 'entry.time', { ...at, detail: 'is dated before the entry before it' })
  }
  if (entry.policy !== progress.stack.policyHash) {
    found(progress, 'entry.policy', { ...at, detail: 'names a policy that was not in force' })
  }
  const isSound = checkOperation(progress, entry)
  if (isKnownOp(entry.op)) progress.stack = foldStack(progress.stack, entry)
  const { op, decision, ref } = entry
  noteTombstones(progress, entry)
  if (COUNTED.has(op)) progress.counted.set(seq, { rule: decision.rule, ref })
  const stored = { entry, bytes: row.bytes, hash }
  progress.last = stored
  if (op !== 'claim.superseded') progress.told = stored
  return { stored, isSound }
}

const COUNTED: ReadonlySet<Entry['op']> = new Set([
  'memory.saved',
  'memory.refused',
  'memory.collapsed',
  'memory.attested',
  'memory.proposed',
])

/** No entry or content may lie behind the head. */
async function findStray(progress: Progress, reading: Reading, head: number): Promise<void> {
  const { store, stackId } = reading
  const from = head + 1
  const entries = await store.read(stackId, { type: 'entries', from, limit: 1 })
  for (const { seq } of entries) {
    found(progress, 'entry.stray', { seq, detail: 'lies behind the head' })
  }
  const sealed = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from,
    to: Number.MAX_SAFE_INTEGER,
  })
  for (const { seq, ref } of sealed) {
    found(progress, 'sealed.stray', { seq, ref, detail: 'lies behind the head' })
  }
}

function auditContent(
  progress: Progress,
  { stored, isSound }: Read,
  seal: SealedRow | undefined,
): void {
  const { entry } = stored
  const { seq, ref } = entry
  if (entry.op === 'policy') notePolicy(progress, entry)
  if (entry.commitment === null) {
    if (seal) found(progress, 'sealed.stray', { seq, ref, detail: 'no entry commits to it' })
    if (isSound) foldEntry(progress, stored, null)
    return
  }
  const erasedBy = progress.erasures.get(seq)
  if (erasedBy !== undefined) {
    auditErased(progress, stored, { seal, erasedBy, isSound })
    return
  }
  if (!seal) {
    found(progress, 'sealed.missing', { seq, ref, detail: 'gone, and no erasure says so' })
    return
  }
  noteKept(progress, entry)
  if (isKnownOp(entry.op) && (isChangeOp(entry.op) || entry.op === 'memory.collapsed')) {
    const note = checkNote(progress, stored, seal)
    if (note && isSound) foldEntry(progress, stored, null, note)
    return
  }
  const sealed = checkContent(progress, stored, seal)
  if (sealed && isSound) foldEntry(progress, stored, sealed)
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
  progress.policies.set(actual, policy as unknown as Policy) // a policy entry holds the whole policy
}
