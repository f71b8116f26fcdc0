import { GROUNDLESS } from '../../domain/dispositions.ts'

/** Distinct, and nothing but terms. */
export const askable = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms)].filter((term) => TERM.test(term))

/** What a term may hold in ASCII; what else stands in the text of one is no term, and found nowhere. */
export const TERM = /^[a-z0-9\u0080-\u{10ffff}]+$/u

export const texts = (words: readonly string[]): string =>
  words.map((word) => `'${word}'`).join(', ')

// Conditions that indexes name too: a query that says them in the same words is served by the index.

/** A memory that others find by its identity. */
export const SAYS = (alias: string): string => `NOT (${alias}captured = 1 AND ${alias}kind = 'raw')`

/** A memory without words to stand on. */
export const GONE = (alias: string): string =>
  `(${alias}strength = 0 OR ${alias}disposition IN (${texts(GROUNDLESS)}))`

/** A memory that a person asserted. */
export const BY_PERSON = (alias: string): string => `${alias}label = 'UserAsserted'`
