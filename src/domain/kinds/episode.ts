import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, lines, listField, signedUnit, tags, text, unitInterval } from './fields.ts'

const body = () =>
  z.strictObject({
    objective: text(),
    outcome: text(),
    outcomeType: z.enum(['success', 'failure', 'partial', 'unknown']).exactOptional(),
    lessons: listField(text()),
    repeat: listField(text()),
    avoid: listField(text()),
    emotionalValence: signedUnit().default(0),
    emotionalArousal: unitInterval().default(0),
    emotionalTags: tags().default([]),
    ...common(),
  })

export type EpisodeBody = StoredBody<typeof body>
export type EpisodeInput = GivenBody<typeof body>

/** An attempt, its outcome and its lessons. */
export const episode: KindDefinition<EpisodeBody> = defineKind<EpisodeBody>({
  kind: 'episode',
  body,
  text: ({ objective, outcome, lessons }) => lines(objective, outcome, ...lessons),
  asserts: false,
  sources: { min: 1, from: ['raw'], revises: false },
  decay: { rate: 0.01, periodDays: 30, floor: 0.5 },
  load: { base: 0.4 },
  facets: { subtype: 'outcomeType' },
  confidence: 0.8,
  isProtected: () => false,
})
