import type { MemoryId } from '../domain/ids.ts'

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
  /** Milliseconds since some moment, sleep included, which setting the clock does not change. */
  steady?(): number
}

export interface IdSource {
  next(timeMs: number): MemoryId
}

/** Bytes nobody can predict. */
export type Random = (length: number) => Uint8Array

/** Calls back once, after so many milliseconds; what it returns calls that off. */
export type Timer = (ms: number, run: () => void) => () => void
