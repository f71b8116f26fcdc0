/** Distinct, and nothing but terms. */
export const askable = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms)].filter((term) => TERM.test(term))

/** What a term may hold in ASCII; what else stands in the text of one is no term, and found nowhere. */
export const TERM = /^[a-z0-9\u0080-\u{10ffff}]+$/u

/** What others that say the same find by its words, as every query says it, so that the index serves. */
export const SAYS = (alias: string): string => `NOT (${alias}captured = 1 AND ${alias}kind = 'raw')`
