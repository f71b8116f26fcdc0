import type { ClaimState } from './claims.ts'
import type { DistrustMark, StandingDistrust } from './distrust.ts'
import type { Door, Tier } from './doors.ts'
import type { GuardMark } from './entry.ts'
import type { ErasedMark } from './erasure.ts'
import type { Hash, MemoryId, RecordKind, Ref } from './ids.ts'
import type { LabelName, SourceType } from './labels.ts'
import type { Instant } from './time.ts'
import { type Disposition, GROUNDLESS, type LifecycleState, type RuleName } from './vocabulary.ts'

/** A value with the moment from which decay counts. */
export interface Dated {
  readonly value: number
  readonly at: Instant
}

/** Values that lists filter by, from the body and from later entries. */
export interface Facets {
  /** A belief's, note's or goal's type, a summary's scope, or the kind a suggestion proposes. */
  readonly subtype: string | null
  /** A goal's or suggestion's status; `processed` once a raw capture was processed. */
  readonly status: string | null
  /** The lookup name: a drive's type, an entity's name, a value's name. */
  readonly name: string | null
  readonly context: string | null
  readonly contextTags: readonly string[]
  readonly tags: readonly string[]
}

/** Reasons why a memory waits for a person. All share a single queue. */
export const REVIEW_KINDS = [
  'suggestion',
  'quarantine',
  'contest',
  'proposal',
  'contradiction',
  'flagged',
] as const
export type ReviewKind = (typeof REVIEW_KINDS)[number]

export const FLAG_CODES = [
  'source_forgotten',
  'source_dormant',
  'source_erased',
  'source_distrusted',
  'dormant',
  'proposed',
  'asked',
  'contradicts', // an older memory, judged by the words alone
  'repeated', // more often than the burst rule allows
] as const
export type FlagCode = (typeof FLAG_CODES)[number]

/** A reason for a person to look at a memory: the code, the causing memory, and the entry. */
export interface Flag {
  readonly code: FlagCode
  readonly by: Ref | null
  readonly seq: number
}

/** The fold of a memory's entries. Rebuilt from the ledger at any time; never a source. */
export interface MemoryState {
  readonly ref: Ref
  readonly kind: RecordKind
  readonly id: MemoryId
  /** `seq` is the entry of the birth; `revisionSeq` is the entry of the current body. */
  readonly seq: number
  readonly unit: number
  readonly revision: number
  readonly revisionSeq: number
  /** Hash of the entry at `revisionSeq`. */
  readonly entryHash: Hash
  readonly bornAt: Instant
  readonly label: LabelName
  readonly sourceType: SourceType
  readonly sourceId: string
  readonly door: Door
  readonly document: string | null
  readonly session: string | null
  readonly captured: boolean
  readonly contentHash: Hash
  /** Digest of the content without its author; rows only, never in an entry. */
  readonly identity: Hash
  /** Digest of a claim's subject and predicate, which name its timeline; null for other kinds. */
  readonly line: Hash | null
  /** A claim's part in the fold of its timeline; null for other kinds. */
  readonly claim: ClaimState | null
  readonly disposition: Disposition
  readonly tier: Tier
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
  /** Every source: first the sources at birth, then sources added by revisions. */
  readonly parents: readonly Ref[]
  /** Number of parents, counted from the end, that revisions added. */
  readonly parentsAdded: number
  readonly confidence: Dated
  readonly strength: Dated
  readonly isProtected: boolean
  /** Set once more than the birth decides the right to change the memory. */
  readonly guard: GuardMark | null
  /** Last time the memory's own anchor repeated the claim. Affects currency only. */
  readonly restatedAt: Instant | null
  readonly facets: Facets
  /** Raises the place in `load`: a value's priority, a belief's confidence, … */
  readonly weight: number
  readonly accesses: number
  readonly accessedAt: Instant | null
  /** Only independent verifications count. */
  readonly verifications: number
  readonly verifiedAt: Instant | null
  readonly reinforcements: number
  /** Supporting memories, given at birth or added later. */
  readonly evidence: readonly Ref[]
  /** First-hand captures already counted as support; none counts twice. */
  readonly anchors: readonly Ref[]
  readonly flags: readonly Flag[]
  /** Entries that hold the tags and each component's latest annotation. */
  readonly notes: Readonly<Record<string, number>>
  /** Entries of confidence changes. */
  readonly moves: readonly number[]
  /** Reason for waiting in the review queue; null if the memory does not wait. */
  readonly review: ReviewKind | null
  /** Set while the memory is distrusted: itself, by an origin, or because all its grounds are. */
  readonly distrust: DistrustMark | null
  /** The memory restated here in other words. A link only, no verdict. */
  readonly rewordingOf: Ref | null
  /** Set once the memory was erased; nothing of the content remains in this row. */
  readonly erased: ErasedMark | null
}

/**
 * Repeats find a memory by its words. A raw capture made for another memory is found through the
 * other memory: nobody asserted the capture itself, and the key would cost every write.
 */
export const speaksForItself = ({
  kind,
  captured,
}: Pick<MemoryState, 'kind' | 'captured'>): boolean => !(captured && kind === 'raw')

/** Hooks capture words as raw memories; a hook's notes only count the captures of a session. */
export const isBookkeeping = ({ kind, door }: Pick<MemoryState, 'kind' | 'door'>): boolean =>
  kind === 'note' && door === 'hook'

/** The part of a claim that a timeline's fold needs. Small: a timeline may hold thousands. */
export type LineState = Readonly<ReturnType<typeof lineStateOf>>

