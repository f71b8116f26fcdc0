import { z } from 'zod'
import { defineKind, type GivenBody, type KindDefinition, type StoredBody } from './definition.ts'
import { common, lines, optionalText, text } from './fields.ts'

export const GOAL_STATUSES = ['active', 'completed', 'paused', 'dropped'] as const
/** The status of a goal that nobody pursues now; null for an active goal and for other kinds. */
export const restingStatus = (kind: string, status: unknown): string | null =>
  kind === 'goal' && typeof status === 'string' && status !== 'active' ? status : null

/** True once nothing is left to do for a goal. */
export const isFinished = (kind: string, status: unknown): boolean =>
  kind === 'goal' && (status === 'completed' || status === 'dropped')

export const GOAL_PRIORITIES = ['low', 'medium', 'high'] as const

const body = () =>
  z.strictObject({
    title: text(),
    description: optionalText(),
    goalType: z.enum(['task', 'aspiration', 'commitment', 'exploration']).default('task'),
    priority: z.enum(GOAL_PRIORITIES).default('medium'),
    status: z.enum(GOAL_STATUSES).default('active'),
    ...common(),
  })

export type GoalBody = StoredBody<typeof body>
export type GoalInput = GivenBody<typeof body>

/** An aim of the agent. The status changes by revision. */
export const goal: KindDefinition<GoalBody> = defineKind<GoalBody>({
  kind: 'goal',
  body,
  text: ({ title, description }) => lines(title, description),
  asserts: true,
  sources: { min: 1, from: ['episode', 'belief'], revises: false },
  decay: { rate: 0.01, periodDays: 30, floor: 0.5 },
  load: { base: 0.65 },
  facets: { subtype: 'goalType', status: 'status' },
  confidence: 0.8,
  isProtected: ({ goalType }) => goalType === 'aspiration' || goalType === 'commitment',
})
