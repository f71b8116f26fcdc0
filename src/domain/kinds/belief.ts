import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, listField, optionalShortText, shortText, text } from './fields.ts'

export const BELIEF_TYPES = [
  'assumption',
  'causal',
  'constraint',
  'evaluative',
  'fact',
  'factual',
  'hypothesis',
  'learned',
  'model',
  'observation',
  'opinion',
  'pattern',
  'preference',
  'principle',
  'procedural',
  'rule',
  'strategy',
] as const

const body = () =>
  z.strictObject({
    statement: text(),
    beliefType: z.enum(BELIEF_TYPES).default('fact'),
    beliefScope: z.enum(['self', 'world', 'relational']).default('world'),
    sourceDomain: optionalShortText(),
    crossDomainApplications: listField(shortText()),
    abstractionLevel: z.enum(['specific', 'domain', 'universal']).default('specific'),
    ...common(),
  })

export type BeliefBody = StoredBody<typeof body>
export type BeliefInput = GivenBody<typeof body>

/** An opinion or fact in prose, formed from episodes, notes or claims. */
export const belief: KindDefinition<BeliefBody> = defineKind<BeliefBody>({
  kind: 'belief',
  body,
  text: ({ statement }) => statement,
  asserts: true,
  sources: { min: 1, from: ['episode', 'note', 'claim'], revises: true },
  decay: { rate: 0.01, periodDays: 30, floor: 0.5 },
  load: { base: 0.7, bonus: { from: 'confidence', divisor: 10 } },
  facets: { subtype: 'beliefType' },
  confidence: 0.8,
  isProtected: () => false,
})
