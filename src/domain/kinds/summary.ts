import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, instant, listField, memoryRef, shortText, text } from './fields.ts'

export const SUMMARY_SCOPES = ['month', 'quarter', 'year', 'decade', 'epoch'] as const

/** Shorter scopes: a summary may be made from them, and then stands for them. */
export const SHORTER_SCOPES: Readonly<
  Record<(typeof SUMMARY_SCOPES)[number], readonly (typeof SUMMARY_SCOPES)[number][]>
> = {
  month: [],
  quarter: ['month'],
  year: ['quarter', 'month'],
  decade: ['year', 'quarter', 'month'],
  epoch: ['year', 'quarter', 'month'],
}

const body = () =>
  z
    .strictObject({
      scope: z.enum(SUMMARY_SCOPES),
      periodStart: instant(),
      periodEnd: instant(),
      content: text(),
      keyThemes: listField(shortText()),
      covers: listField(memoryRef()),
      ...common(),
    })
    .refine(({ periodStart, periodEnd }) => periodStart <= periodEnd, {
      path: ['periodEnd'],
      error: 'may not be before periodStart',
    })

export type SummaryBody = StoredBody<typeof body>
export type SummaryInput = GivenBody<typeof body>

/** A summary of a stretch of time. A longer stretch comes to mind sooner. */
export const summary: KindDefinition<SummaryBody> = defineKind<SummaryBody>({
  kind: 'summary',
  body,
  text: ({ content }) => content,
  asserts: true,
  sources: { min: 1, from: ['episode', 'note', 'belief', 'summary'], revises: false },
  decay: null,
  load: {
    base: 0.35,
    baseByScope: { decade: 0.95, epoch: 0.85, year: 0.8, quarter: 0.5, month: 0.35 },
  },
  facets: { subtype: 'scope' },
  confidence: 0.8,
  isProtected: () => true,
})
