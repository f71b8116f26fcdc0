import type { Dimension, Dimensions } from './scores.ts'

/** What would help, worst first. */
export interface Action {
  readonly dimension: Dimension
  readonly score: number
  readonly action: string
  readonly what: string
}

const WORRYING_ABOVE = 50 // scores that call for something to be done

const HELPS: Readonly<Record<Dimension, readonly [action: string, what: string]>> = {
  contextPressure: ['checkpoint', 'Save the working state and begin with a fresh context.'],
  unsavedWork: ['checkpoint', 'Save the working state.'],
  consolidationDebt: ['process', 'Draw lessons from episodes that have none.'],
  rawAging: ['process', 'Make something of captures that have waited for more than a day.'],
  identityCoherence: ['verify', 'Find evidence for values and beliefs that are held loosely.'],
  memoryUncertainty: ['uncertain', 'Verify, correct or let go of what is uncertain.'],
  epochStaleness: ['epoch', 'Close the epoch and look back on it.'],
}

export const actionsFor = (dimensions: Dimensions): readonly Action[] =>
  (Object.entries(dimensions) as [Dimension, number][]) // made of these names
    .filter(([, score]) => score > WORRYING_ABOVE)
    .sort(([, a], [, b]) => b - a)
    .map(([dimension, score]) => {
      const [action, what] = HELPS[dimension]
      return { dimension, score, action, what }
    })
