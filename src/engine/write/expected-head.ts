import type { Uses } from '../engine.ts'
import { Overtaken } from './sequencer.ts'

const TRIES_MAX = 20 // after that, what was worked out is written all the same

/**
 * Looks and writes, and looks again where somebody else wrote in between: of two processes that would
 * propose the same, the second finds it known. Where others never leave off, the last look counts.
 */
export async function unlessOvertaken<T>(
  { strangers }: Pick<Uses, 'strangers'>,
  attempt: (knowing: number | null) => Promise<T>,
): Promise<T> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await attempt(await strangers())
    } catch (cause) {
      if (!(cause instanceof Overtaken)) throw cause
    }
  }
  return attempt(null)
}
