import type { OriginKind } from '../../../src/domain/distrust.ts'
import type { Door, Tier } from '../../../src/domain/doors.ts'
import type { EntryOp } from '../../../src/domain/entry.ts'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import type { RecordKind, Ref } from '../../../src/domain/ids.ts'
import type { LabelName, SourceType } from '../../../src/domain/labels.ts'
import type { Disposition, LifecycleState, RuleName } from '../../../src/domain/vocabulary.ts'
import type { PolicyName, Saying } from '../steps.ts'

/** One entry of the ledger without its hashes: what a reader could check by hand. */
export interface Line {
  readonly op: EntryOp
  readonly time: number
  readonly unit: number
  /** `suggestion@` and its entry: the suggestion whose id only the engine knows. */
  readonly ref: Ref | NoiseName | null
  readonly revision: number | null
  readonly actor: string | null
  readonly door: Door | null
  readonly label: LabelName | null
  readonly tier: Tier | null
  readonly parents: readonly { readonly ref: Ref; readonly seq: number }[]
  readonly seals: boolean
  readonly policy: PolicyName | null
  readonly rule: RuleName | null
  readonly disposition: Disposition | null
  readonly reasons: readonly string[]
  readonly facts: Readonly<Record<string, unknown>>
}

export type NoiseName = `suggestion@${number}`

/** A memory as its last certificate describes it. */
export interface Remembered {
  readonly ref: Ref
  readonly kind: RecordKind
  readonly seq: number
  readonly revision: number
  readonly says: string
  readonly bytes: string
  readonly predicate: string | null
  readonly claim: Saying['claim']
  readonly text: string
  /** Captured for another memory. */
  readonly captured: boolean
  readonly label: LabelName
  readonly sourceType: SourceType
  readonly actor: string
  readonly door: Door
  readonly document: string | null
  readonly disposition: Disposition
  readonly tier: Tier
  /** The recorded tier, where it counts for less. */
  readonly recordedTier?: Tier
  readonly parents: readonly Ref[]
  readonly near: number | null
  readonly far: number | null
  readonly restatedAt: number | null
  readonly sure: number
  readonly sureAt: number
  /** Why it is not believed, by entries and by a word on itself, and what it was before. */
  readonly distrust: {
    readonly was: Disposition
    readonly origins: readonly number[]
    readonly own: boolean
  } | null
  readonly flags: readonly {
    readonly code: string
    readonly by: Ref | null
    readonly seq: number
  }[]
  /** The memory that this one says again in other words. */
  readonly rewordingOf: Ref | null
  /** Whose words a claim quotes. */
  readonly quotes: Ref | null
  /** A quote lifted its tier: of what, and the flags that took the lift away. */
  readonly lift?: {
    readonly of: Ref
    readonly from: Tier
    readonly to: Tier
    readonly lostBy: readonly number[]
  } | null
}

/** A first refusal or collapse, and the repeats since the last tally. */
export interface Counted {
  readonly about: Ref | null
  readonly actor: string | null
  readonly door: Door | null
  readonly rule: RuleName
  /** Of noise and proposals that are kept: what each says. */
  readonly phrase: string | null
  readonly entry: number
  readonly count: number
  readonly first: number | null
  readonly last: number | null
}

export interface BurstCount {
  readonly actor: string
  readonly says: string
  readonly times: readonly number[]
  readonly quarantined: Ref | null
}

export interface Result {
  readonly ref: Ref | null
  readonly rule: RuleName
  readonly disposition: Disposition
  readonly reasons: readonly string[]
  readonly tier: Tier | null
  readonly entry: number
  readonly captures: readonly Ref[]
  readonly isKept: boolean
}

export type Answer =
  | { readonly type: 'error'; readonly code: ErrorCode; readonly paths: readonly string[] }
  | { readonly type: 'written'; readonly results: readonly Result[] }
  | { readonly type: 'refused'; readonly index: number; readonly result: Result }
  | { readonly type: 'done'; readonly entry: number | null }
  | {
      readonly type: 'turned'
      readonly entry: number | null
      readonly memories: readonly string[]
      readonly flagged: readonly string[]
      readonly cleared: readonly string[]
      readonly proposed: number | null
    }
  | {
      readonly type: 'overruled'
      readonly entry: number | null
      readonly proposed: number | null
    }

export type Verdict =
  | { readonly type: 'error'; readonly code: ErrorCode; readonly paths: readonly string[] }
  | { readonly type: 'present'; readonly memory: Remembered }
  | { readonly type: 'propose'; readonly of: Remembered; readonly tags: readonly string[] }
  | {
      readonly type: 'refuse'
      readonly rule: RuleName
      readonly reasons: readonly string[]
      readonly facts: Readonly<Record<string, unknown>>
    }
  | {
      readonly type: 'collapse'
      readonly rule: RuleName
      readonly onto: Remembered
      readonly disposition: Disposition
      readonly reasons: readonly string[]
      readonly facts: Readonly<Record<string, unknown>>
    }
  | {
      readonly type: 'admit'
      readonly rule: RuleName
      readonly disposition: Disposition
      readonly reasons: readonly string[]
      readonly facts: Readonly<Record<string, unknown>>
    }

/** When a draft came: what the clock said, and the time it has in the ledger. */
export interface Moment {
  readonly reading: number
  readonly time: number
}

/** Everything that is true of a stack after some steps: plain lists, searched from end to end. */
export interface Book {
  state: LifecycleState
  policy: PolicyName
  lines: Line[]
  memories: Remembered[]
  counted: Counted[]
  bursts: BurstCount[]
  tombstones: { readonly says: string; readonly actor: string }[]
  /** Noise that was kept as a suggestion, under the name that lines give it. */
  noise: Remembered[]
  /** Where nothing is believed from, and the entry that says so. */
  doubts: { readonly origin: OriginKind; readonly name: string; readonly entry: number }[]
  /** The day that the clock shows, and what each door's readers of a day were served. */
  day: string
  served: {
    readonly at: Door
    readonly day: string
    readonly time: number
    readonly ref: Ref
    readonly tier: Tier
    readonly text: string
  }[]
  /** Whether what was served is written down, and known again. */
  recognises: boolean
  /** What models wrote and is known again. */
  written: {
    readonly actor: string
    readonly time: number
    readonly ref: Ref
    readonly text: string
  }[]
}

export const fold = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ')

/** What is said, without who said it: equal texts mean the same. */
export function meaning(kind: RecordKind, { phrase, variant, claim }: Saying): string {
  if (kind === 'assessment') return JSON.stringify([kind, variant === 0]) // of whom, not how much
  if (kind !== 'claim') return JSON.stringify([kind, fold(phrase)])
  const { predicate, value } = claim
  const folded = typeof value === 'number' ? value : [value].flat().map(fold)
  return JSON.stringify([kind, fold(predicate), Array.isArray(value), folded])
}

export const lineOf = (kind: RecordKind, { claim }: Saying): string | null =>
  kind === 'claim' ? fold(claim.predicate) : null

/** Equal exactly when the stored bodies are, byte for byte. */
export function bytesOf(kind: RecordKind, { phrase, variant, claim }: Saying): string {
  if (kind === 'claim') return JSON.stringify([kind, variant, claim])
  // Of whom, and how high: all that an assessment takes from a phrase.
  if (kind === 'assessment') return JSON.stringify([kind, variant === 0, phrase.length % 10])
  return JSON.stringify([kind, variant, phrase])
}

export const instant = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString()
