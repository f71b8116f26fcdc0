import type { Observation } from './observe.ts'
import type { Performed } from './perform.ts'
import type { Sim } from './sim.ts'

/** One step: the state before, the act, and the state after. */
export interface Step {
  readonly sim: Sim
  readonly before: Observation
  readonly after: Observation
  readonly performed: Performed
}

/** Throws when the named promise is broken after a step. */
export type Check = (step: Step) => void | Promise<void>

/** The first few findings, short enough for one line. */
export function mustBeNone(found: readonly unknown[], what: string): void {
  if (found.length === 0) return
  const shown = found.slice(0, 3).map((each) => JSON.stringify(each))
  throw new Error(`${what}: ${shown.join(', ')}${found.length > 3 ? ', …' : ''}`)
}

export function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what)
}
