import type { SealedRow } from '../domain/entry.ts'
import { ZERO_HASH } from '../domain/ids.ts'
import type { TreeEdge } from '../domain/waist.ts'
import { canonicalize } from '../hash/canonical.ts'
import { commitmentOf } from '../hash/ledger.ts'
import { appendLeaf, leafHash, rootOf } from '../hash/merkle.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { EntryRow } from '../ports/store.ts'
import type { AuditCode, AuditProblem, AuditReport } from './audit-codes.ts'
import type { Reading } from './explain.ts'

const PAGE = 512 // entries read at a time, so that others get their turn in between

interface Chain {
  readonly sha256: Sha256
  readonly problems: AuditProblem[]
  tree: TreeEdge
  last: string
}

/**
 * The ledger alone: every byte hashed, every link, the tree, and every commitment against its
 * content. It opens no entry, so it goes several times faster than a full audit, which also asks
 * what the entries say.
 */
export async function auditChain(reading: Reading, sha256: Sha256): Promise<AuditReport> {
  const { store, stackId } = reading
  const { tip } = await store.read(stackId, { type: 'standing' })
  const chain: Chain = { sha256, problems: [], tree: { size: 0, hashes: [] }, last: ZERO_HASH }
  for (let from = 0; from <= tip.head.seq; from += PAGE) {
    const to = Math.min(from + PAGE - 1, tip.head.seq)
    const rows = await store.read(stackId, { type: 'entries', from, limit: to - from + 1 })
    const sealed = await store.read(stackId, { type: 'sealed', from, to })
    checkPage(chain, { rows, sealed, from, to })
  }
  const { seq, hash } = tip.head
  if (hash !== chain.last) found(chain, 'head.mismatch', seq)
  if (canonicalize(tip.tree) !== canonicalize(chain.tree)) found(chain, 'root.mismatch', seq)
  return {
    ok: chain.problems.length === 0,
    head: { seq, hash, root: rootOf(sha256, chain.tree) },
    entries: chain.tree.size,
    problems: chain.problems,
  }
}

const DETAILS: Partial<Record<AuditCode, string>> = {
  'entry.missing': 'no entry at this position',
  'entry.hash': 'the bytes have another hash than the stored one',
  'entry.chain': 'prevHash is not the hash of the entry before',
  'entry.place': 'names another position',
  'entry.unreadable': 'the bytes are not an entry in canonical form',
  'sealed.missing': 'content is gone, and no erasure says so',
  'sealed.stray': 'no entry commits to it',
  'commitment.mismatch': 'content is not what was committed to',
  'head.mismatch': 'the recorded head is not the last entry',
  'root.mismatch': 'the recorded tree is not that of the entries',
}

const found = ({ problems }: Chain, code: AuditCode, seq: number): void => {
  problems.push({ code, seq, detail: DETAILS[code] ?? code })
}

interface Page {
  readonly rows: readonly EntryRow[]
  readonly sealed: readonly SealedRow[]
  readonly from: number
  readonly to: number
}

/** Rows and sealed rows both come in order, so that they are walked side by side. */
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
  const { sha256 } = chain
  const { seq, bytes } = row
  const hash = leafHash(sha256, bytes)
  chain.tree = appendLeaf(sha256, chain.tree, hash)
  if (hash !== row.hash) found(chain, 'entry.hash', seq)
  const text = asText(bytes)
  const link = text.lastIndexOf(PREV)
  const isLinked = link > 0 && text.startsWith(chain.last, link + PREV.length)
  if (!isLinked || row.prevHash !== chain.last) found(chain, 'entry.chain', seq)
  if (!text.includes(`,"seq":${seq},"stack":`, link)) found(chain, 'entry.place', seq)
  chain.last = hash
  checkCommitment(chain, { seq, text, content })
}

const PREV = ',"prevHash":"'
const COMMITMENT = ',"commitment":'
const HASH_CHARS = 64

function checkCommitment(
  chain: Chain,
  { seq, text, content }: { seq: number; text: string; content: SealedRow | undefined },
): void {
  // Members are sorted: the actor, null or a hash in quotes, is all that stands before it.
  const at = text.startsWith('{"actor":null') ? 13 : 11 + HASH_CHARS
  if (!text.startsWith(COMMITMENT, at)) {
    found(chain, 'entry.unreadable', seq)
    return
  }
  const start = at + COMMITMENT.length
  if (text.startsWith('null', start)) {
    if (content) found(chain, 'sealed.stray', seq)
  } else if (!content) {
    found(chain, 'sealed.missing', seq)
  } else {
    const stated = text.slice(start + 1, start + 1 + HASH_CHARS)
    const actual = commitmentOf(chain.sha256, content.salt, content.bytes)
    if (actual !== stated) found(chain, 'commitment.mismatch', seq)
  }
}

const decoder = new TextDecoder('latin1')

/** One character a byte: quick, and enough to find members whose names are ASCII. */
const asText = (bytes: Uint8Array): string => decoder.decode(bytes)
