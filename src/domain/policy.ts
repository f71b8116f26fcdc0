import { CHANGE_RULE_NAMES, type Disposition, RULE_NAMES, type RuleName } from './dispositions.ts'
import { DOOR_RULES, type Door, type DoorRule, type Tier } from './doors.ts'
import { DEFAULT_FUSION, type Fusion } from './fusion.ts'
import { HEDGE_LEXICON } from './hedges.ts'
import type { Hash } from './ids.ts'
import type { RecordKind } from './kind-names.ts'
import type { ConfidenceDecay, LoadPriority, SourceRule } from './kinds/definition.ts'
import { KIND_TABLE } from './kinds/table.ts'
import { LIMITS } from './limits.ts'
import { LINT_FRAGMENTS, LINT_PLACEHOLDERS, LINT_PREFIXES } from './lint-lexicon.ts'
import { STATEMENT_RULES } from './stating-sentence.ts'
import { DEFAULT_USES, type Use } from './use.ts'
import { WORD_TABLE_SHA256 } from './word-table.ts'

export interface KindPolicy {
  readonly sources: SourceRule
  readonly asserts: boolean
  readonly decay: ConfidenceDecay | null
  readonly load: LoadPriority | null
}

/** Every number and table the gate and the folds use. Plain JSON, identified by its hash. */
export interface Policy {
  readonly format: 'muniment/policy/1'
  readonly rules: readonly RuleName[]
  readonly changeRules: readonly RuleName[]
  readonly kinds: Readonly<Record<RecordKind, KindPolicy>>
  readonly doors: Readonly<Record<Door, DoorRule>>
  readonly numbers: PolicyNumbers
  readonly limits: Readonly<Record<string, number>>
  /** SHA-256 of every word list the gate reads, so that a changed list is a changed policy. */
  readonly lexicons: Readonly<Record<string, Hash>>
  /** Dispositions under which a memory is kept but believed by nobody. */
  readonly notBelieved: readonly Disposition[]
  /** The lowest tier that a use takes. */
  readonly uses: Readonly<Record<Use, Tier>>
  /** What each signal of search is worth, and when nothing answers. */
  readonly recall: Fusion
}

export interface PolicyNumbers {
  readonly quarantineBurstThreshold: number
  readonly burstWindowMs: number
  readonly tallyWindowMs: number
  readonly derivationDepthCapForCurrencyBoost: number
  readonly derivationDepthCapForOverturning: number
  readonly claimConfidenceFloor: number
  readonly validTimeTrustedFrom: number
  readonly currencyLostPerDay: number
  readonly currencyDoubtPerAnchor: number
  readonly currencyOfModels: number
  readonly currencyFreshDays: number
  readonly currencyAgingDays: number
  readonly adjudicationTtlHours: number
  readonly assessmentDistrustBelow: number
  readonly assessmentDoubtBelow: number
  readonly clockSkewMaxMs: number
  readonly lintCharsMin: number
  readonly lintCharsMax: number
  readonly lintNameCharsMin: number
  readonly strengthAtBirth: number
  readonly strengthLostPerPeriod: number
  readonly strengthPeriodDays: number
  readonly strengthPeriodDaysAspiration: number
  readonly strengthPeriodDaysCommitment: number
  readonly strengthLiftPerLogAccess: number
  readonly strengthFadingBelow: number
  readonly strengthWeakBelow: number
  readonly strengthDormantBelow: number
  readonly strengthRecovered: number
  readonly accessGain: number
  readonly accessDamping: number
  readonly verifyGain: number
  readonly verifySourceGain: number
  readonly reinforceGain: number
  readonly reinforceDamping: number
  readonly reinforceCeiling: number
  readonly salienceFloor: number
  readonly forgetSalienceBelow: number
  readonly suggestionTtlHours: number
  readonly echoLikelyFrom: number
  readonly proposalsPerActorMax: number
  readonly tierByAnchorsMax: number
  readonly tierByQuoteMax: number
  readonly tierOfVerdict: number
  readonly hedgeOpenConfidenceMax: number
  readonly hedgeThoughtConfidenceMax: number
}

