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

/** Who says so and through what, as the door and the caller give it. */
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

/** A memory that the engine writes down for a draft, so that its lineage ends at something real. */
export interface Capture {
  readonly kind: 'raw' | 'note' | 'episode'
  readonly id: MemoryId
  readonly body: object
  readonly derivedFrom: readonly Ref[]
}

/** A suggestion that becomes a memory, or a belief whose place is taken. */
export type Consequence =
  | { readonly type: 'promotes'; readonly ref: Ref; readonly status: ResolvedStatus }
  | { readonly type: 'supersedes'; readonly ref: Ref }

/** One memory on its way in, parsed: from here on nothing is re-checked for shape. */
export interface Draft {
  readonly kind: RecordKind
  readonly id: MemoryId
  readonly body: object
  readonly origin: Origin
  readonly confidence: number
  readonly derivedFrom: readonly Ref[]
  readonly sourceEpisodes: readonly Ref[]
  /** Words of what it cites, which it says that it quotes; checked by the gate. */
  readonly quote: string | null
  /** Raw first; each may cite the ones before it. They live and die with the draft. */
  readonly captures: readonly Capture[]
  /** What the caller vouched for; checked against what the engine computes. */
  readonly supplied: {
    readonly contentHash: Hash | null
    readonly policyHash: Hash | null
    readonly trustTier: Tier | null
    readonly timestamp: Instant | null
  }
  /** Set when this is a new revision of a memory that exists. */
  readonly revises: {
    readonly expectedVersion: number | null
    /** Who may not revise the memory proposes the revision to a person. */
    readonly orPropose?: true
  } | null
  /** Names of the body's fields that the caller gave; defaults fill in the others. */
  readonly given: readonly string[]
  /** What its admission does to another memory, in the same commit. */
  readonly consequence: Consequence | null
  readonly caller: Caller
}

/** The one clock reading and the 32 random bytes that a draft takes when it arrives. */
export interface Arrival {
  readonly time: Instant
  readonly bytes: Uint8Array
}

export interface Arrived {
  readonly draft: Draft
  readonly arrival: Arrival
}

/** A change of one memory, and who asks for it under which label. */
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

/** Memories to destroy, all or none, and who asks for it under which label. */
export interface EraseCommand {
  readonly type: 'erase'
  readonly targets: readonly ErasureTarget[]
  /** The lines that they speak about. */
  readonly lines: readonly ErasedLine[]
  /** An actor whose key goes too, so that nobody can tell any more which entries were its own. */
  readonly shred: string | null
  readonly derived: DerivedChoice
  readonly basis: EraseBasis
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** What is believed no longer, or again, and who says so under which label. */
export interface DistrustCommand {
  readonly type: 'distrust'
  readonly on: boolean
  readonly what: Doubted
  readonly basis: DistrustBasis
  /** The reason in words, of one memory; sealed, never in an entry. */
  readonly text: string | null
  readonly label: Label
  readonly actor: string
  readonly caller: Caller
  readonly arrival: Arrival
}

/** Everything that may change a stack. Each passes the gate; there is no other way in. */
export type Command =
  | { readonly type: 'write'; readonly drafts: readonly Arrived[] }
  | ChangeCommand
  | EraseCommand
  | DistrustCommand
  | {
      /** A person lets words back in that were erased or rejected. */
      readonly type: 'readmit'
      readonly marks: readonly Hash[]
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** Words of a memory that was erased and never was here: an older copy was put back. */
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
      /** Only from this state; from another, nothing happens. */
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
      /** A person says that the clock is right: times follow the reading from here on. */
      readonly type: 'clock'
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** Nothing but what is due: tallies whose window has ended are told. */
      readonly type: 'tidy'
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** A person's yes to something quarantined: it is decided anew. */
      readonly type: 'release'
      readonly ref: Ref
      /** The line it speaks about, and the counter that it stands for, as they were read. */
      readonly line: Hash | null
      readonly identity: Hash
      readonly burst: { readonly actor: string; readonly identity: Hash } | null
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
  | {
      /** A person's no to something quarantined; `mark` keeps the same words out from then on. */
      readonly type: 'reject'
      readonly ref: Ref
      readonly mark: Hash
      readonly actor: string
      readonly caller: Caller
      readonly arrival: Arrival
    }
