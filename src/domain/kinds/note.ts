import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, optionalShortText, optionalText, text } from './fields.ts'

export const NOTE_TYPES = [
  'decision',
  'diagnostic',
  'fact',
  'insight',
  'note',
  'observation',
  'procedure',
  'quote',
  'reference',
] as const

const body = () =>
  z.strictObject({
    content: text(),
    noteType: z.enum(NOTE_TYPES).default('note'),
    speaker: optionalShortText(),
    reason: optionalText(),
    ...common(),
  })

export type NoteBody = StoredBody<typeof body>
export type NoteInput = GivenBody<typeof body>

/** Content worth keeping alone: a decision, a quote, an observation. */
export const note: KindDefinition<NoteBody> = defineKind<NoteBody>({
  kind: 'note',
  body,
  text: ({ content }) => content,
  asserts: true,
  sources: { min: 1, from: ['raw'], revises: false },
  decay: { rate: 0.015, periodDays: 30, floor: 0.4 },
  load: { base: 0.35 },
  facets: { subtype: 'noteType' },
  confidence: 0.8,
  isProtected: () => false,
})
