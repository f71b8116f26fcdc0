import type { Entry, SealedNote, SealedRow, StoredEntry } from '../../domain/entry.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import { identityParts, lineParts, searchTerms } from '../../domain/kinds/content.ts'
import { labelName } from '../../domain/labels.ts'
import { type Provenance, sourcesIn } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import { foldMemory, type Keys, type Sealed } from '../../fold/fold-memory.ts'
import { bodyTextIn, commitmentOf, contentHash, SALT_BYTES } from '../../ledger/ledger.ts'
import { readJson } from '../../ledger/read-json.ts'
import { pseudonymIn } from './anchors.ts'
import { birthProblem } from './birth.ts'
import { badCertificateMember } from './certificate-shape.ts'
import { noteProblem } from './change.ts'
import { noteLine } from './claims.ts'
import { noteChild } from './due.ts'
import { found, type Progress } from './progress.ts'
import { noteQuote } from './quotes.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Checks the content against the commitment of its entry, and the provenance against both. */
export function checkContent(
  progress: Progress,
  { entry }: StoredEntry,
  seal: SealedRow,
): Sealed | null {
  if (!isCommittedTo(progress, entry, seal)) return null
  const { sha256 } = progress
  const at = { seq: entry.seq, ref: entry.ref }
  const sealed = readSealed(seal.bytes)
  if (typeof sealed === 'string') {
    found(progress, 'sealed.unreadable', { ...at, detail: sealed })
    return null
  }
  const { provenance } = sealed
  if (sha256(bodyTextIn(sealed.text)) !== provenance.contentHash) {
    found(progress, 'content.mismatch', {
      ...at,
      detail: 'contentHash is not the hash of the body',
    })
  }
  const differs = certificateDiffers(progress, entry, provenance)
  if (differs) found(progress, 'certificate.mismatch', { ...at, detail: differs })
  if (!isActor(progress, provenance.sourceId, entry)) {
    found(progress, 'actor.mismatch', { ...at, detail: 'the pseudonym is not that of its actor' })
  }
  checkParents(progress, entry)
  const unlawful = birthProblem(progress, entry, provenance)
  if (unlawful) found(progress, 'entry.operation', { ...at, detail: unlawful })
  else noteQuote(progress, entry, sealed)
  return sealed
}

function isCommittedTo(progress: Progress, entry: Entry, seal: SealedRow): boolean {
  const at = { seq: entry.seq, ref: entry.ref }
  const actual = commitmentOf(progress.sha256, seal.salt, seal.bytes)
  if (seal.salt.length !== SALT_BYTES || actual !== entry.commitment) {
    found(progress, 'commitment.mismatch', {
      ...at,
      detail: 'content is not what was committed to',
    })
    return false
  }
  if (seal.ref !== entry.ref) {
    found(progress, 'sealed.ref', { ...at, detail: 'content is kept under another name' })
  }
  return true
}

/** Reads the sealed note of a change: text, tags and fields, each possibly null. */
export function checkNote(
  progress: Progress,
  { entry }: StoredEntry,
  seal: SealedRow,
): SealedNote | null {
  if (!isCommittedTo(progress, entry, seal)) return null
  const note = readNote(seal.bytes)
  const detail = note ? noteProblem(entry, note) : 'is not what a change seals'
  if (detail === null) return note
  found(progress, 'sealed.unreadable', { seq: entry.seq, ref: entry.ref, detail })
  return null
}

