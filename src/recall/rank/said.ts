import { once } from '../../domain/errors.ts'
import { termsOf } from '../../domain/words/terms.ts'

// Speech acts read from the terms of a text. Terms come stemmed, without marks and capitals.

const stems = (words: string): (() => ReadonlySet<string>) => once(() => new Set(termsOf(words)))

const questionWords = stems('what how why where who when which any')
const turning = stems('do did are have can could would is was will')
const turned = stems('you your it there that they')

/** True for a text that asks a question. */
export function isAsking(terms: readonly string[]): boolean {
  return terms.some(
    (term, at) =>
      questionWords().has(term) || (turning().has(term) && turned().has(terms[at + 1] ?? '')),
  )
}

const times = stems(
  'yesterday today tonight tomorrow last next ago week weekend month year ' +
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'january february march april may june july august september october november december ' +
    'since recently just',
)
const YEAR = /^(?:19|20)\d\d$/

const HOUR = /^(?:[01]?\d|2[0-3])$/
const MINUTE = /^[0-5]\d$/

/** Names of days and months, years, and clock times such as 9:30. */
export const namesTime = (terms: readonly string[]): boolean =>
  terms.some(
    (term, at) =>
      times().has(term) || YEAR.test(term) || (HOUR.test(term) && MINUTE.test(terms[at + 1] ?? '')),
  )

const DIGIT = /\d/

export const namesNumber = (terms: readonly string[]): boolean =>
  terms.some((term) => DIGIT.test(term))

const orders = stems('always never')
const please = stems('please')
// Each opening begins with a distinct term, so the first term finds the opening.
const openings = once(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(
      ['from now on', 'remember to', 'make sure', "don't", 'do not'].map((opening) => {
        const [first = '', ...rest] = termsOf(opening)
        return [first, rest]
      }),
    ),
)
const prefer = stems('prefer rather')
const beforePrefer = stems('i d would always really my')

/** A standing request: "always …", "from now on …", "I prefer …". */
export function isStandingWish(terms: readonly string[]): boolean {
  const start = please().has(terms[0] ?? '') ? 1 : 0
  const first = terms[start] ?? ''
  if (orders().has(first)) return true
  const rest = openings().get(first)
  if (rest?.every((term, at) => terms[start + 1 + at] === term)) return true
  const [preferring, before] = [prefer(), beforePrefer()]
  return terms.some((term, at) => preferring.has(term) && before.has(terms[at - 1] ?? ''))
}
