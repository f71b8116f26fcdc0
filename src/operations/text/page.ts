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

const PLAIN: Ink = inkWith(() => (text) => text)

/** Facts about the page that every renderer needs. */
export interface Page {
  readonly ink: Ink
  readonly now: number
  /** Characters in a line. */
  readonly width: number
  /** Shows rules, tiers, labels and entry numbers. */
  readonly isVerbose: boolean
}

const WIDTH_MIN = 60

const WIDTH_MAX = 120 // longer lines are hard to read

const WIDTH_PIPED = 100

/** Colour only on a terminal, and never against the reader's choice (no-color.org). */
const inkFor = ({ isTerminal }: Paper, env: Variables): Ink =>
  isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? COLOUR : PLAIN

type Variables = Readonly<Record<string, string | undefined>>

/** The terminal, file or pipe that a page is written to. */
interface Paper {
  readonly isTerminal: boolean
  readonly columns: number | undefined
}

interface PageOptions {
  readonly now: number
  readonly isVerbose?: boolean
}

export const pageFor = (
  output: Paper,
  env: Variables,
  { now, isVerbose = false }: PageOptions,
): Page => ({
  ink: inkFor(output, env),
  now,
  isVerbose,
  // A terminal of unknown width reports 0.
  width: output.isTerminal
    ? Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, output.columns || WIDTH_PIPED))
    : WIDTH_PIPED,
})
