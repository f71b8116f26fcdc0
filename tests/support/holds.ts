import { type TestContext, test } from 'vitest'
import { type Case, type RequirementId, titleOf } from '../../src/testing/manifest/case.ts'
import type { ManifestId } from '../manifest/manifest.ts'
import { exploration } from './exploration.ts'

/**
 * A test that shows a requirement of the manifest. Ids and title are literals, so that a scan of
 * the text finds every citation; `timeoutMs` is for the few that need longer than the rest.
 */
export function holds(
  ids: ManifestId | readonly ManifestId[],
  title: string,
  run: (context: TestContext) => void | Promise<void>,
  timeoutMs?: number,
): void {
  register(typeof ids === 'string' ? [ids] : ids, title, run, timeoutMs)
}

/** Registers every case of a conformance suite; `make` gives each a world of its own. */
export function runCases<Given>(
  cases: readonly Case<Given>[],
  make: (context: TestContext) => Given | Promise<Given>,
): void {
  for (const { ids, title, run } of cases) {
    register(ids, title, async (context) => run(await make(context)))
  }
}

function register(
  ids: readonly RequirementId[],
  title: string,
  run: (context: TestContext) => void | Promise<void>,
  timeoutMs?: number,
): void {
  const named = titleOf(ids, title)
  // An exploration repeats a property for longer than any test of `npm test` takes.
  if (timeoutMs === undefined || exploration !== null) test(named, run)
  else test(named, { timeout: timeoutMs }, run)
}
