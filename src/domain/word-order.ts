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
