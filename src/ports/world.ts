import type { MemoryId } from '../domain/ids.ts'

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
  /**
   * Milliseconds since a fixed moment, sleep included; setting the clock does not change the value.
   */
  steady?(): number
}

export interface IdSource {
  next(timeMs: number): MemoryId
}

/** Unpredictable bytes. */
export type Random = (length: number) => Uint8Array

/** Calls back once, after so many milliseconds; the returned function cancels the call. */
export type Timer = (ms: number, run: () => void) => () => void
