import { z } from 'zod'
import { once } from '../errors.ts'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import {
  common,
  count,
  instant,
  lines,
  listField,
  optionalText,
  shortText,
  text,
  unitInterval,
} from './fields.ts'

const step = once(() =>
  z.strictObject({
    action: text(),
    details: optionalText(),
    adaptations: optionalText(),
  }),
)

const body = () =>
  z.strictObject({
    name: shortText(),
    description: text(),
    triggerConditions: listField(text()),
    steps: listField(step()),
    failureModes: listField(text()),
    recoverySteps: listField(text()),
    masteryLevel: z.enum(['novice', 'competent', 'proficient', 'expert']).default('novice'),
    timesUsed: count().default(0),
    successRate: unitInterval().default(0),
    lastUsed: instant().exactOptional(),
    ...common(),
  })

export type PlaybookBody = StoredBody<typeof body>
export type PlaybookInput = GivenBody<typeof body>

/** Instructions for a task, learnt by doing. */
export const playbook: KindDefinition<PlaybookBody> = defineKind<PlaybookBody>({
  kind: 'playbook',
  body,
  text: ({ name, description, triggerConditions, steps }) =>
    lines(name, description, ...triggerConditions, ...steps.map(({ action }) => action)),
  asserts: true,
  sources: { min: 1, from: ['episode', 'belief'], revises: true },
  decay: null,
  load: { base: 0.5 },
  facets: { subtype: 'masteryLevel', name: 'name' },
  confidence: 0.8,
  isProtected: () => false,
})