export const DEFAULT_NUMBERS: PolicyNumbers = {
  quarantineBurstThreshold: 10, // identical writes of one actor …
  burstWindowMs: 600_000, // … inside this window; one more is quarantined
  tallyWindowMs: 600_000, // repeats of one refusal or collapse share a tally for this long
  derivationDepthCapForCurrencyBoost: 3, // inference hops; deeper claims refresh nothing
  derivationDepthCapForOverturning: 3, // inference hops; deeper claims displace nothing
  claimConfidenceFloor: 0.2, // an uncorroborated claim below it waits
  validTimeTrustedFrom: 0.7, // dates less sure than this bound nothing
  currencyLostPerDay: 0.05, // share of its currency that an answer loses a day
  currencyDoubtPerAnchor: 0.5, // each independent first-hand anchor leaves this share of the doubt
  currencyOfModels: 0.25, // what only models say begins with this
  currencyFreshDays: 30, // fresh for so many days since it was last confirmed,
  currencyAgingDays: 90, // aging for so many, then decayed
  adjudicationTtlHours: 168, // a question to the oracle that nobody answers expires
  assessmentDistrustBelow: 0.3, // an actor scored below it speaks at tier 0 …
  assessmentDoubtBelow: 0.6, // … below this one at tier 1 at most
  clockSkewMaxMs: 300_000, // how far a supplied timestamp may lie ahead of the engine's clock
  lintCharsMin: 10, // shortest belief or value statement
  lintCharsMax: 2_000, // longest belief or value statement
  lintNameCharsMin: 3, // shortest name of a value
  strengthAtBirth: 1, // how readily a new memory comes to mind
  strengthLostPerPeriod: 0.01, // untouched, strength falls by this …
  strengthPeriodDays: 30, // … every so many days,
  strengthPeriodDaysAspiration: 180, // for an aspiration this many,
  strengthPeriodDaysCommitment: 365, // for a commitment this many
  strengthLiftPerLogAccess: 0.001, // and is held up by this × ln(accesses + 1)
  strengthFadingBelow: 0.8, // strong above, fading below
  strengthWeakBelow: 0.5, // weak below: no longer loaded
  strengthDormantBelow: 0.2, // dormant below: no longer found
  strengthRecovered: 0.2, // what a recovered memory comes back with
  accessGain: 0.02, // one access adds this / (1 + accesses / damping)
  accessDamping: 10,
  verifyGain: 0.1, // an independent verification adds this to confidence …
  verifySourceGain: 0.02, // … and this to the strength of its sources
  reinforceGain: 0.05, // (ceiling − c) × this / (1 + damping × times)
  reinforceDamping: 0.1,
  reinforceCeiling: 0.99,
  salienceFloor: 0.1, // confidence × (ln(accesses + 1) + this) / (days / period + 1)
  forgetSalienceBelow: 0.05, // a dormant memory this little salient may be forgotten
  suggestionTtlHours: 168, // a suggestion nobody answers expires
  echoLikelyFrom: 1_442, // 1,000, and the thousandths of their words that two texts share, to be linked as a rewording
  proposalsPerActorMax: 64, // changes of one actor that may wait for a person at a time
  tierByAnchorsMax: 3, // what first-hand captures of different actors and doors lift a tier to at most
  tierByQuoteMax: 2, // what a checked quote of a person or a vouched capture lifts a model's word to
  tierOfVerdict: 3, // what a person affirms in a contest
  hedgeOpenConfidenceMax: 0.5, // what says for sure what its source leaves open is no surer …
  hedgeThoughtConfidenceMax: 0.75, // … and what its source only thinks, than this
}

/** Numbers of older policies that nothing reads any more. */
export const RETIRED_NUMBERS = [
  'echoCertainCoveredFrom',
  'echoCertainRepeatedFrom',
  'echoElsewhereCoveredFrom',
  'echoElsewhereRepeatedFrom',
  'phrasingsKept',
] as const

const kindPolicies = (): Record<RecordKind, KindPolicy> => {
  const rows = Object.entries(KIND_TABLE).map(([kind, { sources, asserts, decay, load }]) => [
    kind,
    { sources, asserts, decay, load },
  ])
  return Object.fromEntries(rows) as Record<RecordKind, KindPolicy> // KIND_TABLE is keyed by RecordKind
}

export interface PolicyOverrides {
  readonly numbers?: Partial<PolicyNumbers>
}

/** The default policy; `digest` is passed in because this room computes no hashes. */
export function buildPolicy(
  digest: (value: readonly string[]) => Hash,
  overrides: PolicyOverrides = {},
): Policy {
  return {
    format: 'muniment/policy/1',
    rules: RULE_NAMES,
    changeRules: CHANGE_RULE_NAMES,
    kinds: kindPolicies(),
    doors: DOOR_RULES,
    numbers: { ...DEFAULT_NUMBERS, ...overrides.numbers },
    limits: LIMITS,
    lexicons: {
      hedges: digest(HEDGE_LEXICON),
      lintFragments: digest(LINT_FRAGMENTS),
      lintPlaceholders: digest(LINT_PLACEHOLDERS),
      lintPrefixes: digest(LINT_PREFIXES),
      statements: digest(STATEMENT_RULES),
      words: WORD_TABLE_SHA256 as Hash, // a literal of the code, checked against the file when it is read
    },
    notBelieved: ['Quarantined', 'Rejected', 'Superseded', 'Invalidated'],
    uses: DEFAULT_USES,
    recall: DEFAULT_FUSION,
  }
}

/** While an actor floods with rewordings, half of the shared words make another. */
export const likelyInFlood = ({ numbers }: Pick<Policy, 'numbers'>): number =>
  WHOLE_LIKENESS + Math.floor((numbers.echoLikelyFrom - WHOLE_LIKENESS) / 2)

const WHOLE_LIKENESS = 1_000 // that every likeness has before those of its shared words
