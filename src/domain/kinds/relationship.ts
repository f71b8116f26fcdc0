import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, count, instant, lines, optionalText, shortText, signedUnit } from './fields.ts'

const body = () =>
  z.strictObject({
    entityName: shortText(),
    entityId: shortText().exactOptional(),
    entityType: shortText().default('person'),
    relationshipType: shortText(),
    notes: optionalText(),
    sentiment: signedUnit().default(0),
    interactionCount: count().default(0),
    lastInteraction: instant().exactOptional(),
    ...common(),
  })

export type RelationshipBody = StoredBody<typeof body>
export type RelationshipInput = GivenBody<typeof body>

/** The agent's relation to another being: a person, an agent, a service. */
export const relationship: KindDefinition<RelationshipBody> = defineKind<RelationshipBody>({
  kind: 'relationship',
  body,
  text: ({ entityName, relationshipType, notes }) =>
    lines(`${entityName}: ${relationshipType}`, notes),
  asserts: true,
  sources: { min: 1, from: ['episode'], revises: false },
  decay: { rate: 0.01, periodDays: 30, floor: 0.5 },
  load: { base: 0.3 },
  facets: { subtype: 'entityType', name: 'entityName' },
  confidence: 0.8,
  isProtected: () => false,
})
