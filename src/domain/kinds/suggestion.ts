import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { jsonObject, lines, listField, memoryRef, optionalText, unitInterval } from './fields.ts'
import { stringsIn } from './json-value.ts'

export const SUGGESTED_KINDS = [
  'episode',
  'belief',
  'note',
  'goal',
  'relationship',
  'value',
  'drive',
] as const

export const SUGGESTION_STATUSES = [
  'pending',
  'promoted',
  'modified',
  'rejected',
  'dismissed',
  'expired',
] as const

const body = () =>
  z.strictObject({
    memoryType: z.enum(SUGGESTED_KINDS),
    /** The proposed body, checked only on acceptance: noise may be proposed too. */
    content: jsonObject(),
    confidence: unitInterval(),
    sourceRefs: listField(memoryRef()),
    status: z.enum(SUGGESTION_STATUSES).default('pending'),
    reason: optionalText(),
  })

export type SuggestionBody = StoredBody<typeof body>
export type SuggestionInput = GivenBody<typeof body>

/** A proposed memory, before or after an answer. */
export const suggestion: KindDefinition<SuggestionBody> = defineKind<SuggestionBody>({
  kind: 'suggestion',
  body,
  text: ({ content }) => lines(...stringsIn(content)),
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  facets: { subtype: 'memoryType', status: 'status' },
  confidence: 0.8,
  isProtected: () => false,
})
