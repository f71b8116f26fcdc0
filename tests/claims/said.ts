import fc from 'fast-check'
import { CLAIM_WORDS } from '../../src/domain/claims.ts'
import { TIERS, type Tier } from '../../src/domain/doors.ts'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import { CARDINALITIES } from '../../src/domain/kinds/claim.ts'
import { LABEL_NAMES } from '../../src/domain/labels.ts'
import type { Instant } from '../../src/domain/time.ts'
import { DISPOSITIONS } from '../../src/domain/vocabulary.ts'
import type { LineClaim } from '../../src/fold/line-claims.ts'

/** One claim of a line, as plainly as it can be said. Years stand for dates, days for times. */
export interface Said {
  readonly value: string
  readonly by: string
  readonly label: (typeof LABEL_NAMES)[number]
  readonly tier: Tier
  readonly cardinality: (typeof CARDINALITIES)[number]
  readonly from: number | null
  readonly until: number | null
  readonly sure: number
  readonly confidence: number
  readonly depth: number | null
  readonly disposition: (typeof DISPOSITIONS)[number]
  readonly isForgotten: boolean
  readonly word: (typeof CLAIM_WORDS)[number] | null
  readonly endedAt: number | null
  /** The place in the line of the claim that overruled it. */
  readonly overruledBy: number | null
  /** On which day it was said, said again, and verified. */
  readonly day: number
  readonly again: number | null
  readonly verified: number | null
}

export const PLAIN: Said = {
  value: 'Berlin',
  by: 'ann',
  label: 'UserAsserted',
  tier: 3,
  cardinality: 'Functional',
  from: null,
  until: null,
  sure: 1,
  confidence: 0.8,
  depth: 0,
  disposition: 'CommittedCheap',
  isForgotten: false,
  word: null,
  endedAt: null,
  overruledBy: null,
  day: 0,
  again: null,
  verified: null,
}

const START = Date.UTC(2026, 0, 1)

export const dayAt = (day: number): Instant =>
  new Date(START + day * 86_400_000).toISOString() as Instant

export const yearAt = (year: number): Instant => `${year}-01-01T00:00:00.000Z` as Instant

const refAt = (place: number): Ref =>
  `claim:01980000-0000-7000-8000-${String(place).padStart(12, '0')}` as Ref

/** Only what a line is folded from; the fold looks at nothing else. */
export const stateOf = (said: Said, place: number): LineClaim => {
  const orNull = (year: number | null) => (year === null ? null : yearAt(year))
  const state = {
    ref: refAt(place),
    seq: 10 + place,
    bornAt: dayAt(said.day),
    restatedAt: said.again === null ? null : dayAt(said.again),
    verifiedAt: said.verified === null ? null : dayAt(said.verified),
    label: said.label,
    tier: said.tier,
    sourceId: said.by,
    identity: said.value as Hash,
    facets: { subtype: said.cardinality },
    disposition: said.disposition,
    strength: { value: said.isForgotten ? 0 : 1, at: dayAt(said.day) },
    confidence: { value: said.confidence, at: dayAt(said.day) },
    depthFarthest: said.depth,
    claim: {
      span: { from: orNull(said.from), until: orNull(said.until) },
      sure: said.sure,
      criticality: 'Medium',
      endedAt: orNull(said.endedAt),
      overruledBy: said.overruledBy === null ? null : refAt(said.overruledBy),
      word: said.word,
    },
  }
  return state as unknown as LineClaim // members that the fold never reads are left out
}

const year = fc.integer({ min: 2018, max: 2032 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 })

const said = fc.record({
  value: fc.constantFrom('Berlin', 'Paris', 'Rome'),
  by: fc.constantFrom('ann', 'bob', 'model'),
  label: fc.constantFrom(...LABEL_NAMES, 'UserAsserted' as const),
  tier: fc.constantFrom(...TIERS, 3 as const),
  cardinality: fc.constantFrom(...CARDINALITIES, 'Functional' as const, 'Functional' as const),
  from: fc.option(year),
  until: fc.option(year),
  sure: fc.constantFrom(1, 0.7, 0.69),
  confidence: fc.constantFrom(0.8, 0.8, 0.8, 0.1),
  depth: fc.constantFrom(0, 1, 3, 4, null),
  disposition: fc.constantFrom(...DISPOSITIONS),
  isForgotten: fc.constantFrom(false, false, false, true),
  word: maybe(fc.constantFrom(...CLAIM_WORDS)),
  endedAt: maybe(year),
  overruledBy: maybe(fc.nat({ max: 6 })),
  again: maybe(fc.nat({ max: 300 })),
  verified: maybe(fc.nat({ max: 300 })),
  wait: fc.nat({ max: 60 }),
})

/** A line of random claims, said one after the other. */
export const lines: fc.Arbitrary<readonly Said[]> = fc
  .array(said, { maxLength: 7 })
  .map((claims) => {
    let day = 0
    return claims.map(({ wait, ...claim }) => {
      day += wait
      return { ...claim, day }
    })
  })
