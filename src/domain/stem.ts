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
