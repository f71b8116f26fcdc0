import { openContractions } from './contractions.ts'
import { foldText } from './fold-text.ts'
import { once } from './once.ts'
import { relatedTerm } from './sentence-words.ts'
import { termsOf } from './terms.ts'

interface ImpliedRow {
  readonly predicates: string
  /** The form of a value that says the predicate by itself. */
  readonly value?: RegExp
  /** Words before the value that say the predicate. */
  readonly before?: string
}

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december'

/** "The standup is at 9:45" tells a time, and "the warehouse is in Antwerp" tells a city. */
const IMPLIED: readonly ImpliedRow[] = [
  {
    predicates: 'time hour clock start',
    value:
      /^\d{1,2}[:.]\d{2}$|^\d{1,2}(?::\d{2})? ?(?:am|pm)$|^(?:half past|quarter (?:past|to)) \p{L}+$|o'clock$|^(?:noon|midnight)$/iu,
  },
  {
    predicates: 'date day',
    value: new RegExp(`^\\d{1,2}\\.? (?:${MONTHS})|^\\d{4}-\\d{2}-\\d{2}$`, 'iu'),
  },
  { predicates: 'weekday day', value: /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/iu },
  {
    predicates: 'diet',
    value: /^(?:vegetarian|vegan|pescatarian|omnivore|gluten-free|kosher|halal)$/iu,
  },
  {
    predicates: 'amount price cost',
    value: /^[\d.,]+ ?(?:euros?|dollars?|pounds?|€|\$|£|usd|eur)$/iu,
  },
  {
    predicates: 'city town place location country region',
    before: '(?:am|is|are|live|lives|based|located|stands|lies|sits|stored|kept) in',
  },
  { predicates: 'origin source', before: 'comes? from' },
  { predicates: 'currency', before: 'pays? in' },
  {
    predicates: 'role title profession occupation job',
    before: "(?:i am|i'm|works? as|job as) (?:a|an|the)",
  },
]

const rows = once(() =>
  IMPLIED.map((row) => ({ ...row, terms: new Set(termsOf(row.predicates).map(relatedTerm)) })),
)

/** Whether a sentence says a predicate without a word for it; every word of the predicate counts. */
export const isImplied = (
  predicate: readonly string[],
  { value, said }: { readonly value: string; readonly said: string },
): boolean =>
  rows().some(
    ({ terms, value: form, before }) =>
      predicate.every((term) => terms.has(term)) &&
      (form?.test(value.trim()) === true || isBehind(value, { said, before })),
  )

function isBehind(
  value: string,
  { said, before }: { readonly said: string; readonly before: string | undefined },
): boolean {
  if (before === undefined) return false
  const [folded, name] = [openContractions(foldText(said)), foldText(value).trim()]
  const found = folded.matchAll(new RegExp(`(?<!\\p{L})${before} `, 'gu'))
  return [...found].some(({ index, 0: words }) => folded.startsWith(name, index + words.length))
}
