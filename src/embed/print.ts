import { denies } from '../domain/denial.ts'
import { tellingWords, termOf } from '../domain/terms.ts'
import { asSeen } from './as-seen.ts'
import { hashText } from './integers.ts'

/**
 * What is remembered of a text that was served, to know it again: whether it denies something, the
 * numbers it names, and two hashes for each telling word, of the word and of its stem, in their
 * order. It is made without the table of words, so that reading does not load it.
 *
 *   0      1 where the text says no, not, never …
 *   1      the sum of the hashes of its numbers
 *   2 …    for each word its hash and that of its term
 */
export type Print = Uint32Array

export const PRINT_HEADER = 2
const PRINT_WORDS_MAX = 256 // distinct telling words of one text; a longer one is known by its beginning
const NUMBER = /^\p{N}+$/u

export function printOf(said: string): Print {
  const text = asSeen(said)
  const words = [...new Set(tellingWords(text))].slice(0, PRINT_WORDS_MAX)
  const print = new Uint32Array(PRINT_HEADER + 2 * words.length)
  print[0] = denies(text) ? 1 : 0
  for (const [at, word] of words.entries()) {
    const term = hashText(termOf(word))
    if (NUMBER.test(word)) print[1] = (print[1] ?? 0) + term // kept to 32 bits by the array
    print[PRINT_HEADER + 2 * at] = hashText(word)
    print[PRINT_HEADER + 2 * at + 1] = term
  }
  return print
}

/** The terms of a print, each once, in the order in which they first come. */
export function termsIn(print: Print): ReadonlyMap<number, { word: number; at: number }> {
  const terms = new Map<number, { word: number; at: number }>()
  for (let at = PRINT_HEADER; at < print.length; at += 2) {
    const term = print[at + 1] ?? 0
    if (!terms.has(term)) terms.set(term, { word: print[at] ?? 0, at })
  }
  return terms
}
