import type { ClaimState } from './claim-state.ts'
import { type Disposition, GROUNDLESS, type LifecycleState, type RuleName } from './dispositions.ts'
import type { DistrustMark, StandingDistrust } from './distrust.ts'
import type { Door, Tier } from './doors.ts'
import type { ErasedMark } from './erasure.ts'
import type { GuardMark } from './guard.ts'
import type { Hash, MemoryId, Ref } from './ids.ts'
import type { RecordKind } from './kind-names.ts'
import type { LabelName } from './labels.ts'
import type { SourceType } from './source-types.ts'
import type { Instant } from './time.ts'

/** A number with the moment from which it decays. */
export interface Dated {
  readonly value: number
  readonly at: Instant
}

/** What lists are filtered by: taken from the body, and from what was said of it later. */
export interface Facets {
  /** A belief's or note's type, a goal's type, a summary's scope, what a suggestion proposes. */
  readonly subtype: string | null
  /** A goal's or suggestion's status; `processed` once something came of a raw capture. */
  readonly status: string | null
  /** What it is looked up by: a drive's type, an entity's name, a value's name. */
  readonly name: string | null
  readonly context: string | null
  readonly contextTags: readonly string[]
  readonly tags: readonly string[]
}

/** Why something waits for a person. One queue holds them all. */
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
  'contradicts', // what an older memory says, as far as their words tell
] as const
export type FlagCode = (typeof FLAG_CODES)[number]

/** Something a person should look at: why, because of which memory, and the entry that says so. */
export interface Flag {
  readonly code: FlagCode
  readonly by: Ref | null
  readonly seq: number
}

/** What folding a memory's entries gives. Rebuilt from the ledger at any time; never a source. */
export interface MemoryState {
  readonly ref: Ref
  readonly kind: RecordKind
  readonly id: MemoryId
  /** The entry of its birth, and of the revision whose body is current. */
  readonly seq: number
  readonly unit: number
  readonly revision: number
  readonly revisionSeq: number
  /** The hash of the entry of that revision. */
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
  /** Digest of what it says without who said it; rows only, never in an entry. */
  readonly identity: Hash
  /** Digest of the (subject, predicate) a claim speaks about. */
  readonly line: Hash | null
  /** What its line is folded by; null for what is no claim. */
  readonly claim: ClaimState | null
  readonly disposition: Disposition
  readonly tier: Tier
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
  /** Every source: those of its birth, then those that revisions added. */
  readonly parents: readonly Ref[]
  /** How many of the parents, counted from the end, revisions added. */
  readonly parentsAdded: number
  readonly confidence: Dated
  readonly strength: Dated
  readonly isProtected: boolean
  /** Set where more than its birth decides who may change it. */
  readonly guard: GuardMark | null
  /** When its own anchor last said it again: the date of currency, and nothing else. */
  readonly restatedAt: Instant | null
  readonly facets: Facets
  /** What its place in `load` is raised by: a value's priority, a belief's confidence, … */
  readonly weight: number
  /** How often it was called to mind, and when last. */
  readonly accesses: number
  readonly accessedAt: Instant | null
  /** Independent verifications, and reinforcements: how many, and when the last one came. */
  readonly verifications: number
  readonly verifiedAt: Instant | null
  readonly reinforcements: number
  /** What supports it: given at birth and added since. */
  readonly evidence: readonly Ref[]
  /** First-hand captures that have counted for it: none counts twice. */
  readonly anchors: readonly Ref[]
  readonly flags: readonly Flag[]
  /** Which entry holds its tags, and what each component noted of it. */
  readonly notes: Readonly<Record<string, number>>
  /** The entries that moved its confidence. */
  readonly moves: readonly number[]
  /** What it waits for in the one queue, if it waits. */
  readonly review: ReviewKind | null
  /** Set while it is not believed because of where it comes from, or what it rests on. */
  readonly distrust: DistrustMark | null
  /** The memory that this one says again in other words; a link, and no verdict. */
  readonly rewordingOf: Ref | null
  /** Set once it was erased: what it said is gone, and nothing of it is left in this row. */
  readonly erased: ErasedMark | null
}

