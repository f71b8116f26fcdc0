import type { Env, Output } from '../host.ts'

/** Colours by meaning; a page without colour reads the same. */
export interface Ink {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly ref: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly hint: (text: string) => string
  readonly quote: (text: string) => string
}

const CODES: Readonly<Record<keyof Ink, readonly [on: number, off: number]>> = {
  strong: [1, 22],
  faint: [2, 22],
  ref: [36, 39],
  good: [32, 39],
  bad: [31, 39],
  hint: [33, 39],
  quote: [3, 23],
}

const inkWith = (paint: (name: keyof Ink) => (text: string) => string): Ink => ({
  strong: paint('strong'),
  faint: paint('faint'),
  ref: paint('ref'),
  good: paint('good'),
  bad: paint('bad'),
  hint: paint('hint'),
  quote: paint('quote'),
})

const sequence = (code: number): string => `\u001b[${code}m`

export const COLOUR: Ink = inkWith((name) => (text) => {
  const [on, off] = CODES[name]
  return `${sequence(on)}${text}${sequence(off)}`
})

export const PLAIN: Ink = inkWith(() => (text) => text)

/** Colour only on a terminal, and never against the reader's choice (no-color.org). */
export const inkFor = ({ isTerminal }: Output, env: Env): Ink =>
  isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOUR : PLAIN
