import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { jsonObject, shortText } from './fields.ts'

export const REPORT_TOPICS = ['model_call', 'processing', 'component', 'failure'] as const

export type ReportTopic = (typeof REPORT_TOPICS)[number]

const body = () =>
  z.strictObject({
    topic: z.enum(REPORT_TOPICS),
    /** The subject of the report: a transition, a component or a measure. */
    about: shortText(),
    /** Numbers, codes, refs and times. Never a memory's words: an erasure would miss the copy. */
    fields: jsonObject(),
  })

export type ReportBody = StoredBody<typeof body>
export type ReportInput = GivenBody<typeof body>

/** A note of the stack on its own work; the latest report guides the next run. */
export const report: KindDefinition<ReportBody> = defineKind<ReportBody>({
  kind: 'report',
  body,
  text: ({ topic, about }) => `${topic}: ${about}`,
  asserts: false,
  sources: { min: 0, from: [], revises: false },
  decay: null,
  load: null,
  facets: { subtype: 'topic', name: 'about' },
  confidence: 1,
  isProtected: () => false,
})
