import type { Withheld } from '../../engine/read/use-gate.ts'

/** Heads memories of the personal stack wherever they appear with a project's. */
export const PERSONAL_HEADING =
  'From the person’s own stack “personal”, which this project can read and not write:'

/** The personal stack's share of working memory is one part in this many. */
export const PERSONAL_SHARE = 4

type Counted = Pick<Withheld, 'count' | 'tierMin'>

/**
 * A person's own words count for every use: saying the words again is the single step to confirm.
 */
export const CONFIRM_NOTE = 'A person says it in their own words: muniment note "…"'

export const confirmClaim = (subject: string, predicate: string): string =>
  `A person says it in their own words: muniment claim ${quoted(subject)} ${quoted(predicate)} "…"`

const quoted = (word: string): string => JSON.stringify(word)

/** The number of memories withheld from a use, and the step to make them count. */
export const withheldSentence = ({ count, tierMin }: Counted, step: string): string =>
  `${count} more ${count === 1 ? 'matches and is' : 'match and are'} withheld: this use takes tier ${tierMin}. ${step}.`
