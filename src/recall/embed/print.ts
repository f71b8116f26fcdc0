import {
  denialOf,
  fixedWordOf,
  isFiller,
  isFrameWord,
  isLimit,
  synonymOf,
} from '../../domain/words/lexicons.ts'
import { FUNCTION_WORDS, foldText, isAscii, termOf } from '../../domain/words/terms.ts'
import { hashText } from './integers.ts'

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
const WORD = /[\p{L}\p{M}]+/gu
const LATIN = /\p{Script=Latin}/u
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu

/** Cyrillic and Greek letters that look like Latin letters, small and capital. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  [
    ['аαΑА', 'a'],
    ['ВΒ', 'b'],
    ['сϲС', 'c'],
    ['ԁ', 'd'],
    ['еεЕΕ', 'e'],
    ['ԍ', 'g'],
    ['һНΗ', 'h'],
    ['іιІΙ', 'i'],
    ['јЈ', 'j'],
    ['кκКΚ', 'k'],
    ['ӏ', 'l'],
    ['МΜ', 'm'],
    ['Ν', 'n'],
    ['оοОΟ', 'o'],
    ['рρРΡ', 'p'],
    ['ԛ', 'q'],
    ['г', 'r'],
    ['ѕЅ', 's'],
    ['тτТΤ', 't'],
    ['υ', 'u'],
    ['ѵν', 'v'],
    ['ԝ', 'w'],
    ['хχХΧ', 'x'],
    ['уУΥ', 'y'],
    ['Ζ', 'z'],
  ].flatMap(([letters = '', plain = '']) => [...letters].map((letter) => [letter, plain] as const)),
)

const isMixed = (word: string): boolean => LATIN.test(word) && word.search(LOOKALIKE) >= 0

const isAllAlike = (word: string): boolean => [...word].every((letter) => LOOKS_LIKE.has(letter))

/**
 * A text as a reader sees the text: without invisible characters, and with words of mixed scripts
 * in Latin letters alone. Beside such a word, words of lookalikes only become Latin too. A text
 * without words of mixed scripts stays unchanged otherwise.
 */
export function asSeen(text: string): string {
  if (isAscii(text)) return text
  const seen = text.replace(UNSEEN, '')
  if (!(seen.match(WORD) ?? []).some(isMixed)) return seen
  return seen.replace(WORD, (word) =>
    isMixed(word) || isAllAlike(word)
      ? word.replace(LOOKALIKE, (letter) => LOOKS_LIKE.get(letter) ?? letter)
      : word,
  )
}

/**
 * Hashes by which a text is recognised when a model says it again in other words:
 *
 *   0      the format
 *   1 …    for each word its sort and its hash, in the order of the text
 *
 * Hashes of words that frame the text, such as "Lesson of today:", lie before the sort `start`.
 */
export type Print = Uint32Array

export const PRINT_FORMAT = 3
export const SORTS = {
  plain: 0,
  name: 1,
  /** A number, date, part or doubt. */
  fixed: 2,
  /** A word such as "every" or "before", compared where the rest of the sentence is kept. */
  limit: 3,
  denyNext: 4,
  denyBeside: 5,
  start: 6,
} as const
const WORDS_MAX = 256 // of a text; a longer text is recognised by its beginning

const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*|[.:!?\n]+/gu
const SENTENCE_END = /^[.:!?\n]/
const LEAD = /^[^.:!?\n]{1,60}:\s+(?=\S)|^[^.:!?\n,]{1,40},\s+(?=\S)/u

interface Word {
  readonly sort: number
  readonly text: string
}

/** "We used to meet" is past; "it is used to clean" is not. */
const USED_TO = /(?<!\b(?:is|are|was|were|be|been|being|get|gets|got) )\bused to\b/giu

