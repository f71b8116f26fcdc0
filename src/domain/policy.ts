import { z } from 'zod'
import {
  DEFAULT_USES,
  DOOR_RULES,
  DOORS,
  type Door,
  type DoorRule,
  type Tier,
  USES,
  type Use,
} from './doors.ts'
import { MunimentError, once } from './errors.ts'
import { type Hash, isHash, KINDS, RECORD_KINDS, type RecordKind } from './ids.ts'
import { readBy } from './issue-words.ts'
import type { ConfidenceDecay, LoadPriority, SourceRule } from './kinds/definition.ts'
import { KIND_TABLE } from './kinds/table.ts'
import { LABEL_NAMES } from './labels.ts'
import { LIMITS } from './limits.ts'
import {
  CHANGE_RULE_NAMES,
  DISPOSITIONS,
  type Disposition,
  RULE_NAMES,
  type RuleName,
} from './vocabulary.ts'
import {
  HEDGE_LEXICON,
  LINT_FRAGMENTS,
  LINT_PLACEHOLDERS,
  LINT_PREFIXES,
} from './words/lexicons.ts'
import {
  DEFAULT_FUSION,
  type Fusion,
  LATER_SIGNALS,
  SIGNALS,
  WORD_TABLE_SHA256,
} from './words/search.ts'
import { STATEMENT_RULES } from './words/stating-sentence.ts'

interface KindPolicy {
  readonly sources: SourceRule
  readonly asserts: boolean
  readonly decay: ConfidenceDecay | null
  readonly load: LoadPriority | null
}

/** Numbers and tables of the gate and the folds. Plain JSON, identified by its hash. */
export interface Policy {
  readonly format: 'muniment/policy/1'
  readonly rules: readonly RuleName[]
  readonly changeRules: readonly RuleName[]
  readonly kinds: Readonly<Record<RecordKind, KindPolicy>>
  readonly doors: Readonly<Record<Door, DoorRule>>
  readonly numbers: PolicyNumbers
  readonly limits: Readonly<Record<string, number>>
  /** SHA-256 of every word list of the gate, so a changed list is a changed policy. */
  readonly lexicons: Readonly<Record<string, Hash>>
  /** Dispositions of memories kept but believed by nobody. */
  readonly notBelieved: readonly Disposition[]
  /** The lowest tier that each use takes. */
  readonly uses: Readonly<Record<Use, Tier>>
  /** Weights of the signals of search, and the threshold for no answer. */
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
  quarantineBurstThreshold: 10, // identical writes of an actor …
  burstWindowMs: 600_000, // … inside this window; the next is quarantined
  tallyWindowMs: 600_000, // repeats of a refusal or collapse share a tally for this long
  derivationDepthCapForCurrencyBoost: 3, // inference hops; deeper claims refresh nothing
  derivationDepthCapForOverturning: 3, // inference hops; deeper claims displace nothing
  claimConfidenceFloor: 0.2, // an uncorroborated claim below this waits
  validTimeTrustedFrom: 0.7, // dates less sure than this bound nothing
  currencyLostPerDay: 0.05, // share of currency that an answer loses a day
  currencyDoubtPerAnchor: 0.5, // each independent first-hand anchor leaves this share of the doubt
  currencyOfModels: 0.25, // first currency of claims by models only
  currencyFreshDays: 30, // fresh for so many days since the last confirmation,
  currencyAgingDays: 90, // aging for so many, then decayed
  adjudicationTtlHours: 168, // an unanswered question to the oracle expires
  assessmentDistrustBelow: 0.3, // an actor scored below this speaks at tier 0 …
  assessmentDoubtBelow: 0.6, // … and below this at tier 1 at most
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
  strengthRecovered: 0.2, // strength of a recovered memory
  accessGain: 0.02, // an access adds this / (1 + accesses / damping)
  accessDamping: 10,
  verifyGain: 0.1, // an independent verification adds this to confidence …
  verifySourceGain: 0.02, // … and this to the strength of its sources
  reinforceGain: 0.05, // (ceiling − c) × this / (1 + damping × times)
  reinforceDamping: 0.1,
  reinforceCeiling: 0.99,
  salienceFloor: 0.1, // confidence × (ln(accesses + 1) + this) / (days / period + 1)
  forgetSalienceBelow: 0.05, // a dormant memory this little salient may be forgotten
  suggestionTtlHours: 168, // an unanswered suggestion expires
  echoLikelyFrom: 1_442, // 1,000 plus the thousandths of shared words from which texts are linked as a rewording
  proposalsPerActorMax: 64, // changes of an actor waiting for a person at a time
  tierByAnchorsMax: 3, // highest tier by first-hand captures of different actors and doors
  tierByQuoteMax: 2, // highest tier of a model's word by a checked quote of a person or a vouched capture
  tierOfVerdict: 3, // tier of a claim affirmed by a person in a contest
  hedgeOpenConfidenceMax: 0.5, // highest confidence of a firm memory whose source leaves the matter open …
  hedgeThoughtConfidenceMax: 0.75, // … or only thinks so
}

/** Numbers of older policies, read by nothing now. */
const RETIRED_NUMBERS = [
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

interface PolicyOverrides {
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
      words: WORD_TABLE_SHA256 as Hash, // a literal, checked against the file on reading
    },
    notBelieved: ['Quarantined', 'Rejected', 'Superseded', 'Invalidated'],
    uses: DEFAULT_USES,
    recall: DEFAULT_FUSION,
  }
}

