import type { Change, ResolvedStatus } from './change.ts'
import type { LifecycleState } from './dispositions.ts'
import type { DistrustBasis, Doubted } from './distrust.ts'
import type { Caller, Tier } from './doors.ts'
import type { DerivedChoice, EraseBasis, ErasedLine, ErasureTarget } from './erasure.ts'
import type { Hash, MemoryId, Ref } from './ids.ts'
import type { RecordKind } from './kind-names.ts'
import type { Label } from './labels.ts'
import type { Policy } from './policy.ts'
import type { SourceType } from './source-types.ts'
import type { Instant } from './time.ts'

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

/** Everything that may change a stack. Each command passes the gate; no other way in exists. */
export type Command =
  | { readonly type: 'write'; readonly drafts: readonly Arrived[] }
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
