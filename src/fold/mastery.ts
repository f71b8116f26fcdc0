import type { PlaybookBody } from '../domain/kinds/playbook.ts'

export type Mastery = PlaybookBody['masteryLevel']

/** So many uses, of which so many went well; the first that fits. */
const LEVELS: readonly (readonly [level: Mastery, usesMin: number, successMin: number])[] = [
  ['expert', 20, 0.9],
  ['proficient', 10, 0.8],
  ['competent', 5, 0.7],
]

/** How well something is mastered, by how it has gone: what fails again and again is not mastered. */
export const masteryOf = (timesUsed: number, successRate: number): Mastery =>
  LEVELS.find(([, uses, success]) => timesUsed >= uses && successRate >= success)?.[0] ?? 'novice'

/** A playbook after one more use. */
export function usedOnce(
  body: PlaybookBody,
  { hasSucceeded, at }: { readonly hasSucceeded: boolean; readonly at: PlaybookBody['lastUsed'] },
): PlaybookBody {
  const timesUsed = body.timesUsed + 1
  // Counted in whole uses, so that no share of one gets lost on the way.
  const succeeded = Math.round(body.successRate * body.timesUsed) + (hasSucceeded ? 1 : 0)
  const successRate = succeeded / timesUsed
  const used = { timesUsed, successRate, masteryLevel: masteryOf(timesUsed, successRate) }
  return { ...body, ...used, ...(at === undefined ? {} : { lastUsed: at }) }
}
