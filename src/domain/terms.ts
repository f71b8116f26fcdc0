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
// A picture is a word by itself, whatever its colour or what it is joined to; so is a flag.
const PICTURE = '\\p{RI}{2}|\\p{Extended_Pictographic}'
const WORD = new RegExp(`(${UNSPACED_RUN})|${SPACED_RUN}|${PICTURE}`, 'gu')
const UNSPACED_ONE = new RegExp(`^[${UNSPACED}]\\p{M}*$`, 'u')
const CHARACTER = /[\p{L}\p{N}]\p{M}*/gu
const STEMMABLE = /^[a-z]{3,}$/
/** A name in code, told by a capital inside: `getUserName`, `HTTPServer`. */
const HAS_JOINT = /[A-Za-z0-9][a-z]\d?[A-Z]|[A-Z]{2}[a-z]/
// A letter with its accent apart is none of these, as it is none together with it.
const JOINABLE = /[A-Za-z0-9]+(?!\p{M})/gu
const JOINT = /(?<=[a-z]\d?)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
/** Vowel signs and the long stroke, which people write or leave out. */
const SEMITIC_SIGNS = /[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu
const ARABIC = /\p{Script=Arabic}/u
const ARABIC_VARIANTS = /[أإآٱىة]/gu
const ARABIC_PLAIN: Readonly<Record<string, string>> = { ى: 'ي', ة: 'ه' }
/** "the", with what is written together with it, where a word is left. */
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|و?لل)(?=\p{L}{3})/u

/**
 * How text becomes search terms, the same in every store: a term holds letters, digits and marks
 * only, is at most 64 units long, and stands as often and in the order in which the text says it.
 */
export function termsOf(text: string): readonly string[] {
  return wordsOf(plainText(text)).map(termOf)
}

/** Whether it stands for every term that begins with it: one character of a script without spaces. */
export const isOneCharacter = (term: string): boolean => UNSPACED_ONE.test(term)

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
  const words = wordsOf(plain.includes("'") ? plain.replace(CONTRACTION, ' ') : plain, 'asked')
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word))
  return (telling.length > 0 ? telling : wordsOf(plain, 'asked')).map(cutTerm)
}

function plainText(text: string): string {
  const folded = foldText(unjoined(text))
  return folded.includes("'") ? folded.replace(POSSESSIVE, '') : folded
}

/** A name in code is said whole and in its parts. */
const unjoined = (text: string): string =>
  HAS_JOINT.test(text)
    ? text.replace(JOINABLE, (name) =>
        HAS_JOINT.test(name) ? [name, ...name.split(JOINT)].join(' ') : name,
      )
    : text

/** Words before stemming; of unspaced scripts every two neighbouring characters. */
function wordsOf(plain: string, as: 'said' | 'asked' = 'said'): readonly string[] {
  if (isAscii(plain)) return plain.match(ASCII_WORD) ?? []
  const words: string[] = []
  for (const [run, unspaced] of plain.replace(SEMITIC_SIGNS, '').matchAll(WORD)) {
    if (unspaced !== undefined) pushPairs(unspaced, words, as)
    else words.push(ARABIC.test(run) ? arabic(run) : run)
  }
  return words
}

const arabic = (word: string): string =>
  word.replace(ARABIC_VARIANTS, (letter) => ARABIC_PLAIN[letter] ?? 'ا').replace(ARABIC_ARTICLE, '')

/** The last character of what is said by itself too: so each begins a term and is found alone. */
function pushPairs(run: string, words: string[], as: 'said' | 'asked'): void {
  const characters = run.match(CHARACTER) ?? []
  for (let at = 1; at < characters.length; at += 1)
    words.push(`${characters[at - 1]}${characters[at]}`)
  if (as === 'said' || characters.length === 1) words.push(characters.at(-1) ?? run)
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
