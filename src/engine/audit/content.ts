import { isTier } from '../../domain/doors.ts'
import type { Entry, SealedNote, SealedRow, StoredEntry } from '../../domain/entry.ts'
import { isHash, type Ref, splitRef, tryParseRef } from '../../domain/ids.ts'
import { identityParts, lineParts, searchTerms } from '../../domain/kinds/content.ts'
import { isSourceType, labelName, tryParseLabel } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import { PROVENANCE_FIELDS, type Provenance, sourcesIn } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isInstant } from '../../domain/time.ts'
import { HEDGE_LEXICON } from '../../domain/words/lexicons.ts'
import { STATEMENT_RULES } from '../../domain/words/stating-sentence.ts'
import { foldMemory, type Keys, type Sealed } from '../../fold/fold-memory.ts'
import { quotedIn, standsThere, statesThere, writtenIn } from '../../gate/quote.ts'
import { Words } from '../../gate/words.ts'
import { readJson } from '../../ledger/canonical.ts'
import { bodyTextIn, commitmentOf, contentHash, SALT_BYTES } from '../../ledger/ledger.ts'
import type { Reading } from '../history/why.ts'
import { noteChild, pseudonymIn } from './authority.ts'
import { birthProblem } from './birth.ts'
import { noteProblem } from './change.ts'
import { noteLine } from './claims.ts'
import { found, type Progress, type ToRead } from './progress.ts'

const FIELDS = [...PROVENANCE_FIELDS].sort()
const FIELDS_REVISED = [...PROVENANCE_FIELDS, 'revisedFrom' as const].sort()

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFilled: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isFlag: Check = (value) => typeof value === 'boolean'
const isRefs: Check = (value) =>
  Array.isArray(value) && value.every((ref) => tryParseRef(ref) !== undefined)
const isDepth: Check = (value) =>
  value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
const isQuote: Check = (value) =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'end,of,start'
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const MEMBERS: Readonly<Record<keyof Provenance, Check>> = {
  sourceType: isSourceType,
  label: (value) => tryParseLabel(value) !== undefined,
  sourceId: isFilled,
  sourceEntity: orNull(isText),
  ingestionPath: isFilled,
  timestamp: isInstant,
  eventTime: orNull(isInstant),
  session: orNull(isText),
  turn: orNull(isText),
  relayed: isFlag,
  captured: isFlag,
  quote: orNull(isQuote),
  document: orNull(isText),
  confidence: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  contentHash: isHash,
  policyHash: isHash,
  trustTier: isTier,
  llmModel: orNull(isFilled),
  derivedFrom: isRefs,
  revisedFrom: (value) => isRefs(value) && (value as readonly unknown[]).length > 0,
  sourceEpisodes: isRefs,
  depthNearest: isDepth,
  depthFarthest: isDepth,
}

/** The first invalid member of a birth certificate; null if all are valid. */
function badCertificateMember(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'members'
  const names = Object.keys(value)
  const fields = 'revisedFrom' in value ? FIELDS_REVISED : FIELDS
  if (names.length !== fields.length || names.some((name, at) => name !== fields[at])) {
    return 'members'
  }
  const certificate = value as Provenance // each member is checked next
  return fields.find((name) => !MEMBERS[name](certificate[name])) ?? null
}

/** Quotes are checked at the end: sources lie anywhere before, and few memories are cited. */
export function noteQuote(
  progress: Progress,
  { seq, ref, decision }: Entry,
  { body, provenance: { quote } }: Sealed,
): void {
  if (quote === null || ref === null) return
  const { stack, policies, memories } = progress
  const policy: Partial<Policy> | undefined =
    stack.policyHash === null ? undefined : policies.get(stack.policyHash)
  const source = memories.get(quote.of)
  const quoted = quotedIn(splitRef(ref).kind, body)
  if (!source || quoted === null) return // reported elsewhere
  const hedges = policy?.lexicons?.hedges
  const { kind } = splitRef(ref)
  const rules = policy?.lexicons?.statements
  const isOurs = rules !== undefined && rules === contentHash(progress.sha256, STATEMENT_RULES)
  const lifted = decision.facts.lift !== undefined && isOurs ? writtenIn(kind, body) : null
  const judged =
    isOurs || rules === undefined ? quoted : { ...quoted, isByOtherRules: true as const }
  const sourceSeq = source.revisionSeq
  progress.quotes.push({ seq, ref, quote, quoted: judged, lifted, hedges, sourceSeq })
}

/** Repeats the gate's check of each quote; erased sources have a note already. */
export async function checkQuotes(progress: Progress, reading: Reading): Promise<void> {
  if (progress.quotes.length === 0) return
  const sources = new Map<number, ToRead[]>()
  for (const each of progress.quotes) {
    const quotes = sources.get(each.sourceSeq)
    if (quotes) quotes.push(each)
    else sources.set(each.sourceSeq, [each])
  }
  for (const [sourceSeq, quotes] of sources) await checkSource(progress, reading, sourceSeq, quotes)
}

async function checkSource(
  progress: Progress,
  { store, stackId }: Reading,
  sourceSeq: number,
  quotes: readonly ToRead[],
): Promise<void> {
  const rows = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from: sourceSeq,
    to: sourceSeq,
  })
  const ours = contentHash(progress.sha256, HEDGE_LEXICON)
  for (const { seq, ref, quote, quoted, lifted, hedges } of quotes) {
    const text = textIn(rows, quote.of)
    if (text === null) continue
    const by = { quoted, hedges: hedges === ours ? 'ours' : 'others' } as const
    if (!standsThere(quote, text, by)) {
      const detail = `quotes what ${quote.of} does not say there`
      found(progress, 'entry.operation', { seq, ref, detail })
    } else if (lifted !== null && !statesThere(quote, text, lifted)) {
      const detail = `is lifted by a sentence of ${quote.of} that does not state it`
      found(progress, 'entry.operation', { seq, ref, detail })
    }
  }
}

/** Null where the text is missing or unreadable; the audit of its own entry reports the problem. */
function textIn(rows: readonly SealedRow[], ref: Ref): string | null {
  try {
    return new Words(rows).of(ref)
  } catch {
    return null
  }
}

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

export function isCommittedTo(progress: Progress, entry: Entry, seal: SealedRow): boolean {
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

export function readNote(bytes: Uint8Array): SealedNote | null {
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
export function readSealed(bytes: Uint8Array): (Sealed & { readonly text: string }) | string {
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
export function noteText({ texts }: Progress, state: MemoryState, { body }: Sealed): void {
  if (texts === null) return
  const terms = searchTerms(state.kind, body, state.captured)
  if (terms !== null) texts.set(state.seq, { seq: state.seq, terms })
}

export const policyInForce = ({ stack, policies }: Progress) =>
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
