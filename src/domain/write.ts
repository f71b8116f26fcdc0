import type { Change, ChangeResult, ResolvedStatus } from './change.ts'
import type { DistrustBasis, Doubted } from './distrust.ts'
import type { Caller, Tier } from './doors.ts'
import type { StoredEntry } from './entry.ts'
import type { DerivedChoice, EraseBasis, ErasedLine, ErasureTarget } from './erasure.ts'
import type { MunimentError } from './errors.ts'
import type { Hash, MemoryId, RecordKind, Ref } from './ids.ts'
import type { Label, SourceType } from './labels.ts'
import type { Policy } from './policy.ts'
import type { Received } from './received.ts'
import type { Instant } from './time.ts'
import type { Disposition, LifecycleState, RuleName } from './vocabulary.ts'

/** Author and path of a memory, as stated by the door and the caller. */
export interface Origin {
  readonly sourceType: SourceType
  readonly label: Label
  readonly sourceId: string
  readonly sourceEntity: string | null
  readonly ingestionPath: string
  readonly eventTime: Instant | null
  readonly relayed: boolean
  readonly document: string | null
  readonly llmModel: string | null
}

/** A memory written by the engine for a draft, so the draft's lineage ends at a real source. */
export interface Capture {
  readonly kind: 'raw' | 'note' | 'episode'
  readonly id: MemoryId
  readonly body: object
  readonly derivedFrom: readonly Ref[]
  /** The captured words are those of the draft itself. */
  readonly isOwnWords?: true
}

/** Effect on another memory: a promoted suggestion, or a superseded belief. */
export type Consequence =
  | { readonly type: 'promotes'; readonly ref: Ref; readonly status: ResolvedStatus }
  | { readonly type: 'supersedes'; readonly ref: Ref }

/** A parsed memory on the way in; nothing checks the shape again. */
export interface Draft {
  readonly kind: RecordKind
  readonly id: MemoryId
  readonly body: object
  readonly origin: Origin
  readonly confidence: number
  readonly derivedFrom: readonly Ref[]
  readonly sourceEpisodes: readonly Ref[]
  /** Words quoted from a cited memory; the gate checks the quote. */
  readonly quote: string | null
  /** Raw first; each may cite earlier captures. All are admitted or refused with the draft. */
  readonly captures: readonly Capture[]
  /** Values vouched for by the caller, checked against the engine's own results. */
  readonly supplied: {
    readonly contentHash: Hash | null
    readonly policyHash: Hash | null
    readonly trustTier: Tier | null
    readonly timestamp: Instant | null
  }
  /** Set for a new revision of an existing memory. */
  readonly revises: {
    readonly expectedVersion: number | null
    /** A caller without the right to revise proposes the revision to a person. */
    readonly orPropose?: true
  } | null
  /** Body fields given by the caller; defaults fill in the others. */
  readonly given: readonly string[]
  /** Effect of the admission on another memory, in the same commit. */
  readonly consequence: Consequence | null
  /** The draft belongs to the epoch that is open at the commit. */
  readonly inOpenEpoch?: true
  readonly caller: Caller
}

/** The clock reading and the 32 random bytes taken when a draft arrives. */
export interface Arrival {
  readonly time: Instant
  readonly bytes: Uint8Array
}

export interface Arrived {
  readonly draft: Draft
  readonly arrival: Arrival
}

