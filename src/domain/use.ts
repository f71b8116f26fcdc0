import type { Tier } from './doors.ts'

/** What something is read for: to talk, to plan, or to act on it. */
export const USES = ['chat', 'plan', 'act'] as const
export type Use = (typeof USES)[number]

/** Talking takes anything, shown with its tier; acting takes what was met with first-hand. */
export const DEFAULT_USES: Readonly<Record<Use, Tier>> = { chat: 0, plan: 1, act: 2 }
