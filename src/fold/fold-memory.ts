import { type ClaimState, claimStateOf } from '../domain/claims.ts'
import { isBelieved, type StandingDistrust } from '../domain/distrust.ts'
import {
  type Entry,
  type Facts,
  guardWith,
  isChangeOp,
  type SealedNote,
  type StoredEntry,
} from '../domain/entry.ts'
import type { ErasedMark } from '../domain/erasure.ts'
import { assert } from '../domain/errors.ts'
import { type Hash, type Ref, splitRef, ZERO_HASH } from '../domain/ids.ts'
import { facetsOf, weightOf } from '../domain/kinds/content.ts'
import { definitionOf } from '../domain/kinds/table.ts'
import { labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { type Provenance, sourcesIn } from '../domain/provenance.ts'
import { type LineState, type MemoryState, reviewOf, type StackState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import type { LifecycleState } from '../domain/vocabulary.ts'
import { markedAtBirth } from './distrust.ts'
import { countedGuard, countedTier } from './effective.ts'
import { foldChange } from './fold-change.ts'

/** Facts of a birth entry that last beyond the content of the memory. */
function atBirth({ ref, seq, unit, time }: Entry, { numbers }: Policy) {
  assert(ref !== null, 'a birth names its memory')
  const { kind, id } = splitRef(ref)
  const strength = { value: numbers.strengthAtBirth, at: time }
  return { ref, kind, id, seq, unit, bornAt: time, strength }
}

/** The memory that the words of this entry say again, as the gate recognised them. */
const linkIn = ({ decision: { facts } }: Entry): Ref | null =>
  typeof facts.phrasingOf === 'string' ? (facts.phrasingOf as Ref) : null // written by the gate

/** Values of a row whose content is gone: equal for every memory, so that they reveal nothing. */
const NOTHING_SAID = {
  sourceType: 'external',
  sourceId: '',
  document: null,
  session: null,
  captured: false,
  contentHash: ZERO_HASH,
  identity: ZERO_HASH,
  line: null,
  claim: null,
  disposition: 'Invalidated',
  depthNearest: null,
  depthFarthest: null,
  parentsAdded: 0,
  isProtected: false,
  guard: null,
  restatedAt: null,
  facets: { subtype: null, status: null, name: null, context: null, contextTags: [], tags: [] },
  weight: 0,
  accesses: 0,
  accessedAt: null,
  verifications: 0,
  verifiedAt: null,
  reinforcements: 0,
  evidence: [],
  anchors: [],
  flags: [],
  notes: {},
  moves: [],
  review: null,
  distrust: null,
  rewordingOf: null,
} as const

/** Keeps only facts of entries without content, so that a fold needs no content. */
function blankedBy(before: MemoryState, { entry }: StoredEntry): MemoryState {
  const { seq, time, decision } = entry
  const none = { value: 0, at: time }
  const { dated, silent, by, until } = decision.facts
  const erased: ErasedMark = {
    seq,
    dated: dated === true,
    ...(silent === true ? { silent } : {}),
    ...(before.distrust === null ? {} : { distrusted: true }),
    ...(by === undefined ? {} : { by: by as Ref }), // of facts that were written or checked
    ...(until === undefined ? {} : { until: until as Instant }),
  }
  return { ...before, ...NOTHING_SAID, confidence: none, strength: none, erased }
}

/** A memory whose content was erased later, as far as its birth and revisions tell without content. */
export function hollow(
  before: MemoryState | undefined,
  { entry, hash }: StoredEntry,
  policy: Policy,
): MemoryState {
  const { op, seq, time, label, door, decision } = entry
  assert(label !== null && door !== null, 'a birth is certified')
  const { nearest, farthest } = depthIn(decision.facts.depth)
  return {
    ...NOTHING_SAID,
    erased: null,
    confidence: { value: 0, at: time },
    distrust: markedAtBirth(entry, labelName(label)),
    rewordingOf: linkIn(entry),
    ...(before ?? atBirth(entry, policy)),
    // Only the entry of a capture records no depth.
    captured: before?.captured ?? (op === 'memory.saved' && decision.facts.depth === undefined),
    revision: entry.revision ?? 1,
    revisionSeq: seq,
    entryHash: hash,
    label: labelName(label),
    door,
    tier: countedTier(entry),
    guard: countedGuard(before?.guard ?? null, entry),
    disposition: decision.disposition ?? 'Invalidated',
    depthNearest: nearest,
    depthFarthest: farthest,
    parents: entry.parents.map((parent) => parent.ref),
  }
}

function depthIn(fact: unknown): { nearest: number | null; farthest: number | null } {
  const { nearest = null, farthest = null } = { ...(fact as Partial<Depth> | undefined) } // below
  return { nearest: numberOrNull(nearest), farthest: numberOrNull(farthest) }
}

interface Depth {
  readonly nearest: unknown
  readonly farthest: unknown
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Content that a birth or a revision sealed. */
export interface Sealed {
  readonly body: object
  readonly provenance: Provenance
}

/** Digests of the memory's words; computed by the caller, since this room hashes nothing. */
export interface Keys {
  readonly identity: Hash
  readonly line: Hash | null
}

/** Input of a fold beside the entry: the committed content, and the policy of the decision. */
export interface FoldInput {
  readonly sealed: (Sealed & { readonly keys: Keys }) | null
  readonly note?: SealedNote | null
  readonly policy: Policy
}

/**
 * The state of a memory after one more entry. The gate folds new entries and the audit folds
 * recorded entries with this one function, so that rows can always be rebuilt.
 */
export function foldMemory(
  before: MemoryState | undefined,
  stored: StoredEntry,
  input: FoldInput,
): MemoryState | undefined {
  const after = folded(before, stored, input)
  if (after === undefined || after === before) return after
  const { seq, decision } = stored.entry
  const moves = isSpan(decision.facts.confidence) ? [...after.moves, seq] : after.moves
  const review = reviewOf(after)
  return review === after.review && moves === after.moves ? after : { ...after, review, moves }
}

const isSpan = (fact: unknown): boolean =>
  typeof fact === 'object' && fact !== null && 'from' in fact && 'to' in fact

function folded(
  before: MemoryState | undefined,
  stored: StoredEntry,
  { sealed, note = null, policy }: FoldInput,
): MemoryState | undefined {
  const { op, decision } = stored.entry
  if (isChangeOp(op)) return before && foldChange(before, stored, { op, note, policy })
  switch (op) {
    case 'memory.saved':
      assert(sealed !== null && before === undefined, 'a memory is born once, with its content')
      return born(stored, sealed, policy)
    case 'memory.revised':
      assert(sealed !== null && before !== undefined, 'a revision has a memory and content')
      assert(stored.entry.revision === before.revision + 1, 'revisions of a memory are dense')
      return {
        ...before,
        ...(sealed.keys.identity === before.identity ? {} : ofNewWords(stored)),
        ...certified(stored, sealed),
        ...described(before, sealed),
        guard: guardUnder(before, stored, sealed),
      }
    case 'memory.refused': // noise is kept as a rejected suggestion; other refusals keep nothing
      return sealed ? born(stored, sealed, policy) : before
    case 'memory.collapsed':
      return before && collapsedOnto(before, stored)
    case 'tally':
      return before && decision.rule === 'restate'
        ? { ...before, restatedAt: decision.facts.last as Instant } // the gate writes a time there
        : before
    case 'quarantine.rejected':
      return before && { ...before, disposition: 'Rejected' }
    case 'quarantine.released':
      return (
        before && {
          ...before,
          disposition: decision.disposition ?? before.disposition,
          distrust: markedAtBirth(stored.entry, before.label),
        }
      )
    case 'memory.erased':
      return before && blankedBy(before, stored)
    case 'memory.received': // folded in the order of origin, by `foldMerged`
    case 'origin.distrusted':
    case 'origin.trusted':
    case 'actor.erased':
    case 'tombstone.kept':
    case 'tombstone.lifted':
    case 'genesis':
    case 'policy':
    case 'state':
    case 'replica.started':
    case 'enforcement.off':
    case 'enforcement.on':
    case 'clock.corrected':
      return before
  }
}

/** A restatement is a fresh date; a burst waits for a person; any other repeat changes nothing. */
function collapsedOnto(before: MemoryState, { entry }: StoredEntry): MemoryState {
  const { seq, time, decision } = entry
  if (decision.rule === 'restate') return { ...before, restatedAt: time }
  if (decision.rule !== 'burst') return before
  return { ...before, flags: [...before.flags, { code: 'repeated', by: null, seq }] }
}

/** Verifications and links are about the earlier words; new words begin anew. */
const ofNewWords = ({ entry }: StoredEntry) => ({ ...UNVERIFIED, rewordingOf: linkIn(entry) })

const UNVERIFIED = { verifications: 0, verifiedAt: null, anchors: [] } as const

function born(
  stored: StoredEntry,
  sealed: Sealed & { readonly keys: Keys },
  policy: Policy,
): MemoryState {
  const birth = atBirth(stored.entry, policy)
  const { kind } = birth
  return {
    ...birth,
    isProtected: definitionOf(kind).isProtected(sealed.body),
    guard: countedGuard(null, stored.entry),
    restatedAt: null,
    facets: facetsOf(kind, sealed.body),
    weight: weightOf(kind, sealed.body, sealed.provenance.confidence),
    accesses: 0,
    accessedAt: null,
    ...UNVERIFIED,
    reinforcements: 0,
    evidence: sealed.provenance.sourceEpisodes,
    flags: [],
    notes: {},
    moves: [],
    review: null,
    distrust: markedAtBirth(stored.entry, labelName(sealed.provenance.label)),
    rewordingOf: linkIn(stored.entry),
    erased: null,
    claim: claimIn(kind, sealed),
    ...certified(stored, sealed),
  }
}

/** A revision records a tier of its own; verifications of the earlier words do not apply. */
const guardUnder = (
  { guard, identity }: MemoryState,
  { entry }: StoredEntry,
  { keys }: { readonly keys: Keys },
) => guardWith(countedGuard(guard, entry), keys.identity === identity ? {} : { unspent: undefined })

function claimIn(kind: MemoryState['kind'], { body, provenance }: Sealed): ClaimState | null {
  const claim = claimStateOf(kind, body)
  const { quote } = provenance
  return claim && quote ? { ...claim, quotes: quote.of } : claim
}

/** Fields of a revision; tags that the revision does not mention stay. */
function described(before: MemoryState, { body, provenance }: Sealed) {
  const facets = facetsOf(before.kind, body)
  return {
    facets: 'tags' in body ? facets : { ...facets, tags: before.facets.tags },
    weight: weightOf(before.kind, body, provenance.confidence),
    evidence: [...new Set([...before.evidence, ...provenance.sourceEpisodes])],
    // Verdicts on the earlier words do not apply to the revised words.
    claim: claimIn(before.kind, { body, provenance }),
  }
}

/** All fields of the certificate of the current revision. */
function certified({ entry, hash }: StoredEntry, { provenance, keys }: Sealed & { keys: Keys }) {
  assert(entry.revision !== null, 'a certificate has a number')
  assert(entry.door !== null && entry.decision.disposition !== null, 'a certificate is decided')
  return {
    revision: entry.revision,
    revisionSeq: entry.seq,
    entryHash: hash,
    label: labelName(provenance.label),
    sourceType: provenance.sourceType,
    sourceId: provenance.sourceId,
    door: entry.door,
    document: provenance.document,
    session: provenance.session,
    captured: provenance.captured,
    contentHash: provenance.contentHash,
    identity: keys.identity,
    line: keys.line,
    disposition: entry.decision.disposition,
    tier: countedTier(entry),
    depthNearest: provenance.depthNearest,
    depthFarthest: provenance.depthFarthest,
    parents: sourcesIn(provenance),
    parentsAdded: provenance.revisedFrom?.length ?? 0,
    confidence: { value: provenance.confidence, at: entry.time },
  }
}

/** True for a kept, believed and strong memory, the first to compare with an echo or a restatement. */
export const isLive = (
  state: Pick<LineState | MemoryState, 'disposition' | 'strength'>,
  policy: Policy,
): boolean => isBelieved(state.disposition, policy) && state.strength.value > 0

/** State of the stack after one of its own entries; entries about memories change nothing here. */
export function foldStack(state: StackState, entry: Entry): StackState {
  const { facts } = entry.decision
  if (isChangeOp(entry.op)) return state
  switch (entry.op) {
    case 'genesis':
      return { ...state, uid: String(facts.uid), replica: entry.replica }
    case 'replica.started':
      return { ...state, replica: entry.replica }
    case 'policy':
      return { ...state, policyHash: facts.hash as Hash } // written by the gate as a hash
    case 'state':
      return { ...state, state: facts.to as LifecycleState } // written by the gate as a state
    case 'enforcement.off':
      return { ...state, enforcing: false }
    case 'enforcement.on':
      return { ...state, enforcing: true }
    case 'clock.corrected':
      return { ...state, corrections: [...state.corrections, entry.seq] }
    case 'memory.received':
      return { ...state, received: state.received + 1 }
    case 'quarantine.rejected':
      return { ...state, tombstones: state.tombstones + 1 }
    case 'memory.erased':
    case 'tombstone.kept':
      return { ...state, tombstones: state.tombstones + marksIn(facts) }
    case 'tombstone.lifted':
      return { ...state, tombstones: Math.max(0, state.tombstones - marksIn(facts)) }
    case 'origin.distrusted':
      return { ...state, distrusted: [...state.distrusted, standingIn(entry)] }
    case 'origin.trusted':
      return {
        ...state,
        distrusted: state.distrusted.filter(({ seq }) => seq !== facts.lifts),
      }
    case 'quarantine.released':
    case 'actor.erased':
    case 'memory.saved':
    case 'memory.revised':
    case 'memory.refused':
    case 'memory.collapsed':
    case 'tally':
      return state
  }
}

const standingIn = ({ seq, decision: { facts } }: Entry): StandingDistrust => ({
  origin: facts.origin as StandingDistrust['origin'], // written by the gate as one
  of: String(facts.of),
  seq,
})

const marksIn = ({ tombstones }: Facts): number =>
  Array.isArray(tombstones) ? tombstones.length : 0
