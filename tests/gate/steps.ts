import type { Door, LabelTiers, Tier } from '../../src/domain/doors.ts'
import type { RecordKind, Ref } from '../../src/domain/ids.ts'
import type { LabelName, SourceType } from '../../src/domain/labels.ts'
import type { LifecycleState } from '../../src/domain/vocabulary.ts'

/** What a claim says of one line; the window is in instants as text. */
export interface ClaimSaying {
  readonly predicate: string
  readonly value: string | number | readonly string[]
  readonly start: string | null
  readonly end: string | null
  readonly holds: 'already' | 'planned' | null
  readonly cardinality: 'Functional' | 'SetValued' | 'Unknown'
  readonly criticality: 'Medium' | 'High'
}

/** What a memory says. The variant changes its bytes and not its meaning. */
export interface Saying {
  readonly phrase: string
  readonly variant: number
  readonly claim: ClaimSaying
}

export interface CaptureSaying {
  readonly kind: 'raw' | 'note'
  readonly ref: Ref
  readonly phrase: string
}

/** Everything about one write that the gate may look at. */
export interface GateDraft {
  readonly kind: RecordKind
  readonly ref: Ref
  readonly saying: Saying
  readonly door: Door
  readonly person: boolean
  readonly grant: LabelTiers | null
  readonly label: LabelName
  readonly sourceType: SourceType
  readonly actor: string
  readonly document: string | null
  readonly confidence: number
  readonly llmModel: string | null
  readonly parents: readonly Ref[]
  readonly evidence: readonly Ref[]
  /** Raw first, then a note if there is one; each is made from the one before. */
  readonly captures: readonly CaptureSaying[]
  readonly supplied: {
    readonly content: 'own' | 'other' | null
    readonly policy: PolicyName | null
    readonly tier: Tier | null
    /** How far the given timestamp lies ahead of the clock. */
    readonly aheadMs: number | null
  }
  readonly revises: { readonly expectedVersion: number | null } | null
  /** Made a revision by the reference, since its author says known words again. */
  readonly isRestated?: true
  /** Words of what it cites, as it says. */
  readonly quote: string | null
}

/** Policies that differ only in their numbers. */
export const POLICY_NUMBERS = {
  house: {
    quarantineBurstThreshold: 10,
    burstWindowMs: 600_000,
    tallyWindowMs: 600_000,
  },
  strict: {
    quarantineBurstThreshold: 2,
    burstWindowMs: 120_000,
    tallyWindowMs: 60_000,
  },
  patient: {
    quarantineBurstThreshold: 4,
    burstWindowMs: 600_000,
    tallyWindowMs: 1_800_000,
  },
} as const

export type PolicyName = keyof typeof POLICY_NUMBERS

export interface By {
  readonly door: Door
  readonly person: boolean
}

/** What is believed no longer, or again: one memory, or all that comes from somewhere. */
export type DoubtOf =
  | { readonly ref: Ref }
  | { readonly origin: 'actor' | 'door' | 'session'; readonly name: string }

/** One act of a history. The clock moves by `waitMs` before it, backwards too. */
export type Step = { readonly waitMs: number } & (
  | { readonly type: 'write'; readonly drafts: readonly [GateDraft, ...GateDraft[]] }
  | { readonly type: 'state'; readonly to: LifecycleState; readonly by: By }
  | { readonly type: 'policy'; readonly name: PolicyName; readonly by: By }
  | { readonly type: 'clock'; readonly by: By }
  | { readonly type: 'reject'; readonly ref: Ref; readonly by: By }
  | {
      readonly type: 'serve'
      readonly ref: Ref
      readonly tier: Tier
      readonly text: string
      readonly by: By
    }
  /** The link of a memory is removed. */
  | { readonly type: 'overrule'; readonly what: Ref; readonly by: By }
  | { readonly type: 'doubt'; readonly on: boolean; readonly what: DoubtOf; readonly by: By }
)

export interface History {
  readonly genesis: PolicyName
  /** Whether what was served is written down, and known again. */
  readonly recognises?: boolean
  readonly steps: readonly Step[]
}

/** A draft with nothing odd about it: the host's own words, seen first-hand. */
export const PLAIN: GateDraft = {
  kind: 'raw',
  ref: 'raw:01980000-0000-7000-8000-000000000000' as Ref, // of no memory
  saying: {
    phrase: 'All of it holds together',
    variant: 0,
    claim: {
      predicate: 'city',
      value: 'Berlin',
      start: null,
      end: null,
      holds: null,
      cardinality: 'Functional',
      criticality: 'Medium',
    },
  },
  door: 'lib',
  person: false,
  grant: null,
  label: 'ExternalFirstHand',
  sourceType: 'observation',
  actor: 'ann',
  document: null,
  confidence: 0.8,
  llmModel: null,
  parents: [],
  evidence: [],
  captures: [],
  supplied: { content: null, policy: null, tier: null, aheadMs: null },
  revises: null,
  quote: null,
}
