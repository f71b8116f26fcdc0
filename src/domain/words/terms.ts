import { once } from '../errors.ts'

const ASCII_ONLY = /^[\0-\x7f]*$/
const APOSTROPHES = /[\u02bc\u2018\u2019\u201b\u2032\uff07]/gu
// Two half-width signs are letters until they are decomposed into marks.
const LONG_RUN_OF_MARKS = /([\p{M}\uff9e\uff9f]{32})[\p{M}\uff9e\uff9f]+/gu
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
const WHOLE_LETTERS = /[ßæœøłđðþıς]/gu

/** Letters with a stroke or a tie, which no decomposition takes off. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

export const isAscii = (text: string): boolean => ASCII_ONLY.test(text)

/**
 * Folds text for comparison in search: compatibility forms unified, lower case, no accents on
 * Latin, Greek and Cyrillic letters, a plain apostrophe throughout. Marks of other scripts are part
 * of their words and stay.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return (
    text
      .replace(APOSTROPHES, "'")
      // Normalising orders marks, in time that grows with the square of their run.
      .replace(LONG_RUN_OF_MARKS, '$1')
      .normalize('NFKD')
      .toLowerCase()
      .replace(ACCENTED, '$1')
      .normalize('NFKC')
      .replace(WHOLE_LETTERS, (letter) => PLAIN[letter] ?? letter)
  )
}

/** English words that carry grammar and hardly any content; Will and May stay out as names. */
const ARTICLES = 'a an the this that these those some any each every such'
const PRONOUNS =
  'i me my mine we us our ours you your yours he him his she her hers it its they them their theirs ' +
  'myself yourself himself herself itself ourselves themselves'
const QUESTIONS = 'what which who whom whose when where why how'
const LINKS = 'and or but if so as than then because while though although'
const PLACES = 'of to in on at by for from with into onto about over under up down out off'
const VERBS =
  'am is are was were be been being do does did doing done has have had having can could would shall ' +
  'should might must'
const REST = 'not no nor there here just also too very'

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [ARTICLES, PRONOUNS, QUESTIONS, LINKS, PLACES, VERBS, REST].join(' ').split(' '),
)

/** Function words as search terms. */
export const functionTerms = once(
  (): ReadonlySet<string> => new Set([...FUNCTION_WORDS].flatMap(termsOf)),
)

/**
 * The suffix stripper of M. F. Porter, "An algorithm for suffix stripping" (1980), in the author's
 * later form. Stems words of the letters a to z; a stem is a key to search by, not a word to show.
 */
export function stem(word: string): string {
  if (word.length < 3) return word // too short to have a suffix
  const singular = withoutPlural(word)
  const base = withoutTense(singular)
  const plain = yToI(base)
  const short = withoutLast(swapped(swapped(plain, LONG_SUFFIXES, 0), ADJECTIVES, 0))
  return withoutFinalL(withoutFinalE(short))
}

const lastOf = (word: string): string => word.charAt(word.length - 1)

type Swap = readonly [suffix: string, replacement: string]

type Swaps = ReadonlyMap<string, readonly Swap[]>

/** Grouped by last letter, because most words end in none of them; the order within stays. */
function byEnd(swaps: readonly Swap[]): Swaps {
  const groups = new Map<string, readonly Swap[]>()
  for (const swap of swaps) {
    const end = lastOf(swap[0])
    groups.set(end, [...(groups.get(end) ?? []), swap])
  }
  return groups
}

/** Longest first, because only the longest match counts. */
const LONG_SUFFIXES = byEnd([
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['eli', 'e'],
])

const ADJECTIVES = byEnd([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
])

const LAST_SUFFIXES = byEnd(
  [
    'ement',
    'ance',
    'ence',
    'able',
    'ible',
    'ment',
    'ant',
    'ent',
    'ion',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
    'al',
    'er',
    'ic',
    'ou',
  ].map((suffix) => [suffix, '']),
)

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  if (length === 0 || !hasVowel(word.slice(0, -length))) return word
  return mended(word.slice(0, -length))
}

/** Gives a base its `e` back, or takes a doubled letter off, after `ed` or `ing` was cut. */
function mended(base: string): string {
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`
  if (/([^aeioulsz])\1$/.test(base) && isConsonant(base, base.length - 1)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

const yToI = (word: string): string =>
  word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

/** The first suffix that fits decides, whether or not enough stands before it. */
function swapped(word: string, swaps: Swaps, measureAbove: number): string {
  for (const [suffix, replacement] of swaps.get(lastOf(word)) ?? []) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, -suffix.length)
    return measure(base) > measureAbove ? base + replacement : word
  }
  return word
}

function withoutLast(word: string): string {
  // `ion` is a suffix only after s or t; after other letters no other suffix fits either.
  if (word.endsWith('ion') && !/[st]ion$/.test(word)) return word
  return swapped(word, LAST_SUFFIXES, 1)
}

function withoutFinalE(word: string): string {
  const base = word.slice(0, -1)
  const size = measure(base)
  if (!word.endsWith('e') || size === 0 || (size === 1 && endsShort(base))) return word
  return base
}

const withoutFinalL = (word: string): string =>
  word.endsWith('ll') && measure(word) > 1 ? word.slice(0, -1) : word

/** y is a consonant at the start and after a vowel. */
function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? ''
  if (letter === 'y') return at === 0 || !isConsonant(word, at - 1)
  return !'aeiou'.includes(letter)
}

/** Counts each consonant behind a vowel: roughly, closed syllables. */
function measure(word: string): number {
  let count = 0
  let afterVowel = false
  let consonant = false
  for (let at = 0; at < word.length; at += 1) {
    const letter = word[at] ?? ''
    consonant = letter === 'y' ? at === 0 || !consonant : !'aeiou'.includes(letter)
    if (consonant && afterVowel) count += 1
    afterVowel = !consonant
  }
  return count
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (!isConsonant(word, at)) return true
  return false
}

/** Consonant, vowel, consonant, the last not w, x or y: the word lost an `e`, or keeps an `e`. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  return (
    last >= 2 &&
    !'wxy'.includes(word[last] ?? '') &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2)
  )
}

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
