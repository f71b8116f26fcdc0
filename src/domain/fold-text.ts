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
