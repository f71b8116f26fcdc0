import type { InvariantId } from './invariants.ts'

/** An invariant, or a seed requirement by its number. */
export type RequirementId = InvariantId | `${'P' | 'S' | 'F' | 'L'}-${number}`

/** One sentence of a conformance suite: what it shows, and how, for whatever is given. */
export interface Case<Given> {
  readonly ids: readonly RequirementId[]
  readonly title: string
  readonly run: (given: Given) => void | Promise<void>
}

/**
 * Makes a case of a conformance suite. It bears the name that tests use, and takes literals only,
 * so that one scan finds every citation.
 */
export const holds = <Given>(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  run: Case<Given>['run'],
): Case<Given> => ({ ids: typeof ids === 'string' ? [ids] : ids, title, run })

/** A case that shows what no requirement of the manifest says. */
export const shows = <Given>(title: string, run: Case<Given>['run']): Case<Given> => ({
  ids: [],
  title,
  run,
})

/** How a test that cites requirements is titled, in every runner. */
export const titleOf = (ids: readonly RequirementId[], title: string): string =>
  ids.length === 0 ? title : `[${ids.join(', ')}] ${title}`
