import { foldMemory, type Keys, type Sealed } from '../belief/fold-memory.ts'
import type { Entry, SealedRow, StoredEntry } from '../domain/entry.ts'
import { identityParts, lineParts } from '../domain/identity.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { bodyBytesIn, commitmentOf, contentHash, pseudonymOf } from '../hash/ledger.ts'
import { found, type Progress } from './audit-progress.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The content against the entry that commits to it, and the certificate against both. */
export function checkContent(
  progress: Progress,
  { entry }: StoredEntry,
  seal: SealedRow,
): Sealed | null {
  const { sha256 } = progress
  const at = { seq: entry.seq, ref: entry.ref }
  if (commitmentOf(sha256, seal.salt, seal.bytes) !== entry.commitment) {
    found(progress, 'commitment.mismatch', {
      ...at,
      detail: 'content is not what was committed to',
    })
    return null
  }
  const sealed = JSON.parse(decoder.decode(seal.bytes)) as Sealed // committed to by the gate
  const { provenance } = sealed
  if (sha256(bodyBytesIn(seal.bytes)) !== provenance.contentHash) {
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
  return sealed
}

/** True as well where the key was destroyed: then nobody can tell any more. */
function isActor({ sha256, keys, pseudonyms }: Progress, actor: string, entry: Entry): boolean {
  let name = pseudonyms.get(actor)
  if (name === undefined) {
    const key = keys.get(actor)
    if (key === undefined) return true
    name = pseudonymOf(sha256, key, actor)
    pseudonyms.set(actor, name)
  }
  return name === entry.actor
}

function certificateDiffers(
  { stack }: Progress,
  { time, label, tier, parents, decision }: Entry,
  of: Provenance,
): string | null {
  const depth = decision.facts.depth as { nearest: unknown; farthest: unknown } | undefined
  const agrees = {
    timestamp: time === of.timestamp,
    label: label !== null && labelName(label) === labelName(of.label),
    policyHash: stack.policyHash === of.policyHash,
    trustTier: tier === of.trustTier,
    derivedFrom: parents.map(({ ref }) => ref).join() === of.derivedFrom.join(),
    depth:
      depth === undefined ||
      (depth.nearest === of.depthNearest && depth.farthest === of.depthFarthest),
  }
  const wrong = Object.entries(agrees).flatMap(([name, isSo]) => (isSo ? [] : [name]))
  return wrong.length > 0 ? `entry and certificate disagree on ${wrong.join(', ')}` : null
}

/** Parents are older by position, which is what makes lineage acyclic (LINE-ACYCLIC). */
function checkParents(progress: Progress, { seq, ref, parents, decision }: Entry): void {
  for (const parent of parents) {
    const born = progress.memories.get(parent.ref)?.seq ?? null
    const isRelaxed = 'relaxed' in decision.facts
    if (parent.seq !== null && parent.seq >= seq) {
      found(progress, 'parent.later', { seq, ref, detail: `${parent.ref} is younger` })
    } else if (parent.seq !== born || (born === null && !isRelaxed)) {
      found(progress, 'parent.missing', { seq, ref, detail: `${parent.ref} was not there` })
    }
  }
}

/** Folds an entry about a memory exactly as the gate did when it wrote the row. */
export function foldEntry(progress: Progress, stored: StoredEntry, sealed: Sealed | null): void {
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
    const content = sealed && { ...sealed, keys: keysOf(progress, ref, sealed) }
    const after = foldMemory(before, stored, { sealed: content, policy })
    if (after) progress.memories.set(ref, after)
  }
}

const policyInForce = ({ stack, policies }: Progress) =>
  stack.policyHash === null ? undefined : policies.get(stack.policyHash)

function keysOf({ sha256 }: Progress, ref: Ref, { body }: Sealed): Keys {
  const { kind } = splitRef(ref)
  const line = lineParts(kind, body)
  return {
    identity: contentHash(sha256, identityParts(kind, body)),
    line: line && contentHash(sha256, line),
  }
}
