const HARMLESS =
  /\b(?:not (?:only|just|always|necessarily|all|every)|no doubt|without (?:a )?doubt|no matter)\b/gu
/** Verbs that deny the words behind them. */
const DENIES_ACT = /\b(?:stopped|stops|quit|quits|ceased|ceases|avoids|avoided) (?=\p{L}+ing\b)/gu
const DENIES_INTENT = /\b(?:refuses|refused|fails|failed|declines|declined) to\b/gu
const LACKS = /\b(?:lacks|lacked)\b/gu

/** Writes contractions out, and replaces denying verbs by "not". */
export function openContractions(folded: string): string {
  return folded
    .replace(/\bcan't\b|\bcannot\b/gu, 'can not')
    .replace(/\bwon't\b/gu, 'will not')
    .replace(/n't\b/gu, ' not')
    .replace(/'s\b/gu, '')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/gu, '')
    .replace(HARMLESS, ' ')
    .replace(DENIES_ACT, 'not ')
    .replace(DENIES_INTENT, 'not')
    .replace(LACKS, 'not')
}