/** While an actor floods with rewordings, half of the usual shared words make a rewording. */
export const likelyInFlood = ({ numbers }: Pick<Policy, 'numbers'>): number =>
  WHOLE_LIKENESS + Math.floor((numbers.echoLikelyFrom - WHOLE_LIKENESS) / 2)

const WHOLE_LIKENESS = 1_000 // base of every likeness; shared words add to the base

/** A kind newer than the policy: no assertion, no needed source, no decay. */
const UNNAMED: KindPolicy = {
  asserts: false,
  decay: null,
  load: null,
  sources: { from: [], min: 0, revises: false },
}

/** A policy's rules for a kind. Stacks keep the policy of their birth, however old. */
export const kindPolicyOf = ({ kinds }: Pick<Policy, 'kinds'>, kind: RecordKind): KindPolicy =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : UNNAMED

const share = once(() => z.number().min(0).max(1))
const WINDOW_MS_MAX = 3_155_760_000_000 // a hundred years; longer windows never end
const COUNT_MAX = 100_000

/** Divisors, which must not be zero. */
const isDivisor = (name: string): boolean => /PeriodDays|Damping$/.test(name)

const countOf = (name: string) =>
  z
    .int()
    .min(isDivisor(name) ? 1 : 0)
    .max(name.endsWith('Ms') ? WINDOW_MS_MAX : COUNT_MAX)

/** Shares stay within 0 to 1, counts stay whole, and every number in use is required. */
const numbers = () =>
  z.strictObject({
    ...Object.fromEntries(
      Object.entries(DEFAULT_NUMBERS).map(([name, value]) => [
        name,
        Number.isInteger(value) && name !== 'strengthAtBirth' ? countOf(name) : share(),
      ]),
    ),
    ...Object.fromEntries(RETIRED_NUMBERS.map((name) => [name, countOf(name).exactOptional()])),
  })

const kind = () =>
  z.strictObject({
    sources: z.strictObject({
      min: z.union([z.literal(0), z.literal(1)]),
      from: z.array(z.enum(KINDS)),
      revises: z.boolean(),
    }),
    asserts: z.boolean(),
    decay: z
      .strictObject({ rate: share(), periodDays: z.number().gt(0), floor: share() })
      .nullable(),
    load: z
      .strictObject({
        base: share(),
        bonus: z.strictObject({ from: z.string(), divisor: z.number().gt(0) }).exactOptional(),
        baseByScope: z.record(z.string(), share()).exactOptional(),
      })
      .nullable(),
  })

const tiers = () =>
  z.strictObject(
    Object.fromEntries(LABEL_NAMES.map((name) => [name, z.int().min(0).max(3).exactOptional()])),
  )
const door = () =>
  z.strictObject({ person: tiers(), other: tiers(), granted: tiers().exactOptional() })

const limits = () =>
  z.strictObject(
    Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, z.literal(value)])),
  )

const exactly = (names: readonly string[]) =>
  z.tuple(names.map((name) => z.literal(name)) as [z.ZodLiteral, ...z.ZodLiteral[]]) // not empty

const tier = once(() => z.int().min(0).max(3))
const WEIGHT_MAX = 1_000 // either way; a larger weight drowns every other signal
const weight = once(() => z.number().min(-WEIGHT_MAX).max(WEIGHT_MAX))

const recall = () =>
  z.strictObject({
    weights: z.strictObject(
      Object.fromEntries(
        SIGNALS.map((name) => [
          name,
          LATER_SIGNALS.includes(name) ? weight().exactOptional() : weight(),
        ]),
      ),
    ),
    calibration: z.strictObject({ slope: z.number().gt(0).max(WEIGHT_MAX), offset: weight() }),
    answer: z.strictObject({
      best: weight(),
      coverage: weight(),
      otherSaid: weight(),
      unsaid: weight().exactOptional(),
      offset: weight(),
      abstainBelow: share(),
    }),
    repeatShare: share(),
    repeatCost: z.number().min(0).max(WEIGHT_MAX),
  })

/** A policy is complete, with known names only. Rules and limits are listed, and fixed. */
const policy = once(() =>
  z.strictObject({
    format: z.literal('muniment/policy/1'),
    rules: exactly(RULE_NAMES),
    changeRules: exactly(CHANGE_RULE_NAMES),
    kinds: z.strictObject(Object.fromEntries(RECORD_KINDS.map((name) => [name, kind()]))),
    doors: z.strictObject(Object.fromEntries(DOORS.map((name) => [name, door()]))),
    numbers: numbers(),
    limits: limits(),
    lexicons: z.record(z.string(), z.custom<string>(isHash, 'expected 64 lower-case hex digits')),
    notBelieved: z.array(z.enum(DISPOSITIONS)),
    uses: z.strictObject(Object.fromEntries(USES.map((name) => [name, tier()]))),
    recall: recall(),
  }),
)

/** `unknown` becomes a policy here, once; every bad field is named. */
export function parsePolicy(value: unknown): Policy {
  const { data, issues } = readBy(policy(), value, { unknown: 'is not a field of a policy' })
  if (data !== null) return data as unknown as Policy // the schema is the type, written out
  throw new MunimentError('invalid_input', 'This is not a policy; the one in force stays.', {
    issues: issues.map(({ path, message }) => ({
      path: path === '' ? 'policy' : `policy.${path}`,
      message,
    })),
  })
}
