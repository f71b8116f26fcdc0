import type { Env, Output } from '../host.ts'
import { type Ink, inkFor } from './ink.ts'

/** Facts about the page that every renderer needs. */
export interface Page {
  readonly ink: Ink
  readonly now: number
  /** Characters in a line. */
  readonly width: number
}

const WIDTH_MIN = 60
const WIDTH_MAX = 120 // longer lines are hard to read
const WIDTH_PIPED = 100

export const pageFor = (output: Output, env: Env, now: number): Page => ({
  ink: inkFor(output, env),
  now,
  // A terminal of unknown width reports 0.
  width: output.isTerminal
    ? Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, output.columns || WIDTH_PIPED))
    : WIDTH_PIPED,
})
