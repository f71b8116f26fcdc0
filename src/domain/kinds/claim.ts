import { z } from 'zod'
import { once } from '../errors.ts'
import { GRANULARITIES } from '../time.ts'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, instant, jsonValue, shortText, unitInterval } from './fields.ts'
import { sortedJson } from './json-value.ts'

const granularity = once(() => z.enum(GRANULARITIES).nullable().default(null))

export const CARDINALITIES = ['Functional', 'SetValued', 'Unknown'] as const
export type Cardinality = (typeof CARDINALITIES)[number]

/** In rising order. */
export const CRITICALITIES = ['Low', 'Medium', 'High', 'Critical'] as const
export type Criticality = (typeof CRITICALITIES)[number]

/** Null means unknown or open. The gate quarantines an impossible window; the shape stays valid. */
const validTime = once(() =>
  z.strictObject({
    start: instant().nullable().default(null),
    end: instant().nullable().default(null),
    startGranularity: granularity(),
    endGranularity: granularity(),
    confidence: unitInterval().default(1), // a date without a stated confidence counts as certain
  }),
)

const body = () =>
  z.strictObject({
    subject: shortText(),
    predicate: shortText(),
    value: jsonValue(),
    cardinality: z.enum(CARDINALITIES).default('Functional'),
    validTime: validTime().prefault({}),
    criticality: z.enum(CRITICALITIES).default('Medium'),
    /** The caller states that the value is true already, or only planned. */
    holds: z.enum(['already', 'planned']).nullable().default(null),
    ...common(),
  })

export type ClaimBody = StoredBody<typeof body>
export type ClaimInput = GivenBody<typeof body>

export const claimValueText = ({ value }: Pick<ClaimBody, 'value'>): string =>
  typeof value === 'string' ? value : sortedJson(value)

/** A value asserted for a subject and predicate, over a stretch of time. */
export const claim: KindDefinition<ClaimBody> = defineKind<ClaimBody>({
  kind: 'claim',
  body,
  text: (body) => `${body.subject} ${body.predicate} ${claimValueText(body)}`,
  asserts: true,
  sources: { min: 1, from: ['raw', 'episode', 'note', 'claim'], revises: false },
  decay: { rate: 0.01, periodDays: 30, floor: 0.5 },
  load: { base: 0.55 },
  facets: { subtype: 'cardinality', name: 'subject' },
  confidence: 0.8,
  isProtected: () => false,
})
