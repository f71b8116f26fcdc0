import { FUNCTION_WORDS } from './function-words.ts'
import {
  isLightWord,
  isPersonWord,
  type SentenceWord,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'

type Test = (word: SentenceWord) => boolean

const LEADS = new Set(
  'way honestly frankly basically generally today currently sorry yes yeah hi hello thanks fyi well sure'.split(
    ' ',
  ),
)
const ADVERB = /^(?:\p{L}+ly|every|each|all|both|always|only|usually|often|mostly|about|[,;])$/u

const isFiller = (token: string): boolean =>
  FUNCTION_WORDS.has(token) ||
  isLightWord(token) ||
  isPersonWord(token) ||
  ADVERB.test(token) ||
  LEADS.has(token)

const says = (token: string | undefined, test: Test): boolean =>
  token !== undefined && sentenceWords(token).some(test)

/** "Since the outage we keep three replicas" tells since when. */
const SINCE = /^since (?:\p{L}+ ){1,3}?(?=(?:i|we|our|my|the)(?!\p{L}))/iu

/**
 * "In the worst case the job starts at 04:00": words of its own stand before the subject, and may bound
 * the sentence in any way. "My wife Elena is …" names the subject twice.
 */
export function hasForeignLead(said: string, isKnown: Test): boolean {
  // "It is not urgent, but the database runs on 5433" asserts what stands behind "but".
  const asserted = said.split(/[,;] but /iu).at(-1) ?? said
  const tokens = tokensOf(asserted.replace(SINCE, ''))
  for (const [at, token] of tokens.entries()) {
    if (/^(?:i|we)$/.test(token) || says(token, isKnown)) return false
    if (isFiller(token)) continue
    const isNamedTwice = /^(?:my|our)$/.test(tokens[at - 1] ?? '') && says(tokens[at + 1], isKnown)
    if (!isNamedTwice) return true
  }
  return false
}

interface ClaimWords {
  readonly isOfValue: Test
  readonly isOfPredicate: Test
  /** Words of the subject and the predicate. */
  readonly isOfClaim: Test
}

/**
 * "I play squash and watch tennis": other words stand between what is said of the subject and the value,
 * so that the value belongs to those. Members of a list may: "I speak Czech and Polish".
 */
export function isValueApart(
  said: string,
  { isOfValue, isOfPredicate, isOfClaim }: ClaimWords,
): boolean {
  const tokens = tokensOf(said)
  const value = tokens.findIndex((token) => says(token, isOfValue))
  if (value < 0) return false
  const predicate = tokens.findIndex((token) => says(token, isOfPredicate))
  const first = tokens.findIndex((token) => says(token, isOfClaim))
  // All words of a subject stand together: "spare parts".
  const behind = tokens.findIndex((token, at) => at > first && !says(token, isOfClaim))
  const subject = first < 0 ? first : behind - 1
  const claim = predicate >= 0 && predicate < value ? predicate : subject
  const between = tokens.slice(claim < value ? claim + 1 : 0, value)
  const isForeign = (token: string): boolean =>
    !isFiller(token) && !says(token, isOfValue) && !says(token, isOfClaim)
  const foreign = between.filter(isForeign)
  if (foreign.length === 0) return false
  // "The printer needs toner TN-2420" says what the number is.
  const isNumber = /\d/.test(tokens.slice(value, value + NUMBER_TOKENS_MAX).join(' '))
  if (isNumber && foreign.length === 1 && foreign[0] === between.at(-1)) return false
  if (predicate < 0 && foreign.length === 1 && isVerbAlone(between)) return false
  return !isListed(between)
}

/** "Releases are tagged on Wednesday": one verb stands between the subject and the value. */
const isVerbAlone = (between: readonly string[]): boolean =>
  /^(?:(?:is|are) )?\p{L}+(?: (?:in|on|at|from|by|with|under|to|through))?$/u.test(
    between.join(' '),
  )

const NUMBER_TOKENS_MAX = 2 // "TN-2420" is read as "TN" and "2420"

/** Each member is one word, and the value comes right behind "and" or a comma. */
const isListed = (between: readonly string[]): boolean => {
  const members = between.join(' ').split(/ ?[,;] ?| (?:and|as well as|plus) ?/u)
  const last = between.at(-1) ?? ''
  return /^(?:and|,|plus)$/.test(last) && members.every((member) => memberWords(member) <= 1)
}

const memberWords = (member: string): number =>
  member.split(' ').filter((token) => token !== '' && !isFiller(token)).length
