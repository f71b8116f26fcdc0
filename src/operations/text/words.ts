import { type Ref, SHORT_ID_CHARS } from '../../domain/ids.ts'

const ESCAPE = 0x1b

const PICTURES = 0x2400 // U+2400: the visible pictures of the control characters

// Characters able to move the cursor, recolour the page or turn the reading direction.
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Stored text, safe to show: a memory must not repaint the page explaining it. Line ends and tabs
 * stay.
 */
export const plain = (text: string): string => text.replace(CONTROLS, visible)

function visible(character: string): string {
  const code = character.codePointAt(0) ?? ESCAPE
  if (code < 0x20) return String.fromCodePoint(PICTURES + code)
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** A JSON value, safe to show: the same value, with control characters escaped. */
export const jsonText = (value: unknown): string => shownPlainly(JSON.stringify(value, null, 2))

/** A JSON value on one line, safe to show. */
export const lineText = (value: unknown): string => shownPlainly(JSON.stringify(value))

const shownPlainly = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Text on one line, so a text with line ends cannot fake a row of a list. */
export const oneLine = (text: string): string => plain(text).replace(/\s+/gu, ' ').trim()

/** Lines of a text, each ready for a margin. */
export const block = (text: string): readonly string[] =>
  plain(text).replaceAll('\t', '  ').split('\n')

/** Cuts to a width, at the end of a word if near; a mark shows the cut. */
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

/** Ids begin with their time, shared by neighbours: the end tells ids apart. */
export const shortRef = (ref: Ref | string): string => {
  const colon = ref.indexOf(':')
  return `${ref.slice(0, colon)}:${ref.slice(-SHORT_ID_CHARS)}`
}

const WHOLE_REF = /\b([a-z_]+):[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** A sentence of the engine, with short refs as in lists. */
export const withShortRefs = (text: string): string => text.replace(WHOLE_REF, shortRef)

const MINUTE = 60_000

const HOUR = 60 * MINUTE

const DAY = 24 * HOUR

const DAYS_IN_WORDS = 60 // an older time reads better as a date

export function age(at: string, now: number): string {
  const ms = now - Date.parse(at)
  if (ms <= -MINUTE || ms >= DAYS_IN_WORDS * DAY) return at.slice(0, 10)
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`
  const days = Math.floor(ms / DAY)
  return days === 1 ? 'yesterday' : `${days} days ago`
}

/** Groups digits by three. Intl would load its tables for every language. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** Rewordings share a place in the list; --expand shows each. */
export const rewordingsWords = (count: number): string => `+${plural(count, 'rewording')}`

/** The beginning of a text, without half a character at its end. */
export function cutTo(text: string, charsMax: number): string {
  const whole = text.toWellFormed()
  const cut = whole.slice(0, charsMax)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
