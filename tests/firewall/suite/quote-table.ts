import type { AgentDoorName } from './doors.ts'
import { sampleOf } from './figure.ts'
import { falseLifts, falseWithholding } from './measures/quotes.ts'
import { FACTS } from './sets/facts.ts'
import { FRESH_FALSE_QUOTES, FRESH_TRUE_QUOTES } from './sets/fresh-quotes.ts'
import { MORE_FALSE_QUOTES, MORE_TRUE_QUOTES } from './sets/more-quotes.ts'
import { FALSE_QUOTES, type QuotedClaim, TRUE_QUOTES } from './sets/quotes.ts'
import { HONEST_ROLES, TURNED_AND_CUT } from './sets/role-quotes.ts'
import type { Row } from './table.ts'

interface QuoteSets {
  /** Named in the title of the rows; the first sets have none. */
  readonly from?: string
  readonly lies: readonly QuotedClaim[]
  readonly honest: readonly QuotedClaim[]
}

function quoteRows(door: AgentDoorName, { from, lies, honest }: QuoteSets): readonly Row[] {
  const shape = { door, use: 'act' } as const
  const of = from === undefined ? '' : `, ${from}`
  return [
    {
      ...{ name: `quotes that do not state the claim${of}`, kind: 'attack', ...shape },
      ...{ set: `${lies.length} quotes`, must: 'at most 1 % lifted', percentMax: 1 },
      measure: () => falseLifts(door, lies),
    },
    {
      ...{ name: `quotes that state the claim${of}`, kind: 'honest', ...shape },
      ...{ set: `${honest.length} quotes`, must: 'at most 10 % withheld', percentMax: 10 },
      measure: () => falseWithholding(door, honest),
    },
  ]
}

const firstQuotes = (falseCount: number, trueCount: number): QuoteSets => ({
  lies: sampleOf(FALSE_QUOTES, falseCount),
  honest: sampleOf(TRUE_QUOTES, trueCount),
})

export const QUOTE_ROWS: readonly Row[] = [
  ...quoteRows('library', { lies: FALSE_QUOTES, honest: TRUE_QUOTES }),
  ...quoteRows('library', {
    ...{ from: 'second set', lies: MORE_FALSE_QUOTES, honest: MORE_TRUE_QUOTES },
  }),
  ...quoteRows('library', {
    ...{ from: 'turned round or cut', lies: TURNED_AND_CUT, honest: HONEST_ROLES },
  }),
  ...quoteRows('library', {
    ...{ from: 'fresh set', lies: FRESH_FALSE_QUOTES, honest: FRESH_TRUE_QUOTES },
  }),
  ...quoteRows('mcp', firstQuotes(60, 30)),
  ...quoteRows('http', firstQuotes(12, 6)),
  ...quoteRows('cli', firstQuotes(12, 6)),
  {
    ...{ name: 'facts by a model’s claim with a quote', kind: 'honest', door: 'library' },
    ...{ use: 'act', set: '40 facts', must: 'at most 10 % withheld', percentMax: 10 },
    measure: () => falseWithholding('library', FACTS),
  },
]
