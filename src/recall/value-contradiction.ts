import { sameWord } from '../domain/words/sentence-words.ts'
import { FUNCTION_WORDS, termsOf } from '../domain/words/terms.ts'
import type { Contradiction } from './contradiction.ts'
import type { Statement } from './statement.ts'

/**
 * Verbs that take a single value at a time. Past and present count as two verbs: people move and
 * marry.
 */
const SINGLE_VALUED = [
  'prefers?',
  '(?:lives?|resides?) (?:in|at)',
  'works? (?:at|for|as)',
  '(?:is|are) (?:located|based|headquartered) (?:in|at)',
  '(?:is|are) (?:married|engaged) to',
  '(?:is|are|was|were) (?:named|called)',
  '(?:belongs?|reports?) to',
  'identifies as',
  '(?:was|were) born (?:in|on|at)',
  '(?:was|were) (?:founded|written|invented|designed|built|painted) (?:in|on|by)',
  'died (?:in|on|at|of)',
  'graduated from',
]
/** Nouns with a single value, so that "is" after the noun gives the value. */
const SINGLE_THINGS =
  'name favorite favourite capital birthday birthplace hometown address email password deadline ' +
  'version status port owner manager boss ceo husband wife spouse mother father employer job title ' +
  'nationality currency timezone default location'

const VERB = new RegExp(`(?<= )(?:${SINGLE_VALUED.join('|')})(?= )`, 'du')
const COPULA = new RegExp(`\\b(?:${SINGLE_THINGS.replaceAll(' ', '|')})\\b.*? (is|are)(?= )`, 'du')
const SEVERAL = /(?:^| )(?:and|or|also|too|with|sometimes|often|,|;)(?: |$)/u
const VALUE_TERMS_MAX = 4 // a longer ending holds more than one value
const SCORE = 0.7 // two words may name the same thing, and words alone cannot show this

/** Equal beginnings, a verb with a single value, and different values. */
export function valueContradiction(left: Statement, right: Statement): Contradiction | null {
  if (left.quantities.length > 0 || right.quantities.length > 0) return null
  const ours = split(left.words)
  const theirs = split(right.words)
  if (ours === null || theirs === null || ours.frame !== theirs.frame) return null
  if (ours.value.some((term) => theirs.value.includes(term))) return null
  const evidence = `${ours.value.join(' ')} against ${theirs.value.join(' ')}`
  return { kind: 'value', score: SCORE, evidence }
}

/** A statement as a frame and the value in the frame. */
function split(
  words: readonly string[],
): { readonly frame: string; readonly value: readonly string[] } | null {
  const text = words.join(' ')
  const span = VERB.exec(text)?.indices?.[0] ?? COPULA.exec(text)?.indices?.[1]
  if (span === undefined) return null
  const [start, end] = span
  const rest = text.slice(end)
  const value = contentOf(rest)
  if (value.length === 0 || value.length > VALUE_TERMS_MAX || SEVERAL.test(rest)) return null
  const before = text.slice(0, start)
  // "I prefer tea": a pronoun is enough as a subject when no other words are there.
  const subject = contentOf(before).length > 0 ? contentOf(before) : termsOf(before)
  return { frame: [...subject, '|', ...termsOf(text.slice(start, end))].join(' '), value }
}

function contentOf(text: string): readonly string[] {
  return text
    .split(' ')
    .filter((word) => !FUNCTION_WORDS.has(word))
    .flatMap(termsOf)
    .map(sameWord)
}
