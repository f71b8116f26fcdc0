import type { Tier } from './doors.ts'

/** Purposes of a read: to talk, to plan, or to act on the memory. */
export const USES = ['chat', 'plan', 'act'] as const
export type Use = (typeof USES)[number]

/** The stricter of two uses: the later in the list takes a higher tier. */
export const stricterUse = (a: Use, b: Use): Use => (USES.indexOf(a) >= USES.indexOf(b) ? a : b)

/** Talking takes every tier and shows the tier; acting takes first-hand memories. */
export const DEFAULT_USES: Readonly<Record<Use, Tier>> = { chat: 0, plan: 1, act: 2 }
