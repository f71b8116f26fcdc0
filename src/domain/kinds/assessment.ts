import { z } from 'zod'
import type { GivenBody, StoredBody } from './body-types.ts'
import { defineKind, type KindDefinition } from './definition.ts'
import { lines, listField, mapOf, memoryRef, shortText, unitInterval } from './fields.ts'

const dimension = z.strictObject({ score: unitInterval })

const authority = z.strictObject({
  scope: shortText,
  requiresEvidence: z.boolean().exactOptional(),
})

const body = z.strictObject({
  entityId: shortText,
  dimensions: mapOf(dimension),
  authority: listField(authority),
  evidence: listField(memoryRef),
})

export type AssessmentBody = StoredBody<typeof body>
export type AssessmentInput = GivenBody<typeof body>

/** How far another being is trusted, in which matters, and on what evidence. */
export const assessment: KindDefinition<AssessmentBody> = defineKind<AssessmentBody>({
  kind: 'assessment',
  body,
  text: ({ entityId, dimensions }) => lines(entityId, ...Object.keys(dimensions).sort()),
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  confidence: 0.8,
  isProtected: () => false,
})
