import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, optionalText, verbatim } from './fields.ts'

const body = () =>
  z.strictObject({
    content: verbatim(),
    capturedFrom: optionalText(),
    ...common(),
  })

export type RawBody = StoredBody<typeof body>
export type RawInput = GivenBody<typeof body>

/** Input word for word, before any interpretation. */
export const raw: KindDefinition<RawBody> = defineKind<RawBody>({
  kind: 'raw',
  body,
  text: ({ content }) => content,
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  facets: {},
  confidence: 1,
  isProtected: () => false,
})
