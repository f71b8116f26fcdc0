import { z } from 'zod'
import { once } from '../errors.ts'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { lines, listField, mapOf, memoryRef, shortText, unitInterval } from './fields.ts'

/** The domain that stands for all domains. */
export const GENERAL = 'general'

/** The trust in a being without any assessment. */
export const UNKNOWN_TRUST = 0.5

const dimension = once(() => z.strictObject({ score: unitInterval() }))

const authority = once(() =>
  z.strictObject({
    scope: shortText(),
    requiresEvidence: z.boolean().exactOptional(),
  }),
)

const body = () =>
  z.strictObject({
    entityId: shortText(),
    dimensions: mapOf(dimension()),
    authority: listField(authority()),
    evidence: listField(memoryRef()),
  })

export type AssessmentBody = StoredBody<typeof body>
export type AssessmentInput = GivenBody<typeof body>

/** The domain's score, else the general score, else the mean of all scores. */
export function scoreIn(dimensions: AssessmentBody['dimensions'], domain = GENERAL): number {
  const named = [domain, GENERAL].find((each) => Object.hasOwn(dimensions, each))
  const own = named === undefined ? undefined : dimensions[named]
  if (own) return own.score
  const scores = Object.values(dimensions).map(({ score }) => score)
  if (scores.length === 0) return UNKNOWN_TRUST
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** Trust in another being by domain, with the evidence. */
export const assessment: KindDefinition<AssessmentBody> = defineKind<AssessmentBody>({
  kind: 'assessment',
  body,
  text: ({ entityId, dimensions }) => lines(entityId, ...Object.keys(dimensions).sort()),
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  facets: { name: 'entityId' },
  weight: ({ dimensions }) => scoreIn(dimensions),
  confidence: 0.8,
  isProtected: () => false,
})
