import { foldText, isAscii } from './fold-text.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import { stem } from './stem.ts'

const TERM_UNITS_MAX = 64 // UTF-16 units of a term; longer terms are cut
const QUERY_TERMS_MAX = 64 // distinct terms of a query; the first count
const KNOWN_STEMS_MAX = 50_000 // stems in the cache before the cache is emptied

const POSSESSIVE = /(?<=[\p{L}\p{N}\p{M}])'s(?![\p{L}\p{N}\p{M}])/gu
const CONTRACTION = /(?:(?<![a-z])[a-z]{1,6}n't|'(?:ll|d|re|ve|m))(?![\p{L}\p{N}\p{M}])/gu
const ASCII_WORD = /[a-z0-9]+/g
/** Scripts written without spaces, and Hangul, whose words carry their particles. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Bopomofo}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Yi}'
const UNSPACED_RUN = `(?:(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)+`
const SPACED_RUN = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)+`
// A picture is a word by itself, in any colour or combination; so is a flag.
const PICTURE = '\\p{RI}{2}|\\p{Extended_Pictographic}'
const WORD = new RegExp(`(${UNSPACED_RUN})|${SPACED_RUN}|${PICTURE}`, 'gu')
const UNSPACED_ONE = new RegExp(`^[${UNSPACED}]\\p{M}*$`, 'u')
const CHARACTER = /[\p{L}\p{N}]\p{M}*/gu
const STEMMABLE = /^[a-z]{3,}$/
/** A name in code with an inner capital: `getUserName`, `HTTPServer`. */
const HAS_JOINT = /[A-Za-z0-9][a-z]\d?[A-Z]|[A-Z]{2}[a-z]/
// A letter with a separate accent is excluded, like the composed letter.
const JOINABLE = /[A-Za-z0-9]+(?!\p{M})/gu
const JOINT = /(?<=[a-z]\d?)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
/** Vowel signs and the long stroke, which people write or leave out. */
const SEMITIC_SIGNS = /[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu
const ARABIC = /\p{Script=Arabic}/u
const ARABIC_VARIANTS = /[أإآٱىة]/gu
const ARABIC_PLAIN: Readonly<Record<string, string>> = { ى: 'ي', ة: 'ه' }
/** The article "the" with attached prefixes, if a word remains. */
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|و?لل)(?=\p{L}{3})/u

/**
 * Turns text into search terms, equally in every store: a term holds letters, digits and marks
 * only, is at most 64 units long, and keeps the text's order and repetition.
 */
export function termsOf(text: string): readonly string[] {
  return wordsOf(plainText(text)).map(termOf)
}

/** True for a lone character of an unspaced script, which finds every term with this beginning. */
export const isOneCharacter = (term: string): boolean => UNSPACED_ONE.test(term)

/** The distinct terms of a question; function words count only when no other words are there. */
export function queryTerms(text: string): readonly string[] {
  const terms = new Set(tellingWords(text).map(termOf))
  return [...terms].slice(0, QUERY_TERMS_MAX)
}

/**
 * The content words of a text, folded and cut but not stemmed, in the text's order and repetition;
 * all words of a text without content words.
 */
export function tellingWords(text: string): readonly string[] {
  const plain = plainText(text)
  // Removed whole, because the rest of "don't" and "I'd" may be a name or a letter.
  const words = wordsOf(plain.includes("'") ? plain.replace(CONTRACTION, ' ') : plain, 'asked')
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word))
  return (telling.length > 0 ? telling : wordsOf(plain, 'asked')).map(cutTerm)
}

function plainText(text: string): string {
  const folded = foldText(unjoined(text))
  return folded.includes("'") ? folded.replace(POSSESSIVE, '') : folded
}

/** Adds the parts of a name in code behind the whole name. */
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

/** A stored run ends with its last character alone, so each character begins a term. */
function pushPairs(run: string, words: string[], as: 'said' | 'asked'): void {
  const characters = run.match(CHARACTER) ?? []
  for (let at = 1; at < characters.length; at += 1)
    words.push(`${characters[at - 1]}${characters[at]}`)
  if (as === 'said' || characters.length === 1) words.push(characters.at(-1) ?? run)
}

/** A cache of `stem`: the cache changes speed, never the answer. */
const knownStems = new Map<string, string>()

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
