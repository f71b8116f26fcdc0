import type { Entry, SealedRow } from '../../domain/entry.ts'
import type { Tip } from '../../domain/waist.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { erases } from '../../ledger/erasure.ts'
import {
  CHAIN_START,
  type ChainEnd,
  commitmentOf,
  entryIn,
  SALT_BYTES,
} from '../../ledger/ledger.ts'
import { appendLeaf, appendLeaves, leafHash, rootOf } from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import { originOf } from '../../ledger/signed-note.ts'
import type { EntryRow, Erasure } from '../../ports/store.ts'
import type { Reading } from '../history/why.ts'
import type {
  AuditCode,
  AuditMark,
  AuditNote,
  AuditOptions,
  AuditProblem,
  AuditReport,
} from './codes.ts'
import { RunChecker } from './ledger-run.ts'

const PAGE = 256 // entries in one batch; other work runs between batches

interface Chain {
  readonly sha256: Sha256
  readonly runs: RunChecker
  readonly problems: AuditProblem[]
  readonly erasures: ReadonlyMap<number, number>
  readonly gone: Erasure[]
  end: ChainEnd
}

/**
 * Audits the ledger alone: every byte hashed, every link, the tree, and every commitment against
 * its content. Entries stay unparsed, so the chain audit runs several times faster than a full
 * audit.
 */
export async function auditChain(
  reading: Reading,
  sha256: Sha256,
  { since = 0, to: last, onProgress }: AuditOptions = {},
): Promise<AuditReport> {
  const { store, stackId } = reading
  const { tip, stack } = await store.read(stackId, { type: 'standing' })
  const head = tip.head.seq
  const erasures = await store.read(stackId, { type: 'table', name: 'erasures' })
  const chain: Chain = {
    sha256,
    runs: new RunChecker(sha256),
    problems: [],
    erasures: new Map(erasures.map(({ seq, entry }) => [seq, entry])),
    gone: [],
    end: CHAIN_START,
  }
  const start = Math.min(typeof since === 'number' ? since : since.size, head + 1)
  const end = Math.max(Math.min(last ?? head, head), start - 1)
  await takeOver(chain, reading, start)
  if (typeof since !== 'number') {
    const { origin } = since
    const own = stack.uid === null ? null : originOf(stack.uid, stackId)
    // A mark of another log says nothing about this log.
    if (origin !== undefined && origin !== own) found(chain, 'head.foreign', Math.max(head, 0))
    else checkMark(chain, since, head)
  } else if (since > head + 1) {
    found(chain, 'head.rollback', Math.max(head, 0), `entries before ${since} are not there`)
  }
  const before = chain.end.tree.size
  for (let from = start; from <= end; from += PAGE) {
    const to = Math.min(from + PAGE - 1, end)
    await checkRange(chain, reading, { from, to })
    onProgress?.({ done: to + 1, total: end + 1, mark: markOf(chain) })
  }
  const notes = await erasedIn(chain, reading)
  await findUnerased(chain, reading, { from: start, to: end })
  if (end === head) await compareHead(chain, reading, tip)
  return {
    ok: chain.problems.length === 0,
    head: { seq: head, hash: tip.head.hash, root: rootOf(sha256, tip.tree) },
    entries: chain.end.tree.size - before,
    mark: markOf(chain),
    problems: chain.problems.sort((a, b) => a.seq - b.seq),
    notes,
  }
}

/** An unsound chain gives no mark. */
const markOf = ({ sha256, end: { tree }, problems }: Chain): AuditMark | null =>
  problems.length > 0 ? null : { size: tree.size, root: rootOf(sha256, tree) }

/** The entries up to the mark must be unchanged (LEDGER-DETECT). */
function checkMark(chain: Chain, { size, root }: AuditMark, head: number): void {
  if (size > head + 1) {
    found(chain, 'head.rollback', head, `the log was ${size} entries long`)
  } else if (rootOf(chain.sha256, chain.end.tree) !== root) {
    found(chain, 'head.rewritten', Math.max(size - 1, 0), 'entries before the mark were rewritten')
  }
}

async function compareHead(chain: Chain, { store, stackId }: Reading, tip: Tip): Promise<void> {
  const { seq, hash } = tip.head
  const from = seq + 1
  const [entry] = await store.read(stackId, { type: 'entries', from, limit: 1 })
  if (entry) found(chain, 'entry.stray', entry.seq)
  const behind = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from,
    to: Number.MAX_SAFE_INTEGER,
  })
  for (const { seq } of behind) found(chain, 'sealed.stray', seq, 'lies behind the head')
  if (hash !== chain.end.last) found(chain, 'head.mismatch', seq)
  if (canonicalize(tip.tree) !== canonicalize(chain.end.tree)) found(chain, 'root.mismatch', seq)
}

/** Erased content must be absent. */
async function findUnerased(
  chain: Chain,
  { store, stackId }: Reading,
  range: Range,
): Promise<void> {
  for (const seq of chain.erasures.keys()) {
    if (seq < range.from || seq > range.to) continue
    const [content] = await store.read(stackId, {
      type: 'table',
      name: 'sealed',
      from: seq,
      to: seq,
    })
    if (content) found(chain, 'sealed.stray', seq, 'is said to be erased and is still there')
  }
}

/**
 * Rebuilds the tree and the last link up to an entry from stored hashes. The last entry is hashed
 * again, because the next entry links to its hash.
 */
