/** A sentence of a person, and the memory for which a model quotes it. */
export interface QuoteCase {
  readonly why: FalseLift | 'honest' | 'leaves words out'
  /** Everything that the person typed. */
  readonly said: string
  /** The words that the model quotes; all of `said` where absent. */
  readonly quote?: string
  /** Subject, predicate and value of a claim, or the statement of a belief. */
  readonly memory: readonly [string, string, string] | string
}

export const FALSE_LIFTS = [
  'other subject',
  'denied',
  'asked',
  'reported',
  'conditional',
  'past',
  'other value',
  'pasted',
  'partial sentence',
  'joined sentences',
] as const
export type FalseLift = (typeof FALSE_LIFTS)[number]

type Row = readonly [said: string, memory: QuoteCase['memory'], quote?: string]

export const quoteRows = (why: QuoteCase['why'], list: readonly Row[]): readonly QuoteCase[] =>
  list.map(([said, memory, quote]) => ({
    why,
    said,
    memory,
    ...(quote === undefined ? {} : { quote }),
  }))
