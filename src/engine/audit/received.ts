import type { Entry, SealedRow } from '../../domain/entry.ts'
import type { StackId } from '../../domain/ids.ts'
import { bringsWords, isOfOneUnit, receivedIn } from '../../domain/received.ts'
import { countedTier } from '../../fold/effective.ts'
import { foldMerged } from '../../fold/merged-order.ts'
import { bodyTextIn, entryText } from '../../ledger/ledger.ts'
import { leafHash } from '../../ledger/merkle.ts'
import { utf8 } from '../../ledger/sha256.ts'
import type { Reader } from '../../ports/store.ts'
import { stepOf, stepsAbout } from '../read/merged-steps.ts'
import { noteChild } from './authority.ts'
import { noteKept, noteLine } from './claims.ts'
import { isCommittedTo, noteText, policyInForce, readNote, readSealed } from './content.ts'
import { found, type Progress } from './progress.ts'
import type { Read } from './walk.ts'

/** Checks an entry of another replica: bytes, tier, time, and that its memory is here. */
export function receivedProblem({ memories, sha256 }: Progress, local: Entry): string | null {
  const received = receivedIn(local)
  if (received === null) return 'holds no sound entry of another replica'
  const { entry, hash } = received
  if (leafHash(sha256, utf8(entryText(entry))) !== hash) return 'holds an entry of another hash'
  if (entry.commitment !== local.commitment) return 'commits to other words than were said'
  if (entry.time >= local.time) return 'is not dated behind its origin'
  const isTiered = bringsWords(entry)
    ? local.tier !== null && local.tier <= countedTier(entry)
    : local.tier === null
  if (!isTiered) return 'has another tier than its origin allows'
  const memory = memories.get(entry.ref)
  if (memory?.erased) return 'is about an erased memory'
  const isBorn = memory !== undefined || entry.op === 'memory.saved'
  return isBorn ? null : 'is received before the birth of its memory'
}

/** Two entries that were one unit at their origin. */
export function isReceivedUnit(before: Entry, local: Entry): boolean {
  const [a, b] = [receivedIn(before), receivedIn(local)]
  return a !== null && b !== null && isOfOneUnit(a.entry, b.entry)
}

interface At {
  readonly store: Pick<Reader, 'read'>
  readonly stackId: StackId
  readonly seal: SealedRow | undefined
}

/** Checks the words that were received, and folds their memory in the order of origin. */
export async function auditReceived(
  progress: Progress,
  { stored, isSound }: Read,
  { store, stackId, seal }: At,
): Promise<void> {
  const received = receivedIn(stored.entry)
  if (received === null) return // the check of the operation reports the entry
  const { seq } = stored.entry
  const { ref } = received.entry
  if (!isContentRight(progress, { local: stored.entry, told: received.entry, seal })) return
  const policy = policyInForce(progress)
  if (!isSound || !policy) return
  const { sha256 } = progress
  const history = { sha256, read: store.read.bind(store, stackId) as never } // the stack is given
  const steps = progress.memories.has(ref) ? await stepsAbout(history, ref, seq) : []
  const step = stepOf(sha256, stored, seal)
  const after = foldMerged([...steps, step], policy)
  if (after === undefined) return
  progress.memories.set(ref, after)
  noteChild(progress, after)
  if (step.sealed === null) return
  noteLine(progress, after)
  if (after.revisionSeq === seq) noteText(progress, after, step.sealed)
}

interface Words {
  readonly local: Entry
  readonly told: Entry
  readonly seal: SealedRow | undefined
}

/** True where the words are as committed, or were erased. */
function isContentRight(progress: Progress, { local, told, seal }: Words): boolean {
  const { seq, ref, commitment } = local
  const erasedBy = progress.erasures.get(seq)
  if (commitment === null || erasedBy !== undefined) {
    if (seal) found(progress, 'sealed.stray', { seq, ref, detail: 'does not belong there' })
    if (erasedBy !== undefined && ref !== null) {
      progress.notes.push({ code: 'content.erased', seq, ref, by: erasedBy })
      if (bringsWords(told)) progress.hollow.add(ref)
    }
    return true
  }
  if (!seal) {
    found(progress, 'sealed.missing', { seq, ref, detail: 'gone, and no erasure says so' })
    return false
  }
  noteKept(progress, told)
  if (!isCommittedTo(progress, local, seal)) return false
  const detail = unreadable(progress, told, seal)
  if (detail !== null) found(progress, 'sealed.unreadable', { seq, ref, detail })
  return detail === null
}

function unreadable({ sha256 }: Progress, told: Entry, { bytes }: SealedRow): string | null {
  if (!bringsWords(told)) return readNote(bytes) ? null : 'is not what a change seals'
  const sealed = readSealed(bytes)
  if (typeof sealed === 'string') return sealed
  const isHashed = sha256(bodyTextIn(sealed.text)) === sealed.provenance.contentHash
  return isHashed ? null : 'contentHash is not the hash of the body'
}