export const lineStateOf = (state: MemoryState) => ({
  ref: state.ref,
  seq: state.seq,
  bornAt: state.bornAt,
  label: state.label,
  sourceId: state.sourceId,
  identity: state.identity,
  claim: state.claim,
  disposition: state.disposition,
  tier: state.tier,
  depthFarthest: state.depthFarthest,
  confidence: { value: state.confidence.value },
  strength: { value: state.strength.value },
  restatedAt: state.restatedAt,
  verifiedAt: state.verifiedAt,
  review: state.review,
  facets: { subtype: state.facets.subtype },
})

/** The part of a memory's state that readers see. */
export type ShownState = Readonly<ReturnType<typeof shownOf>>

export const shownOf = (state: MemoryState) => ({
  ref: state.ref,
  kind: state.kind,
  id: state.id,
  revision: state.revision,
  revisionSeq: state.revisionSeq,
  bornAt: state.bornAt,
  /** Null after an erasure, because the certificate with the label is gone. */
  label: state.erased === null ? null : state.label,
  disposition: state.disposition,
  tier: state.tier,
  confidence: state.confidence,
  strength: state.strength,
  isProtected: state.isProtected,
  facets: {
    subtype: state.facets.subtype,
    status: state.facets.status,
    tags: state.facets.tags,
  },
  accesses: state.accesses,
  accessedAt: state.accessedAt,
  verifications: state.verifications,
  verifiedAt: state.verifiedAt,
  reinforcements: state.reinforcements,
  evidence: state.evidence,
  flags: state.flags,
  notes: state.notes,
  moves: state.moves,
  review: state.review,
  parents: state.parents,
  distrust: state.distrust,
  rewordingOf: state.rewordingOf,
  erased: state.erased,
})

/** The fold of the entries about the stack itself. */
export interface StackState {
  readonly uid: string | null
  readonly replica: string | null
  readonly state: LifecycleState
  readonly policyHash: Hash | null
  readonly enforcing: boolean
  /** Count of tombstones in the ledger. With any, writes need the key for checking tombstones. */
  readonly tombstones: number
  /** Distrusted origins, in the order of their entries. */
  readonly distrusted: readonly StandingDistrust[]
  /** Clock corrections, oldest first. Time may step back only at these entries. */
  readonly corrections: readonly number[]
  /** Count of entries received from other replicas. With any, lists follow the time of origin. */
  readonly received: number
}

export const UNBORN: StackState = {
  uid: null,
  replica: null,
  state: 'INITIALIZING',
  policyHash: null,
  enforcing: true,
  tombstones: 0,
  distrusted: [],
  corrections: [],
  received: 0,
}

/** Repeats of a collapse or refusal, counted here instead of growing the ledger. */
export interface Tally {
  readonly key: string
  readonly rule: RuleName
  /** The repeated memory for collapses; null for refusals. */
  readonly about: Ref | null
  /** The refused actor for refusals; null for collapses. */
  readonly actor: string | null
  readonly door: Door | null
  readonly pseudonym: Hash | null
  /** The entry of the first collapse or refusal. */
  readonly entrySeq: number
  readonly entryHash: Hash
  /** Repeats since the last tally entry; `firstAt` and `lastAt` date the first and the last. */
  readonly count: number
  readonly firstAt: Instant | null
  readonly lastAt: Instant | null
}

export interface Burst {
  readonly actor: string
  /** Digest of the repeated content, keyed by a secret outside the stack. */
  readonly identity: Hash
  /** The last threshold + 1 times, oldest first. */
  readonly times: readonly Instant[]
  /** The quarantined memory for the burst, until a person resolves the case. */
  readonly quarantined: Ref | null
}

export interface ActorKey {
  readonly actor: string
  /** 32 bytes as hex. Destroying the key makes the actor's pseudonyms meaningless. */
  readonly key: string
  /** First entry under this key: an actor whose key was destroyed begins anew. */
  readonly since: number
}

export interface Tombstone {
  readonly mark: Hash
  readonly seq: number
}

/** Gone: forgotten, set aside or retracted. Memories made from a gone memory lose a ground. */
export const isGone = ({ strength, disposition }: MemoryState): boolean =>
  strength.value === 0 || GROUNDLESS.some((word) => word === disposition)

/** The sources at birth, which no revision changes. */
export const parentsAtBirth = ({
  parents,
  parentsAdded,
}: Pick<MemoryState, 'parents' | 'parentsAdded'>): readonly Ref[] =>
  parentsAdded === 0 ? parents : parents.slice(0, -parentsAdded)

/**
 * True if the memory's citations may have changed after `lastSeq`. Only births and revisions cite,
 * and an erased memory keeps only parents that existed. Other changes leave links alone.
 */
export const isLinkedAnew = (
  { revisionSeq, erased }: Pick<MemoryState, 'revisionSeq' | 'erased'>,
  lastSeq: number,
): boolean => revisionSeq > lastSeq || erased !== null

type Waiting = Pick<MemoryState, 'kind' | 'facets' | 'disposition' | 'flags' | 'claim'>

/** The reason why a memory waits, or null. The queue is an index over this function, not a list. */
export function reviewOf(state: Waiting): ReviewKind | null {
  const { kind, facets, disposition, flags, claim } = state
  if (kind === 'suggestion') return facets.status === 'pending' ? 'suggestion' : null
  switch (disposition) {
    case 'Quarantined':
      return 'quarantine'
    case 'Contested':
    case 'QueuedForAdjudication':
    case 'PendingConflict':
    case 'PendingReview':
      // A contest answered by "unknown" is not asked again.
      return claim?.word === 'unknown' ? null : 'contest'
    case 'Rejected':
    case 'Superseded':
    case 'Invalidated':
    case 'Distrusted':
      return null
  }
  if (flags.some(({ code }) => code === 'proposed')) return 'proposal'
  if (flags.some(({ code }) => code === 'contradicts')) return 'contradiction'
  return flags.some(({ code }) => code !== 'dormant') ? 'flagged' : null
}
