import { FUNCTION_WORDS } from '../../../src/domain/words/terms.ts'

// How words are told apart, as docs/firewall.md has it, for the few that the histories are made of:
// none of those shares a stem with another, is a name in code or has an apostrophe.

export const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Each once, in the order in which they first come; all of them where none tells anything. */
export function tellingIn(text: string): readonly string[] {
  const words = wordsIn(text)
  const telling = words.filter((word) => !FUNCTION_WORDS.has(word))
  return [...new Set(telling.length > 0 ? telling : words)]
}

const NO = ['not', 'no', 'never', 'none', 'nobody', 'nothing', 'without']

export const saysNo = (text: string): boolean => wordsIn(text).some((word) => NO.includes(word))

/** 2 where it is left open, 1 where somebody only thinks so, else 0. */
export function doubtIn(text: string): number {
  const words = wordsIn(text)
  if (text.trimEnd().endsWith('?') || words.includes('maybe') || words.includes('might')) return 2
  return words.includes('probably') || words.includes('seems') ? 1 : 0
}

export interface Stretch {
  readonly text: string
  readonly start: number
}

/** Cut after every mark that is followed by a blank, and at the end of every line. */
export function sentencesIn(text: string): readonly Stretch[] {
  const found: Stretch[] = []
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    const isOver = at === text.length || text[at] === '\n'
    const isMarked = '.!?'.includes(text[at - 1] ?? ' ') && text[at] === ' '
    if (!isOver && !isMarked) continue
    const cut = text.slice(start, at)
    const said = cut.trim()
    if (said !== '') found.push({ text: said, start: start + cut.indexOf(said) })
    start = at + 1
  }
  return found
}