function readNote(bytes: Uint8Array): SealedNote | null {
  try {
    const value: unknown = readJson(decoder.decode(bytes))
    if (typeof value !== 'object' || value === null) return null
    if (Object.keys(value).join() !== 'fields,tags,text') return null
    const { fields, tags, text } = value as SealedNote // checked below
    const isRead =
      typeof fields === 'object' &&
      !Array.isArray(fields) &&
      (tags === null || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'))) &&
      (text === null || typeof text === 'string')
    return isRead ? { fields, tags, text } : null
  } catch {
    return null
  }
}

/** Parses body and provenance; a text describes the failure. */
function readSealed(bytes: Uint8Array): (Sealed & { readonly text: string }) | string {
  try {
    const text = decoder.decode(bytes)
    const value: unknown = readJson(text)
    if (typeof value !== 'object' || value === null) return 'is not an object'
    const [first, second, ...more] = Object.keys(value)
    if (first !== 'body' || second !== 'provenance' || more.length > 0) {
      return 'is not a body and a certificate'
    }
    const sealed = value as Sealed // both members are checked below
    if (typeof sealed.body !== 'object' || sealed.body === null) return 'the body is not an object'
    const bad = badCertificateMember(sealed.provenance)
    if (bad !== null) return `the certificate is not one: ${bad}`
    return { body: sealed.body, provenance: sealed.provenance, text }
  } catch {
    return 'is not JSON'
  }
}

/** Also true without a key for the entry, because the actor is then unknown. */
function isActor(progress: Progress, actor: string, entry: Entry): boolean {
  const key = progress.keys.get(actor)
  if (key === undefined || entry.seq < key.since) return true
  return pseudonymIn(progress, actor, key.key) === entry.actor
}

function certificateDiffers(
  { stack }: Progress,
  { time, label, tier, parents, decision }: Entry,
  of: Provenance,
): string | null {
  const depth = decision.facts.depth as { nearest: unknown; farthest: unknown } | undefined
  const isOfDepth =
    depth === undefined ||
    (depth.nearest === of.depthNearest && depth.farthest === of.depthFarthest)
  const sources = sourcesIn(of)
  const isFrom =
    parents.length === sources.length && parents.every(({ ref }, at) => ref === sources[at])
  const wrong: string[] = []
  if (time !== of.timestamp) wrong.push('timestamp')
  if (label === null || labelName(label) !== labelName(of.label)) wrong.push('label')
  if (stack.policyHash !== of.policyHash) wrong.push('policyHash')
  if (tier !== of.trustTier) wrong.push('trustTier')
  if (!isFrom) wrong.push('derivedFrom')
  if (!isOfDepth) wrong.push('depth')
  return wrong.length > 0 ? `entry and certificate disagree on ${wrong.join(', ')}` : null
}

/** Parents have lower entry numbers, which makes lineage acyclic (LINE-ACYCLIC). */
function checkParents(progress: Progress, { seq, ref, parents }: Entry): void {
  for (const parent of parents) {
    const born = progress.memories.get(parent.ref)?.seq
    if (parent.seq >= seq) {
      found(progress, 'parent.later', { seq, ref, detail: `${parent.ref} is younger` })
    } else if (parent.seq !== born) {
      found(progress, 'parent.missing', { seq, ref, detail: `${parent.ref} was not there` })
    }
  }
}

/** Folds an entry about a memory with the gate's own fold. */
export function foldEntry(
  progress: Progress,
  stored: StoredEntry,
  sealed: Sealed | null,
  note: SealedNote | null = null,
): void {
  const { ref, seq, op, revision } = stored.entry
  if (ref === null) return
  const before = progress.memories.get(ref)
  const policy = policyInForce(progress)
  if (!policy) {
    found(progress, 'entry.policy', { seq, ref, detail: 'no policy was in force' })
  } else if (op === 'memory.saved' && before) {
    found(progress, 'birth.twice', { seq, ref, detail: `born at ${before.seq} already` })
  } else if (op === 'memory.revised' && before?.revision !== (revision ?? 0) - 1) {
    found(progress, 'revision.gap', { seq, ref, detail: 'a revision is missing' })
  } else {
    const keys = sealed && keysOf(progress, ref, sealed)
    if (sealed && !keys) {
      found(progress, 'sealed.unreadable', { seq, ref, detail: 'the body is not of its kind' })
      return
    }
    if (keys && before && (before.identity !== keys.identity) !== isAnew(stored.entry)) {
      found(progress, 'entry.operation', { seq, ref, detail: 'says wrongly that it says anew' })
    }
    const content = sealed && keys && { ...sealed, keys }
    const after = foldMemory(before, stored, { sealed: content, note, policy })
    if (after) progress.memories.set(ref, after)
    if (after && sealed) noteChild(progress, after)
    if (after && sealed) noteLine(progress, after)
    if (after && sealed) noteText(progress, after, sealed)
  }
}

const isAnew = ({ decision: { facts } }: Entry): boolean => facts.anew === true

/** Search terms, collected only for a rebuild of the rows. */
function noteText({ texts }: Progress, state: MemoryState, { body }: Sealed): void {
  if (texts === null) return
  const terms = searchTerms(state.kind, body, state.captured)
  if (terms !== null) texts.set(state.seq, { seq: state.seq, terms })
}

const policyInForce = ({ stack, policies }: Progress) =>
  stack.policyHash === null ? undefined : policies.get(stack.policyHash)

/** Null when the body does not fit its kind: no Muniment wrote the body. */
function keysOf({ sha256 }: Progress, ref: Ref, { body }: Sealed): Keys | null {
  const { kind } = splitRef(ref)
  try {
    const line = lineParts(kind, body)
    return {
      identity: contentHash(sha256, identityParts(kind, body)),
      line: line && contentHash(sha256, line),
    }
  } catch {
    return null
  }
}
