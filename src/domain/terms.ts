import { foldText, isAscii } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import { stem } from './stem.ts'

const TERM_UNITS_MAX = 64 // UTF-16 units of one term; longer ones are cut
const QUERY_TERMS_MAX = 64 // distinct terms of one query; the first ones count
const KNOWN_STEMS_MAX = 50_000 // stems remembered before the memory is emptied

const POSSESSIVE = /(?<=[\p{L}\p{N}\p{M}])'s(?![\p{L}\p{N}\p{M}])/gu
const CONTRACTION = /(?:(?<![a-z])[a-z]{1,6}n't|'(?:ll|d|re|ve|m))(?![\p{L}\p{N}\p{M}])/gu
const ASCII_WORD = /[a-z0-9]+/g
/** Scripts written without spaces, and Hangul, whose words carry their particles. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Bopomofo}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Yi}'
const UNSPACED_RUN = `(?:(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)+`
const SPACED_RUN = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)+`
const WORD = new RegExp(`(${UNSPACED_RUN})|${SPACED_RUN}`, 'gu')
const CHARACTER = /[\p{L}\p{N}]\p{M}*/gu
const STEMMABLE = /^[a-z]{3,}$/

/**
 * How text becomes search terms, the same in every store: a term holds letters, digits and marks
 * only, is at most 64 units long, and stands as often and in the order in which the text says it.
 */
export function termsOf(text: string): readonly string[] {
  return wordsOf(plainText(text)).map(termOf)
}

/** The distinct terms of a question; words that only hold it together count when nothing else is there. */
export function queryTerms(text: string): readonly string[] {
  const terms = new Set(tellingWords(text).map(termOf))
  return [...terms].slice(0, QUERY_TERMS_MAX)
}

/**
 * The words that say what a text is about, folded and cut but not stemmed, as often and in the order
 * in which it says them; all of its words when it has no others.
 */
export function tellingWords(text: string): readonly string[] {
  const plain = plainText(text)
  // Whole, because what an apostrophe leaves of "don't" and "I'd" may be a name or a letter.
  const words = wordsOf(plain.replace(CONTRACTION, ' '))
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word))
  return (telling.length > 0 ? telling : wordsOf(plain)).map(cutTerm)
}

const plainText = (text: string): string => foldText(text).replace(POSSESSIVE, '')

/** Words before stemming; of unspaced scripts every two neighbouring characters. */
function wordsOf(plain: string): readonly string[] {
  if (isAscii(plain)) return plain.match(ASCII_WORD) ?? []
  const words: string[] = []
  for (const [run, unspaced] of plain.matchAll(WORD)) {
    if (unspaced === undefined) words.push(run)
    else pushPairs(unspaced, words)
  }
  return words
}

function pushPairs(run: string, words: string[]): void {
  const characters = run.match(CHARACTER) ?? []
  if (characters.length === 1) words.push(run)
  for (let at = 1; at < characters.length; at += 1)
    words.push(`${characters[at - 1]}${characters[at]}`)
}

/** Only a memory of what `stem` answers: it changes how soon an answer comes, never the answer. */
const knownStems = new Map<string, string>()

/** The term that a folded word becomes. */
export function termOf(word: string): string {
  const known = knownStems.get(word)
  if (known !== undefined) return known
  const cut = cutTerm(word)
  if (!STEMMABLE.test(cut)) return cut
  const found = stem(cut)
  if (knownStems.size >= KNOWN_STEMS_MAX) knownStems.clear()
  if (cut === word) knownStems.set(word, found)
  return found
}

function cutTerm(word: string): string {
  if (word.length <= TERM_UNITS_MAX) return word
  const cut = word.slice(0, TERM_UNITS_MAX)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
