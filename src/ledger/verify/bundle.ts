import type { Entry, SealedRow } from '../../domain/entry.ts'
import type { Ref } from '../../domain/ids.ts'
import type { BundleHeader, TextLines } from '../bundle/format.ts'
import { type Bundle, tryReadBundle } from '../bundle/read.ts'
import { erases } from '../erasure.ts'
import { CHAIN_START, commitmentOf, followChain } from '../ledger.ts'
import { rootOf } from '../merkle.ts'
import { type Checkpoint, originOf } from '../signed-note.ts'
import { type Verdict, type VerifyCode, verdictOf } from './codes.ts'
import { hasher, openCheckpoint, sha256, type Trust } from './receipt.ts'

/** The checker's trusted data: a signed head of the same log. */
export interface BundleTrust extends Pick<Trust, 'keys'> {
  readonly checkpoint: string
}

export interface BundleVerdict extends Verdict {
  readonly header: BundleHeader | null
  readonly checkpoint: Checkpoint | null
  /** The first faulty entry, or the first entry with faulty content. */
  readonly seq: number | null
}

/**
 * Checks a whole received stack, with no store, clock or network: every line, every link, the tree
 * against the signed head, and content against the entries' commitments. The audit of a restored
 * stack checks the decisions.
 */
export async function verifyBundle(
  lines: TextLines,
  { keys, checkpoint: note }: BundleTrust,
): Promise<BundleVerdict> {
  const opened = openCheckpoint(note, keys)
  const checkpoint = typeof opened === 'string' ? null : opened
  const codes: VerifyCode[] = typeof opened === 'string' ? [opened] : []
  const bundle = await tryReadBundle(lines, { hasher, stackId: null })
  if (bundle === null) {
    const found: readonly VerifyCode[] = [...codes, 'bundle.malformed']
    return { ...verdictOf(found), header: null, checkpoint, seq: null }
  }
  const { header, isDigestRight } = bundle
  if (!isDigestRight) codes.push('bundle.malformed')
  if (checkpoint) codes.push(...headCodes(header, checkpoint))
  const walked = walk(bundle, checkpoint)
  const all = [...new Set([...codes, ...walked.codes])]
  return { ...verdictOf(all), header, checkpoint, seq: walked.seq }
}

function headCodes(
  { uid, stack, counts }: BundleHeader,
  { origin, size }: Checkpoint,
): readonly VerifyCode[] {
  const codes: VerifyCode[] = []
  if (origin !== originOf(uid, stack)) codes.push('origin.mismatch')
  if (size > counts.entries) codes.push('head.rollback')
  return codes
}

interface Walked {
  readonly codes: readonly VerifyCode[]
  readonly seq: number | null
}

/** Stops at the first entry out of sequence: later entries do not chain to the ledger. */
function walk({ header, entries, sealed }: Bundle, checkpoint: Checkpoint | null): Walked {
  const committed: Entry[] = []
  const erasing: Entry[] = []
  let end = CHAIN_START
  let uid: unknown = null
  for (const [seq, bytes] of entries.entries()) {
    const { entry, isPlaced, isLinked, ...step } = followChain(sha256, end, { seq, bytes })
    const isNext = isPlaced && isLinked && entry?.stack === header.stack
    if (entry === null || !isNext) return { codes: ['leaf.mismatch'], seq }
    end = step.end
    if (end.tree.size === checkpoint?.size && rootOf(sha256, end.tree) !== checkpoint.root) {
      return { codes: ['consistency.fail'], seq }
    }
    if (seq === 0) uid = entry.decision.facts.uid
    if (entry.commitment !== null) committed.push(entry)
    if (entry.op === 'memory.erased' || entry.op === 'actor.erased') erasing.push(entry)
  }
  const isHeaded =
    header.head.hash === end.last && header.root === rootOf(sha256, end.tree) && header.uid === uid
  const { codes, seq } = contentCodes(committed, sealed, erasing)
  return { codes: isHeaded ? codes : ['bundle.malformed', ...codes], seq }
}

function contentCodes(
  committed: readonly Entry[],
  sealed: readonly SealedRow[],
  erasing: readonly Entry[],
): Walked {
  const rows = new Map(sealed.map((row) => [row.seq, row]))
  const byRef = new Map<Ref | null, Entry>(erasing.map((entry) => [entry.ref, entry]))
  const actors = erasing.filter(({ op }) => op === 'actor.erased')
  let isErased = false
  for (const entry of committed) {
    const row = rows.get(entry.seq)
    rows.delete(entry.seq)
    const by = [byRef.get(entry.ref), ...actors].find((each) => each && erases(each, entry))
    if (row === undefined && by === undefined) return { codes: ['content.missing'], seq: entry.seq }
    if (row === undefined) isErased = true
    else if (!isOf(entry, row)) return { codes: ['commitment.mismatch'], seq: entry.seq }
    else if (by?.op === 'memory.erased') return { codes: ['erasure.mismatch'], seq: entry.seq }
  }
  const [stray] = rows.keys()
  if (stray !== undefined) return { codes: ['commitment.mismatch'], seq: stray }
  return { codes: isErased ? ['content.erased'] : [], seq: null }
}

/** The reader accepts only salts of 32 bytes. */
const isOf = ({ commitment, ref }: Entry, row: SealedRow): boolean =>
  row.ref === ref && commitmentOf(sha256, row.salt, row.bytes) === commitment
