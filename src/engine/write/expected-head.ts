import type { Engine } from '../engine.ts'
import { HeadMovedError } from './sequencer.ts'

const TRIES_MAX = 20 // after so many tries the write no longer expects a head

/**
 * Repeats a read and a write until no other writer moved the head in between: of two processes with
 * an equal proposal, the second finds the first. Under constant foreign writes, the last read
 * counts.
 */
export async function retryAfterHeadMove<T>(
  { foreignMoves }: Pick<Engine, 'foreignMoves'>,
  attempt: (expectedMoves: number | null) => Promise<T>,
): Promise<T> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await attempt(await foreignMoves())
    } catch (cause) {
      if (!(cause instanceof HeadMovedError)) throw cause
    }
  }
  return attempt(null)
}
