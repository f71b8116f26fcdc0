import type { Entry, SealedNote } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { isKeptDraft } from '../gate/kept-draft.ts'
import { contentHash } from '../hash/ledger.ts'
import { found, type Progress } from './audit-progress.ts'

/** A word against a rewording that was folded away: what it lets in stands right behind it. */
export interface Overruling {
  readonly seq: number
  readonly of: number
  readonly into: Ref
}

/** What is told by it comes in next, with what was captured for it and nothing in between. */
export function noteOverruled(progress: Progress, { seq, op, decision: { facts } }: Entry): void {
  if (op !== 'echo.overruled' || typeof facts.of !== 'number') return
  progress.overruling = { seq, of: facts.of, into: facts.into as Ref } // compared with what comes
  progress.letIn.set(seq, facts.of)
}

/** Whether an entry may stand here: nothing is let in unasked, nor left out that was asked for. */
export function letInProblem(progress: Progress, entry: Entry): string | null {
  const { op, ref, decision } = entry
  const { overruled, depth } = decision.facts
  const open = progress.overruling
  if (open === null) return overruled === undefined ? null : 'is let in on nobody’s word'
  if (op === 'memory.saved' && ref !== open.into && depth === undefined) return null // a capture
  progress.overruling = null
  const isIt =
    op === 'memory.saved' && ref === open.into && overruled === open.seq && entry.unit === open.seq
  return isIt ? null : `stands where ${open.into} should, which entry ${open.seq} lets in`
}

/** A ledger does not end before what was let in is there. */
export function checkLetIn(progress: Progress, head: number): void {
  const open = progress.overruling
  if (open === null) return
  const detail = `${open.into} is missing: the entry ${open.seq} lets it in`
  found(progress, 'entry.operation', { seq: head, ref: open.into, detail })
}

/** What was folded away is remembered until the end: somebody may let it in. */
export function noteFolded({ folded }: Progress, { seq, op }: Entry, note: SealedNote): void {
  if (op === 'memory.collapsed' && note.fields !== null) folded.set(seq, note.fields)
}

/** What was let in is the draft that was folded away, and no other; null where it is, or was erased. */
export function keptProblem(
  { letIn, folded, sha256 }: Progress,
  { ref, decision: { facts } }: Entry,
  provenance: Provenance,
): string | null {
  const of = typeof facts.overruled === 'number' ? letIn.get(facts.overruled) : undefined
  const kept = of === undefined ? undefined : folded.get(of)
  if (kept === undefined) return null
  if (!isKeptDraft(kept)) return 'lets in what was not kept whole'
  const { kind, id, body, origin, confidence, tier } = kept
  const isSame =
    ref === `${kind}:${id}` &&
    contentHash(sha256, body) === provenance.contentHash &&
    origin.sourceId === provenance.sourceId &&
    labelName(origin.label) === labelName(provenance.label) &&
    provenance.confidence <= confidence &&
    provenance.trustTier <= tier
  return isSame ? null : 'lets in something else than what was folded away'
}
