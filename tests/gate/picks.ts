import fc from 'fast-check'
import { DOORS, TIERS } from '../../src/domain/doors.ts'
import { RECORD_KINDS } from '../../src/domain/ids.ts'
import { LABEL_NAMES, SOURCE_TYPES } from '../../src/domain/labels.ts'
import { LIFECYCLE_STATES } from '../../src/domain/vocabulary.ts'
import { PHRASES } from './sayings.ts'
import { POLICY_NUMBERS, type PolicyName } from './steps.ts'

/** Choices that a history is made of: numbers and names, which mean something only on the way. */

export const often = <T>(value: T, other: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other })

/** Around the ends of every window, and backwards. */
export const waitMs = fc.constantFrom(
  ...[0, 0, 0, 0, 1, 1_000, 60_000, 60_001, 120_000, 300_000],
  ...[600_000, 600_001, 1_800_000, 1_800_001, 86_400_000, -1, -3_600_000],
)

const instants = fc.constantFrom(
  '2019-05-01T00:00:00.000Z',
  '2024-02-29T12:00:00.000Z',
  '2040-01-01T00:00:00.000Z',
)

const claim = fc.record({
  predicate: fc.constantFrom('city', 'City ', 'diet'),
  value: fc.constantFrom('Berlin', ' BERLIN', 'Paris', 1, 1.5, ['Berlin'], ['a', 'b']),
  start: often<string | null>(null, instants, 4),
  end: often<string | null>(null, instants, 4),
  holds: fc.constantFrom(null, null, 'already' as const, 'planned' as const),
  cardinality: often('Functional', fc.constantFrom('SetValued', 'Unknown'), 6),
  criticality: often('Medium', fc.constant('High'), 4),
})

export const saying = fc.record({
  phrase: fc.constantFrom(...PHRASES),
  variant: often(0, fc.constantFrom(0, 1), 3),
  claim,
})

const grant = often(
  null,
  fc.dictionary(fc.constantFrom(...LABEL_NAMES), fc.constantFrom(...TIERS), {
    noNullPrototype: true,
  }),
  3,
)

/** How its caller came in. */
export const way = fc.record({
  door: fc.oneof(
    { weight: 3, arbitrary: fc.constant('lib' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...DOORS) },
  ),
  person: fc.boolean(),
  grant,
})

export const index = fc.nat(1_000)

/** Which parents: what fits, what is there, what is not there, itself, what comes of it. */
const parents = fc.record({
  how: fc.oneof(
    { weight: 12, arbitrary: fc.constant('fitting' as const) },
    { weight: 1, arbitrary: fc.constantFrom('any', 'missing', 'none', 'own', 'revised') },
  ),
  picks: fc.array(index, { minLength: 1, maxLength: 3 }),
})

export const draft = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('claim' as const) },
    { weight: 6, arbitrary: fc.constantFrom('note', 'belief') },
    { weight: 5, arbitrary: fc.constantFrom(...RECORD_KINDS) },
  ),
  saying,
  label: fc.constantFrom(...LABEL_NAMES),
  sourceType: fc.constantFrom(...SOURCE_TYPES),
  /** Whether a senseless pair or a wrong model is set right before it is sent. */
  isSensible: often(true, fc.constant(false), 30),
  /** Whether what the door does not allow is not tried. */
  isAllowed: often(true, fc.constant(false), 8),
  actor: fc.constantFrom('ann', 'bob', 'cleo'),
  document: often<string | null>(null, fc.constantFrom('letter', 'file'), 5),
  confidence: often(0.8, fc.constantFrom(0, 0.19, 0.2, 1), 4),
  parents,
  evidence: often<readonly number[]>([], fc.array(index, { minLength: 1, maxLength: 2 }), 8),
  isEvidenceReal: often(true, fc.constant(false), 6),
  captures: often(0, fc.constantFrom(1, 2), 3),
  capturePhrase: fc.constantFrom(...PHRASES),
  supplied: fc.record({
    content: often<'own' | 'other' | null>(null, fc.constantFrom('own', 'other'), 20),
    policy: often<PolicyName | null>(null, fc.constantFrom(...policyNames()), 30),
    tier: often(null, fc.constantFrom(...TIERS), 6),
    aheadMs: often<number | null>(null, fc.constantFrom(-1e9, 0, 300_000, 300_001), 15),
  }),
})

function policyNames(): PolicyName[] {
  return Object.keys(POLICY_NUMBERS) as PolicyName[] // its own keys
}

export const by = fc.record({
  door: often('lib' as const, fc.constantFrom(...DOORS), 6),
  person: fc.boolean(),
})

export const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('new' as const), waitMs, way, draft }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('spam' as const),
      waitMs,
      /** Which draft of before is sent again, under how many new ids. */
      which: index,
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('again' as const),
      waitMs,
      which: index,
      /** Whether it says something else under the same id this time. */
      isChanged: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('knot' as const),
      waitMs,
      which: index,
      /** How many memories lie between one and its own descendant. */
      between: fc.constantFrom(0, 1, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('siege' as const),
      waitMs,
      phrase: fc.constantFrom(...PHRASES.slice(0, 4)),
      actor: fc.constantFrom('ann', 'bob'),
      isRejected: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('batch' as const),
      waitMs,
      way,
      drafts: fc.array(draft, { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('revise' as const),
      waitMs,
      way,
      draft,
      which: index,
      version: fc.constantFrom('right', 'right', 'any', 'stale'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('state' as const),
      waitMs,
      to: often('ACTIVE' as const, fc.constantFrom(...LIFECYCLE_STATES), 2),
      by,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('policy' as const),
      waitMs,
      name: fc.constantFrom(...policyNames()),
      by,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('clock' as const), waitMs, by }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('clock' as const),
      // Back by an hour or by weeks, or ahead by years: the clock is right again after such a step.
      waitMs: fc.constantFrom(-3_600_000, -40 * 86_400_000, 3_300 * 86_400_000),
      by: fc.constant({ door: 'lib', person: false } as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('doubt' as const),
      waitMs,
      on: fc.boolean(),
      /** Whether what is trusted again was distrusted before. */
      isAimed: often(true, fc.constant(false), 4),
      which: index,
      what: fc.oneof(
        fc.constant('memory' as const),
        fc.record({
          origin: fc.constant('actor' as const),
          name: fc.constantFrom('ann', 'bob', 'cleo', 'nobody'),
        }),
        fc.record({ origin: fc.constant('door' as const), name: fc.constantFrom(...DOORS) }),
        fc.constant({ origin: 'session' as const, name: 'talk-1' }),
      ),
      by,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('serve' as const),
      waitMs,
      which: index,
      isLow: fc.boolean(),
      by: fc.record({
        door: fc.constantFrom('mcp' as const, 'mcp' as const, ...DOORS),
        person: often(false, fc.constant(true), 3),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('reject' as const),
      waitMs,
      which: index,
      isAimed: often(true, fc.constant(false), 4),
      by,
    }),
  },
)

/** Whether a history starts with one memory of every kind that others are made from. */
export const hasGround = often(true, fc.constant(false), 4)

export const genesis = fc.constantFrom(...policyNames())

export type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
export type DraftPick = Of<typeof draft>
export type WayPick = Of<typeof way>
export type StepPick = Of<typeof step> | QuarrelPick

/** Too long for every history; examples hold it. */
export interface QuarrelPick {
  readonly type: 'quarrel'
  readonly waitMs: number
  readonly actor: 'ann' | 'bob'
  readonly phrase: string
  /** Which word is taken back first: that on the memory, or that on who said it. */
  readonly isOwnFirst: boolean
}