/** Capitals of the heading under which a text stands help to tell whether capitals are names. */
export function printOf(said: string, heading = ''): Print {
  const seen = asSeen(said).replace(USED_TO, 'formerly')
  const found = wordsIn(withoutFrames(seen), asSeen(heading)).slice(0, WORDS_MAX)
  const print = new Uint32Array(1 + 2 * found.length)
  print[0] = PRINT_FORMAT
  for (const [at, { sort, text }] of found.entries()) {
    print[1 + 2 * at] = sort
    print[2 + 2 * at] = hashText(text)
  }
  return print
}

export const underHeading = (print: Print, heading: Print): Print =>
  Uint32Array.of(...heading, ...print.subarray(1))

/** The print of the words below a heading, as a sentence of its own; null for a print with another beginning. */
export function withoutHeading(print: Print, heading: Print): Print | null {
  const { length } = heading
  for (let at = 2; at < length; at += 2) if (print[at] !== heading[at]) return null
  const rest = Uint32Array.of(print[0] ?? PRINT_FORMAT, ...print.subarray(length))
  if (rest[1] === SORTS.name) rest[1] = SORTS.plain
  return rest
}

const CLAUSE_END = /([,:;\u2013\u2014]+|\bthat\b)/iu

/** The text without clauses at the beginning and end that only frame the statement. */
function withoutFrames(text: string): string {
  const parts = text.split(CLAUSE_END) // clauses, with the separator after each
  while (parts.length > 1 && isFrame(parts[0] ?? '')) parts.splice(0, 2)
  while (parts.length > 1 && isFrame(parts.at(-1) ?? '')) parts.splice(-2, 2)
  return parts.join('')
}

function isFrame(clause: string): boolean {
  const said = (clause.match(TOKEN) ?? []).filter((token) => !SENTENCE_END.test(token))
  const found = said.flatMap(partsOf).filter((word) => !FUNCTION_WORDS.has(word))
  return found.length > 0 && found.every(isFrameWord)
}

const START: Word = { sort: SORTS.start, text: '' }

/** Words before a first colon or comma frame the rest, unless these words limit the rest. */
function wordsIn(text: string, heading: string): readonly Word[] {
  const lead = LEAD.exec(text)?.[0] ?? ''
  const isShouted = isMostlyCapitals(`${heading} ${text}`.match(TOKEN) ?? [])
  const [framing, rest] = [lead, text.slice(lead.length)].map((part) =>
    sortedWords(part, isShouted),
  )
  const isFraming = framing?.every(({ sort }) => sort === SORTS.plain || sort === SORTS.name)
  return [...(framing ?? []), ...(isFraming && lead !== '' ? [START] : []), ...(rest ?? [])]
}

function sortedWords(text: string, isShouted: boolean): readonly Word[] {
  const found: Word[] = []
  let isFirst = true // the capital of a first word tells nothing
  for (const token of text.match(TOKEN) ?? []) {
    const isEnd = SENTENCE_END.test(token)
    const isName = !isFirst && !isShouted && /^\p{Lu}/u.test(token)
    if (!isEnd) found.push(...partsOf(token).flatMap((word) => sorted(word, isName)))
    isFirst = isEnd
  }
  return found
}

const UNDONE = /^un(?=[a-z]{4,}ed$)/ // "unreviewed" denies "reviewed"

function sorted(word: string, isName: boolean): readonly Word[] {
  const denial = denialOf(word)
  if (denial !== null)
    return [{ sort: denial === 'next' ? SORTS.denyNext : SORTS.denyBeside, text: 'not' }]
  const fixed = fixedWordOf(word)
  if (fixed !== null) return [{ sort: SORTS.fixed, text: fixed }]
  if (isLimit(word)) return [{ sort: SORTS.limit, text: word }]
  if (FUNCTION_WORDS.has(word) || isFiller(word)) return []
  const said = {
    sort: isName ? SORTS.name : SORTS.plain,
    text: synonymOf(termOf(word.replace(UNDONE, ''))),
  }
  return UNDONE.test(word) ? [{ sort: SORTS.denyNext, text: 'not' }, said] : [said]
}

const CAPITALS_MAX = 0.5 // share of words; above this share, capitals tell nothing about names

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