export interface ChangeCommand {
  readonly type: 'change'
  readonly ref: Ref
  readonly change: Change
  /** The reason in words; sealed, never in an entry. */
  readonly text: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** Memories to destroy, all or none, with requester and label. */
export interface EraseCommand {
  readonly type: 'erase'
  readonly targets: readonly ErasureTarget[]
  readonly lines: readonly ErasedLine[]
  /** An actor whose key is destroyed too, so nobody can link entries to the actor any more. */
  readonly shred: string | null
  readonly derived: DerivedChoice
  readonly basis: EraseBasis
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** Distrust or renewed trust, with requester and label. */
export interface DistrustCommand {
  readonly type: 'distrust'
  readonly on: boolean
  readonly what: Doubted
  readonly basis: DistrustBasis
  /** The reason in words, for a single memory; sealed, never in an entry. */
  readonly text: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** An entry of another replica on its way in: the gate of origin has decided on the words. */
export interface ReceivedItem extends Received {
  /** The tier of the words here; null for entries without words. */
  readonly tier: Tier | null
  readonly seal: { readonly salt: Uint8Array; readonly bytes: Uint8Array } | null
}

/** Entries of other replicas, taken in or left out together. */
export interface ReceiveCommand<History = unknown> {
  readonly type: 'receive'
  readonly items: readonly ReceivedItem[]
  /** Earlier entries of memories that exist here, as read before the command. */
  readonly histories: ReadonlyMap<Ref, History>
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** Everything that may change a stack. Each command passes the gate; no other way in exists. */
export type Command =
  | { readonly type: 'write'; readonly drafts: readonly Arrived[] }
  | ReceiveCommand
  | ChangeCommand
  | EraseCommand
  | DistrustCommand
  | {
      /** A person readmits words that were erased or rejected. */
      readonly type: 'readmit'
      readonly marks: readonly Hash[]
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** Bars words of an erased memory that this stack never held: an older copy was restored. */
      readonly type: 'keepOut'
      readonly marks: readonly Hash[]
      readonly basis: EraseBasis
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      readonly type: 'state'
      readonly to: LifecycleState
      /** Applies only in this state; in another state nothing happens. */
      readonly from: LifecycleState | null
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      readonly type: 'policy'
      readonly policy: Policy
      readonly policyHash: Hash
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** A person confirms the clock: times follow the reading from here on. */
      readonly type: 'clock'
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** Writes only due entries: tallies whose window has ended. */
      readonly type: 'tidy'
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** A person releases a quarantined memory; the gate decides again. */
      readonly type: 'release'
      readonly ref: Ref
      /** The memory's timeline and burst counter, as read. */
      readonly line: Hash | null
      readonly identity: Hash
      readonly burst: { readonly actor: string; readonly identity: Hash } | null
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** A person rejects a quarantined memory; `mark` bars equal words from then on. */
      readonly type: 'reject'
      readonly ref: Ref
      readonly mark: Hash
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }

export interface EntryPointer {
  readonly seq: number
  readonly hash: Hash
}

export const pointerTo = ({ entry: { seq }, hash }: StoredEntry): EntryPointer => ({ seq, hash })

/** The members of a result that most results leave empty. */
export const UNREMARKED = { captures: [], suggestion: null, message: null, hint: null } as const

/** Result of a write. A refusal is a result too: `ref` is null and `message` gives the reason. */
export interface WriteResult {
  /** The memory written or repeated. */
  readonly ref: Ref | null
  readonly id: MemoryId | null
  readonly disposition: Disposition
  readonly rule: RuleName
  readonly reasons: readonly string[]
  /** The recording entry; a repeat points at the entry of the first write. */
  readonly entry: EntryPointer
  readonly tier: Tier | null
  /** Set when an existing memory got a new revision; `version` is the revision's number. */
  readonly revised?: true
  readonly version?: number
  /** Memories captured by the engine for this write, in the same commit. */
  readonly captures: readonly Ref[]
  /** The suggestion that keeps a refused belief or value. */
  readonly suggestion: Ref | null
  /** For barred words: the erased or rejected memory through which a person can readmit them. */
  readonly keptOutBy?: Ref
  /** For a checked belief or note: memories that contradict the new memory. A person decides. */
  readonly contradicts?: readonly Ref[]
  readonly message: string | null
  readonly hint: string | null
}

/** A write that has a ref. */
export type Accepted = WriteResult & { readonly ref: Ref; readonly id: MemoryId }

export const isAccepted = (result: WriteResult): result is Accepted =>
  result.ref !== null && result.id !== null

interface DistrustResult {
  /** Null when nothing changed. */
  readonly entry: EntryPointer | null
  /** Memories that lost or regained belief, in the order of their entries. */
  readonly memories: readonly Ref[]
  /** Believed memories that lost a source and wait for a person; `cleared` memories regained it. */
  readonly flagged: readonly Ref[]
  readonly cleared: readonly Ref[]
}

export interface StateResult {
  readonly state: LifecycleState
  readonly entry: EntryPointer | null
}

export interface PolicyResult {
  readonly policyHash: Hash
  readonly entry: EntryPointer | null
}

interface ClockResult {
  readonly reading: Instant
  /** Time of the previous entry; null in an empty ledger. */
  readonly last: Instant | null
  /** Null if the clock and the last entry agreed. */
  readonly entry: EntryPointer | null
}

export type Outcome =
  /** A result per draft. A refused batch has only the refusal, with the refused draft's index. */
  | { readonly type: 'written'; readonly results: readonly WriteResult[] }
  | { readonly type: 'refused'; readonly index: number; readonly result: WriteResult }
  | { readonly type: 'changed'; readonly result: ChangeResult }
  | { readonly type: 'state'; readonly result: StateResult }
  | { readonly type: 'policy'; readonly result: PolicyResult }
  | { readonly type: 'tidied' }
  /** Null if another write changed one of the memories since their history was read. */
  | { readonly type: 'received'; readonly entries: readonly EntryPointer[] | null }
  | { readonly type: 'corrected'; readonly result: ClockResult }
  | { readonly type: 'rejected'; readonly entry: EntryPointer }
  | { readonly type: 'released'; readonly entry: EntryPointer; readonly disposition: Disposition }
  /** An entry per memory, in order; empty if all were erased before. */
  | { readonly type: 'erased'; readonly entries: readonly EntryPointer[] }
  | { readonly type: 'turned'; readonly result: DistrustResult }
  /** Null if nothing barred these words. */
  | { readonly type: 'readmitted'; readonly entry: EntryPointer | null }
  | { readonly type: 'keptOut'; readonly entry: EntryPointer | null }
  | { readonly type: 'error'; readonly error: MunimentError }
