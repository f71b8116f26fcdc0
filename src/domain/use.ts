import type { Tier } from './doors.ts'

/** What something is read for: to talk, to plan, or to act on it. */
export const USES = ['chat', 'plan', 'act'] as const
export type Use = (typeof USES)[number]

/** The stricter of two uses: the later in the list takes a higher tier. */
export const stricterUse = (a: Use, b: Use): Use => (USES.indexOf(a) >= USES.indexOf(b) ? a : b)

/** Talking takes anything, shown with its tier; acting takes what was met with first-hand. */
export const DEFAULT_USES: Readonly<Record<Use, Tier>> = { chat: 0, plan: 1, act: 2 }
