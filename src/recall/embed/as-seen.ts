import { isAscii } from '../../domain/words/terms.ts'

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
