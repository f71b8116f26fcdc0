import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, listField, shortText, text } from './fields.ts'

const body = () =>
  z.strictObject({
    content: text(),
    narrativeType: z.enum(['identity', 'developmental', 'aspirational']).default('identity'),
    keyThemes: listField(shortText()),
    unresolvedTensions: listField(text()),
    ...common(),
  })

export type SelfNarrativeBody = StoredBody<typeof body>
export type SelfNarrativeInput = GivenBody<typeof body>

/** The agent's past, present or intended self, told as a story. */
export const selfNarrative: KindDefinition<SelfNarrativeBody> = defineKind<SelfNarrativeBody>({
  kind: 'self_narrative',
  body,
  text: ({ content }) => content,
  asserts: true,
  sources: { min: 1, from: ['episode', 'belief', 'value', 'goal', 'drive'], revises: true },
  decay: null,
  load: { base: 0.9 },
  facets: { subtype: 'narrativeType' },
  confidence: 0.8,
  isProtected: () => false,
})