/**
 * Whether others that say the same find it by its words. Raw words that were captured for a memory are
 * found through that one: nobody said them for their own sake, and every write would pay for the key.
 */
export const speaksForItself = ({
  kind,
  captured,
}: Pick<MemoryState, 'kind' | 'captured'>): boolean => !(captured && kind === 'raw')

/** Hooks capture words as raw; their only notes count what a session captured. */
export const isBookkeeping = ({ kind, door }: Pick<MemoryState, 'kind' | 'door'>): boolean =>
  kind === 'note' && door === 'hook'

/** What a line is folded by: no more of each claim than that, since a line may have thousands. */
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

/** What a reader is shown of where a memory stands. */
export type ShownState = Readonly<ReturnType<typeof shownOf>>

export const shownOf = (state: MemoryState) => ({
  ref: state.ref,
  kind: state.kind,
  id: state.id,
  revision: state.revision,
  revisionSeq: state.revisionSeq,
  bornAt: state.bornAt,
  /** Its words say it, while they are there. */
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

/** What folding the stack's own entries gives. */
export interface StackState {
  readonly uid: string | null
  readonly replica: string | null
  readonly state: LifecycleState
  readonly policyHash: Hash | null
  readonly enforcing: boolean
  /** How many tombstones the ledger holds: with any, writes need the key that checks them. */
  readonly tombstones: number
  /** Origins that are not believed, in the order in which that was said. */
  readonly distrusted: readonly StandingDistrust[]
  /** Entries that corrected the clock, oldest first: only there may time step back. */
  readonly corrections: readonly number[]
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
}

/** Repeats of one collapse or refusal, counted here instead of growing the ledger. */
export interface Tally {
  readonly key: string
  readonly rule: RuleName
  /** The memory repeated, for collapses; null for refusals. */
  readonly about: Ref | null
  /** Who was refused, for refusals; null for collapses. */
  readonly actor: string | null
  readonly door: Door | null
  readonly pseudonym: Hash | null
  /** The entry that recorded the first one. */
  readonly entrySeq: number
  readonly entryHash: Hash
  /** Repeats since the last tally entry, and when the first and last of them came. */
  readonly count: number
  readonly firstAt: Instant | null
  readonly lastAt: Instant | null
}

export interface Burst {
  readonly actor: string
  /** What is repeated, as a digest that only the key outside the stack can make. */
  readonly identity: Hash
  /** The last threshold + 1 times, oldest first. */
  readonly times: readonly Instant[]
  /** The quarantined row that stands for the burst while nobody has resolved it. */
  readonly quarantined: Ref | null
}

export interface ActorKey {
  readonly actor: string
  /** 32 bytes as hex; destroying it makes the actor's pseudonyms meaningless. */
  readonly key: string
  /** The first entry it speaks for: an actor whose key was destroyed begins anew. */
  readonly since: number
}

export interface Tombstone {
  readonly mark: Hash
  readonly seq: number
}

/** Gone: forgotten, set aside or taken back. What was made from it loses a ground. */
export const isGone = ({ strength, disposition }: MemoryState): boolean =>
  strength.value === 0 || GROUNDLESS.some((word) => word === disposition)

/** The sources of its birth, which no revision changes. */
export const parentsAtBirth = ({
  parents,
  parentsAdded,
}: Pick<MemoryState, 'parents' | 'parentsAdded'>): readonly Ref[] =>
  parentsAdded === 0 ? parents : parents.slice(0, -parentsAdded)

/**
 * Whether what it cites may have changed since that entry: a birth and a revision cite, and of what
 * was erased only parents that were there are left. Any other change leaves its links as they are.
 */
export const isLinkedAnew = (
  { revisionSeq, erased }: Pick<MemoryState, 'revisionSeq' | 'erased'>,
  lastSeq: number,
): boolean => revisionSeq > lastSeq || erased !== null
