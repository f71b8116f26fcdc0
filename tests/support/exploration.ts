import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { expect, TestRunner } from 'vitest'
import { FAILING_SEEDS, type FailingSeed } from './failing-seeds.ts'
import { ROOT } from './project-files.ts'

/** Every property and simulation of `npm test` starts from this seed. */
export const FIXED_SEED = 1

export interface Exploration {
  /** No seed is drawn after this moment, in milliseconds since 1970. */
  readonly until: number
  /** The first round draws one seed for each property even so. */
  readonly isFirstRound: boolean
  /** Each property repeats with fresh seeds for this long. */
  readonly sliceMs: number
  /** Failures are appended to this file, one JSON object a line. */
  readonly report: string
}

/** Settings from `npm run explore`; null in `npm test`. */
export const exploration: Exploration | null = process.env.MUNIMENT_EXPLORATION
  ? (JSON.parse(process.env.MUNIMENT_EXPLORATION) as Exploration) // written by scripts/explore.ts
  : null

/** Seed that a person asked for: MUNIMENT_SEED repeats one run of every selected test. */
export const chosenSeed: number | null = process.env.MUNIMENT_SEED
  ? Number(process.env.MUNIMENT_SEED)
  : null

const SEED_LIMIT = 2 ** 31 - 1 // simulations take positive numbers of 31 bits

const freshSeed = (): number => randomInt(1, SEED_LIMIT)

/**
 * Seeds for one property, until its time slice has passed. Once the time of the exploration is over
 * there is no seed, and the test is skipped: many tests count their cases, and none has run.
 */
export function* freshSeeds({ until, sliceMs, isFirstRound }: Exploration): Generator<number> {
  const end = Math.min(Date.now() + sliceMs, until)
  if (isFirstRound) yield freshSeed()
  else if (Date.now() >= end)
    TestRunner.getCurrentTest()?.context.skip('The time of the exploration is over.')
  while (Date.now() < end) yield freshSeed()
}

/** Identity of the property that runs now. */
export type PropertyPlace = Pick<FailingSeed, 'file' | 'test' | 'property'>

let counted = { test: '', properties: 0 }

/** Counts the properties of a test in the order in which the test starts them. */
export function nextPlace(): PropertyPlace {
  const { testPath = '', currentTestName: test } = expect.getState()
  // In a hook vitest still names the test before, perhaps of another file.
  if (TestRunner.getCurrentTest() === undefined || test === undefined) {
    throw new Error('A property or a simulation runs outside a test. Move it into a test.')
  }
  const file = path.relative(ROOT, testPath).split(path.sep).join('/')
  const key = `${file} > ${test}`
  counted = { test: key, properties: counted.test === key ? counted.properties + 1 : 1 }
  return { file, test, property: counted.properties }
}

export const failingSeedsAt = ({ file, test, property }: PropertyPlace): readonly FailingSeed[] =>
  FAILING_SEEDS.filter((row) => row.file === file && row.test === test && row.property === property)

/** Keeps a failure for the summary of `npm run explore`; does nothing in `npm test`. */
export function reportFailure(
  place: PropertyPlace,
  failure: { readonly seed: number; readonly path?: string; readonly error: unknown },
): void {
  if (exploration === null) return
  const { error, ...found } = failure
  const message = error instanceof Error ? causeOf(error).message : String(error)
  appendFileSync(exploration.report, `${JSON.stringify({ ...place, ...found, message })}\n`)
}

/** The innermost error says what was wrong; the outer one of fast-check shows the values. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? causeOf(error.cause) : error
}
