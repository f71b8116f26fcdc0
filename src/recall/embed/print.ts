import { foldText } from '../../domain/fold-text.ts'
import { FUNCTION_WORDS } from '../../domain/function-words.ts'
import {
  isFiller,
  isFixedWord,
  isFrameWord,
  isNegator,
  synonymOf,
} from '../../domain/rewording-words.ts'
import { termOf } from '../../domain/terms.ts'
import { asSeen } from './as-seen.ts'
import { hashText } from './integers.ts'

/**
 * Hashes by which a text is recognised when a model says it again in other words:
 *
 *   0      the format
 *   1 …    for each word its sort and its hash, in the order of the text
 *
 * A fixed word must stay as it is: another number, day, quantifier or negation is another statement.
 */
export type Print = Uint32Array

export const PRINT_FORMAT = 2
export const SORTS = { plain: 0, name: 1, fixed: 2 } as const
const WORDS_MAX = 256 // of one text; a longer text is known by its beginning

const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*|[.!?\n]+/gu
const SENTENCE_END = /^[.!?\n]/
/** The hashes of a print's words, in the order of the text. */
export const hashesIn = (print: Print): readonly number[] =>
  [...print].filter((_, at) => at > 0 && at % 2 === 0)

interface Word {
  readonly sort: number
  readonly text: string
}

export function printOf(said: string): Print {
  const found = wordsIn(withoutFrames(asSeen(said))).slice(0, WORDS_MAX)
  const print = new Uint32Array(1 + 2 * found.length)
  print[0] = PRINT_FORMAT
  for (const [at, { sort, text }] of found.entries()) {
    print[1 + 2 * at] = sort
    print[2 + 2 * at] = hashText(text)
  }
  return print
}

const CLAUSE_END = /([,:;\u2013\u2014]+|\bthat\b)/iu

/** The text without clauses at its beginning and end that only frame the statement. */
function withoutFrames(text: string): string {
  const parts = text.split(CLAUSE_END) // clauses, with what ends each between them
  while (parts.length > 1 && isFrame(parts[0] ?? '')) parts.splice(0, 2)
  while (parts.length > 1 && isFrame(parts.at(-1) ?? '')) parts.splice(-2, 2)
  return parts.join('')
}

function isFrame(clause: string): boolean {
  const said = (clause.match(TOKEN) ?? []).filter((token) => !SENTENCE_END.test(token))
  const found = said.flatMap(partsOf).filter((word) => !FUNCTION_WORDS.has(word))
  return found.length > 0 && found.every(isFrameWord)
}

function wordsIn(text: string): readonly Word[] {
  const tokens = text.match(TOKEN) ?? []
  const found: Word[] = []
  let isDenied = false
  const isShouted = isMostlyCapitals(tokens)
  for (const token of tokens) {
    if (SENTENCE_END.test(token)) continue
    for (const word of partsOf(token)) {
      if (isNegator(word)) isDenied = true
      else if (isFixedWord(word) || /\p{N}/u.test(word))
        found.push({ sort: SORTS.fixed, text: word })
      else if (!FUNCTION_WORDS.has(word) && !isFiller(word)) {
        const term = synonymOf(termOf(word))
        // A negation is fixed together with the word that it denies.
        if (isDenied) found.push({ sort: SORTS.fixed, text: `not ${term}` })
        isDenied = false
        const isName = !isShouted && /^\p{Lu}/u.test(token)
        found.push({ sort: isName ? SORTS.name : SORTS.plain, text: term })
      }
    }
  }
  if (isDenied) found.push({ sort: SORTS.fixed, text: 'not' })
  return found
}

const CAPITALS_MAX = 0.5 // share of words; above it capitals tell nothing about names

function isMostlyCapitals(tokens: readonly string[]): boolean {
  const told = tokens.filter((token) => !SENTENCE_END.test(token))
  const capital = told.filter((token) => /^\p{Lu}/u.test(token))
  return capital.length > told.length * CAPITALS_MAX
}

/** The folded word; "don't" is a word and a negation, "Anna's" is the name. */
function partsOf(token: string): readonly string[] {
  const folded = foldText(token).replaceAll('’', "'")
  if (!folded.includes("'")) return [folded]
  if (/n't$/.test(folded)) return ['not']
  return [folded.slice(0, folded.indexOf("'"))]
}
