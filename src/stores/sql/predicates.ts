import { GROUNDLESS } from '../../domain/vocabulary.ts'

/** Distinct, and nothing but terms. */
export const askable = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms)].filter((term) => TERM.test(term))

/** ASCII that a term may hold; a text with other ASCII is no term and matches nothing. */
export const TERM = /^[a-z0-9\u0080-\u{10ffff}]+$/u

export const texts = (words: readonly string[]): string =>
  words.map((word) => `'${word}'`).join(', ')

// Conditions that indexes repeat word for word: the planner uses an index only for equal wording.

/** A memory that can be found by its identity. */
export const SAYS = (alias: string): string => `NOT (${alias}captured = 1 AND ${alias}kind = 'raw')`

/** A memory without words to stand on. */
export const GONE = (alias: string): string =>
  `(${alias}strength = 0 OR ${alias}disposition IN (${texts(GROUNDLESS)}))`

/** A memory that a person asserted. */
export const BY_PERSON = (alias: string): string => `${alias}label = 'UserAsserted'`
