import type { Timer } from '../ports/world.ts'

/** Lets everybody else on the event loop go first, in the midst of long work. */
export const givingWay = (timer: Timer) => (): Promise<void> =>
  new Promise((resolve) => void timer(0, resolve))
