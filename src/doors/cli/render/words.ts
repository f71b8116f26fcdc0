import { type Ref, SHORT_ID_CHARS } from '../../../domain/ids.ts'

const ESCAPE = 0x1b
const PICTURES = 0x2400 // U+2400: the visible pictures of the control characters

// What could move the cursor, recolour the page or turn the direction of reading.
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Stored text, safe to show: a memory must not be able to repaint the page that explains it.
 * Line ends and tabs stay.
 */
export const plain = (text: string): string => text.replace(CONTROLS, visible)

function visible(character: string): string {
  const code = character.codePointAt(0) ?? ESCAPE
  if (code < 0x20) return String.fromCodePoint(PICTURES + code)
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** One JSON value that is also safe to look at: the same value, the odd characters escaped. */
export const jsonText = (value: unknown): string => shownPlainly(JSON.stringify(value, null, 2))

/** The same on one line. */
export const lineText = (value: unknown): string => shownPlainly(JSON.stringify(value))

const shownPlainly = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** All on one line, so that a text with line ends cannot fake a row of a list. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/gu, ' ').trim()

/** Line by line, each to be put behind a margin. */
export const block = (text: string): readonly string[] =>
  plain(text).replaceAll('\t', '  ').split('\n')

/** Cut to a width at the end of a word where one is near; the mark says that it was cut. */
export function clip(text: string, width: number): string {
  const letters = [...text]
  if (letters.length <= width) return text
  const cut = letters.slice(0, Math.max(1, width - 1)).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > width * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Lines of at most `width`, broken between words; a longer word stands on a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`
      if ([...longer].length > width && current !== '') {
        lines.push(current)
        current = word
      } else current = longer
    }
    return [...lines, current]
  })
}

/** Ids begin with their time, which neighbours share: the end is what tells them apart. */
export const shortRef = (ref: Ref | string): string => {
  const colon = ref.indexOf(':')
  return `${ref.slice(0, colon)}:${ref.slice(-SHORT_ID_CHARS)}`
}

const WHOLE_REF = /\b([a-z_]+):[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** A sentence of the engine with its refs as lists show them. */
export const withShortRefs = (text: string): string => text.replace(WHOLE_REF, shortRef)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DAYS_IN_WORDS = 60 // older than this, a date says more

export function age(at: string, now: number): string {
  const ms = now - Date.parse(at)
  if (ms <= -MINUTE || ms >= DAYS_IN_WORDS * DAY) return at.slice(0, 10)
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  const days = Math.floor(ms / DAY)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** A count in groups of three digits. The platform's own way loads its tables for every language. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** Memories that share a place with the one that is shown; --expand shows each. */
export const rewordingsWords = (count: number): string => `+${plural(count, 'rewording')}`