async function takeOver(chain: Chain, { store, stackId }: Reading, end: number): Promise<void> {
  for (let from = 0; from < end; from += PAGE) {
    const limit = Math.min(PAGE, end - from)
    const rows = await store.read(stackId, { type: 'entries', from, limit })
    const gap = rows.findIndex(({ seq }, index) => seq !== from + index)
    const there = gap < 0 ? rows.length : gap
    if (there < limit) found(chain, 'entry.missing', from + there)
    const hashes = rows.map(({ hash }) => hash)
    const tree = appendLeaves(chain.sha256, chain.end.tree, hashes)
    chain.end = { ...chain.end, tree }
    const row = rows.at(-1)
    if (from + limit < end || row === undefined) continue
    const last = leafHash(chain.sha256, row.bytes)
    chain.end = { last, tree }
    if (row.hash !== last) found(chain, 'entry.hash', row.seq)
  }
}

/** Content may be missing only where a later entry erased its memory or its actor. */
async function erasedIn(chain: Chain, { store, stackId }: Reading): Promise<readonly AuditNote[]> {
  const notes: AuditNote[] = []
  const at = async (seq: number): Promise<Entry | null> => {
    const [row] = await store.read(stackId, { type: 'entries', from: seq, limit: 1 })
    return row?.seq === seq ? entryIn(row.bytes) : null
  }
  for (const { seq, entry: by } of chain.gone) {
    const [entry, erasure] = [await at(seq), await at(by)]
    const isErased = entry !== null && erasure !== null && erases(erasure, entry)
    if (isErased && entry.ref) notes.push({ code: 'content.erased', seq, ref: entry.ref, by })
    else found(chain, 'sealed.missing', seq)
  }
  return notes
}

const DETAILS: Partial<Record<AuditCode, string>> = {
  'entry.missing': 'no entry at this position',
  'entry.stray': 'lies behind the head',
  'entry.hash': 'the bytes have another hash than the stored one',
  'entry.chain': 'prevHash is not the hash of the entry before',
  'entry.place': 'names another position',
  'entry.unreadable': 'the bytes are not an entry in canonical form',
  'sealed.missing': 'content is gone, and no erasure says so',
  'sealed.stray': 'no entry commits to it',
  'commitment.mismatch': 'content is not what was committed to',
  'head.foreign': 'the head it should begin at is of another log',
  'head.mismatch': 'the recorded head is not the last entry',
  'root.mismatch': 'the recorded tree is not that of the entries',
}

const found = (
  { problems }: Chain,
  code: AuditCode,
  seq: number,
  detail = DETAILS[code] ?? code,
): void => {
  problems.push({ code, seq, detail })
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Checks a whole range at once, and row by row only after a failure, to find the bad row. */
async function checkRange(chain: Chain, { store, stackId }: Reading, range: Range): Promise<void> {
  const { from, to } = range
  const run = await store.read(stackId, { type: 'run', from, to })
  const leaves = chain.runs.leavesOf(run, { from, to, prevHash: chain.end.last })
  if (leaves !== null) {
    const tree = appendLeaves(chain.sha256, chain.end.tree, leaves)
    chain.end = { last: leaves.at(-1) ?? chain.end.last, tree }
    return
  }
  const rows = await store.read(stackId, { type: 'entries', from, limit: to - from + 1 })
  const sealed = await store.read(stackId, { type: 'table', name: 'sealed', from, to })
  checkPage(chain, { rows, sealed, from, to })
}

interface Page extends Range {
  readonly rows: readonly EntryRow[]
  readonly sealed: readonly SealedRow[]
}

/** Rows and sealed rows come in the same order and are walked in parallel. */
function checkPage(chain: Chain, { rows, sealed, from, to }: Page): void {
  let row = 0
  let seal = 0
  for (let seq = from; seq <= to; seq += 1) {
    const entry = rows[row]
    const content = sealed[seal]?.seq === seq ? sealed[seal] : undefined
    if (content) seal += 1
    if (entry?.seq !== seq) {
      found(chain, 'entry.missing', seq)
      continue
    }
    row += 1
    checkEntry(chain, entry, content)
  }
}

function checkEntry(chain: Chain, row: EntryRow, content: SealedRow | undefined): void {
  const { seq, bytes } = row
  const { last, tree } = chain.end
  const hash = leafHash(chain.sha256, bytes)
  const { isPlaced, isLinked, commitment } = chain.runs.linkOf(bytes, seq, last)
  if (hash !== row.hash) found(chain, 'entry.hash', seq)
  if (!isPlaced) found(chain, 'entry.place', seq)
  if (!isLinked || row.prevHash !== last) found(chain, 'entry.chain', seq)
  if (commitment === undefined) found(chain, 'entry.unreadable', seq)
  else checkCommitment(chain, { seq, commitment }, content)
  chain.end = { last: hash, tree: appendLeaf(chain.sha256, tree, hash) }
}

function checkCommitment(
  chain: Chain,
  { seq, commitment }: { readonly seq: number; readonly commitment: string | null },
  content: SealedRow | undefined,
): void {
  if (commitment === null) {
    if (content) found(chain, 'sealed.stray', seq)
  } else if (!content) {
    const entry = chain.erasures.get(seq)
    if (entry === undefined) found(chain, 'sealed.missing', seq)
    else chain.gone.push({ seq, entry })
  } else {
    const actual = commitmentOf(chain.sha256, content.salt, content.bytes)
    const isSalted = content.salt.length === SALT_BYTES
    if (!isSalted || actual !== commitment) found(chain, 'commitment.mismatch', seq)
  }
}
