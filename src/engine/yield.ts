import type { Timer } from '../ports/world.ts'

/** Yields to the event loop during long work. */
export const eventLoopYield = (timer: Timer) => (): Promise<void> =>
  new Promise((resolve) => void timer(0, resolve))
