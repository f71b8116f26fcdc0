import type { InvariantId } from './invariants.ts'

/** An invariant, or a seed requirement by its number. */
export type RequirementId = InvariantId | `${'P' | 'S' | 'F' | 'L'}-${number}`

/**
 * One sentence of a conformance suite, with the code that shows the sentence for any given input.
 */
export interface Case<Given> {
  readonly ids: readonly RequirementId[]
  readonly title: string
  readonly run: (given: Given) => void | Promise<void>
}

/**
 * Makes a case of a conformance suite. The name matches the tests' helper, and arguments are
 * literals only, so that one scan finds every citation.
 */
export const holds = <Given>(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  run: Case<Given>['run'],
): Case<Given> => ({ ids: typeof ids === 'string' ? [ids] : ids, title, run })

/** A case outside the requirements of the manifest. */
export const shows = <Given>(title: string, run: Case<Given>['run']): Case<Given> => ({
  ids: [],
  title,
  run,
})

/** The title of a test with its requirement ids, in every runner. */
export const titleOf = (ids: readonly RequirementId[], title: string): string =>
  ids.length === 0 ? title : `[${ids.join(', ')}] ${title}`
