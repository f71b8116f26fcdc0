import { termsOf } from '../../domain/terms.ts'

// What the terms of a text show of its manner. They come stemmed, without marks and capitals.

const stems = (words: string): ReadonlySet<string> => new Set(termsOf(words))

const QUESTION_WORDS = stems('what how why where who when which any')
const TURNING = stems('do did are have can could would is was will')
const TURNED = stems('you your it there that they')

/** Whether it asks something. */
export function isAsking(terms: readonly string[]): boolean {
  return terms.some(
    (term, at) =>
      QUESTION_WORDS.has(term) || (TURNING.has(term) && TURNED.has(terms[at + 1] ?? '')),
  )
}

const TIMES = stems(
  'yesterday today tonight tomorrow last next ago week weekend month year ' +
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'january february march april may june july august september october november december ' +
    'since recently just',
)
const YEAR = /^(?:19|20)\d\d$/

export const namesTime = (terms: readonly string[]): boolean =>
  terms.some((term) => TIMES.has(term) || YEAR.test(term))

const DIGIT = /\d/

export const namesNumber = (terms: readonly string[]): boolean =>
  terms.some((term) => DIGIT.test(term))

const ORDERS = stems('always never')
const PLEASE = stems('please')
const OPENINGS: readonly string[] = [
  'from now on',
  'remember to',
  'make sure',
  "don't",
  'do not',
].map((opening) => `${termsOf(opening).join(' ')} `)
const PREFER = stems('prefer rather')
const BEFORE_PREFER = stems('i d would always really my')

/** A wish that stands: "always …", "from now on …", "I prefer …". */
export function isStandingWish(terms: readonly string[]): boolean {
  const said = PLEASE.has(terms[0] ?? '') ? terms.slice(1) : terms
  if (ORDERS.has(said[0] ?? '')) return true
  const start = `${said.slice(0, 4).join(' ')} `
  return (
    OPENINGS.some((opening) => start.startsWith(opening)) ||
    terms.some((term, at) => PREFER.has(term) && BEFORE_PREFER.has(terms[at - 1] ?? ''))
  )
}
