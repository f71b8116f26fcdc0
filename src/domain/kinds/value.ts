import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, shortText, text } from './fields.ts'

const body = () =>
  z.strictObject({
    name: shortText(),
    statement: text(),
    priority: z.int().min(0).max(100).default(50),
    ...common(),
  })

export type ValueBody = StoredBody<typeof body>
export type ValueInput = GivenBody<typeof body>

/** A principle that matters to the agent, with a priority. */
export const value: KindDefinition<ValueBody> = defineKind<ValueBody>({
  kind: 'value',
  body,
  text: ({ name, statement }) => `${name}: ${statement}`,
  asserts: true,
  sources: { min: 1, from: ['belief'], revises: false },
  decay: { rate: 0.005, periodDays: 60, floor: 0.7 },
  load: { base: 0.9, bonus: { from: 'priority', divisor: 1000 } },
  facets: { name: 'name' },
  confidence: 0.9,
  isProtected: () => true,
})
