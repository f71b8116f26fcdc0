import * as fastCheck from '../../node_modules/fast-check/lib/fast-check.js'
import {
  chosenSeed,
  exploration,
  FIXED_SEED,
  failingSeedsAt,
  freshSeeds,
  nextPlace,
  type PropertyPlace,
  reportFailure,
} from './exploration.ts'

// vitest.config.ts resolves `fast-check` to this file, so that every property takes its seed here.

export * from '../../node_modules/fast-check/lib/fast-check.js'

/** Seed of one run, and for a repeated failure the path to its smallest case. */
interface Run {
  readonly seed: number
  readonly path: string
}

fastCheck.configureGlobal({ ...fastCheck.readConfigureGlobal(), seed: FIXED_SEED })

/** Repeats every failure that was ever found, then checks the property from the fixed seed. */
export function assert<Values>(
  property: fastCheck.IAsyncProperty<Values>,
  parameters?: fastCheck.Parameters<Values>,
): Promise<void>
export function assert<Values>(
  property: fastCheck.IProperty<Values>,
  parameters?: fastCheck.Parameters<Values>,
): void
export function assert<Values>(
  property: fastCheck.IAsyncProperty<Values> | fastCheck.IProperty<Values>,
  parameters?: fastCheck.Parameters<Values>,
): Promise<void> | void {
  const place = nextPlace()
  return isAsync(property)
    ? assertAsync(property, place, parameters)
    : assertSync(property, place, parameters)
}

const isAsync = <Values>(
  property: fastCheck.IAsyncProperty<Values> | fastCheck.IProperty<Values>,
): property is fastCheck.IAsyncProperty<Values> => property.isAsync()

async function assertAsync<Values>(
  property: fastCheck.IAsyncProperty<Values>,
  place: PropertyPlace,
  parameters?: fastCheck.Parameters<Values>,
): Promise<void> {
  for (const run of runsAt(place)) {
    const check = (path: string) => fastCheck.check(property, { ...parameters, ...run, path })
    const details = await check(run.path).catch((error: unknown) => check(pathAfter(error)))
    if (details.failed) fail(place, details, await fastCheck.asyncDefaultReportMessage(details))
  }
}

function assertSync<Values>(
  property: fastCheck.IProperty<Values>,
  place: PropertyPlace,
  parameters?: fastCheck.Parameters<Values>,
): void {
  for (const run of runsAt(place)) {
    const check = (path: string) => fastCheck.check(property, { ...parameters, ...run, path })
    const details = attempt(
      () => check(run.path),
      (error) => check(pathAfter(error)),
    )
    if (details.failed) fail(place, details, fastCheck.defaultReportMessage(details))
  }
}

function attempt<Result>(first: () => Result, otherwise: (error: unknown) => Result): Result {
  try {
    return first()
  } catch (error) {
    return otherwise(error)
  }
}

/** A generator that changed since leaves a path that leads nowhere: the seed alone is run then. */
function pathAfter(error: unknown): string {
  if (error instanceof Error && error.message.startsWith('Unable to replay')) return ''
  throw error
}

function* runsAt(place: PropertyPlace): Generator<Run> {
  if (chosenSeed !== null) {
    yield { seed: chosenSeed, path: '' }
  } else if (exploration === null) {
    for (const { seed, path = '' } of failingSeedsAt(place)) yield { seed, path }
    yield { seed: FIXED_SEED, path: '' }
  } else {
    for (const seed of freshSeeds(exploration)) yield { seed, path: '' }
  }
}

function fail<Values>(
  place: PropertyPlace,
  { seed, counterexamplePath, errorInstance }: fastCheck.RunDetails<Values>,
  message: string | undefined,
): never {
  const error = new Error(message, { cause: errorInstance })
  reportFailure(place, { seed, path: counterexamplePath ?? '', error })
  throw error
}

// biome-ignore lint/style/noDefaultExport: stands for fast-check, which has a default export
export default { ...fastCheck.default, assert }
