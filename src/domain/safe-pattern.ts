/** Patterns written by others, accepted only if no text can make the search slow. */

const PATTERN_CHARS_MAX = 500
const NAME = /^[a-z][a-z0-9-]{0,39}$/
const REPEAT_MAX = 4_096
/** Most ways to try a pattern at a place of a text. */
const WAYS_MAX = 2_000

export interface NamedPattern {
  readonly name: string
  readonly pattern: string
}

/** The compiled pattern, or the fault that prevents its use. */
export type Compiled =
  | { readonly regexp: RegExp; readonly fault: null }
  | { readonly regexp: null; readonly fault: string }

const refused = (fault: string): Compiled => ({ regexp: null, fault })

export function compilePattern({ name, pattern }: NamedPattern): Compiled {
  if (!NAME.test(name)) return refused('its name is small letters, digits and dashes, 40 at most')
  if (pattern.length > PATTERN_CHARS_MAX) {
    return refused(`it is longer than ${PATTERN_CHARS_MAX} characters`)
  }
  let regexp: RegExp
  try {
    regexp = new RegExp(pattern, 'gu')
  } catch {
    return refused('it is no regular expression')
  }
  try {
    const { ways, least } = new Reader(pattern).whole()
    if (least === 0) return refused('it matches where nothing is')
    if (ways > WAYS_MAX) {
      return refused(`it can be tried in more than ${WAYS_MAX} ways: bound its repetitions closer`)
    }
  } catch (error) {
    if (error instanceof Unbounded) return refused(error.message)
    throw error
  }
  return { regexp, fault: null }
}

class Unbounded extends Error {}

/** The number of ways to try a part, and the fewest characters of a match. */
interface Part {
  readonly ways: number
  readonly least: number
}

const ESCAPE = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]+\}|c[a-z]|[\s\S])/iy
const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y
const REPEAT = /(?:\{(\d+)(,?)(\d*)\}|([*+?]))\??/y
const GROUP = /\((?:\?:)?/y
const BOUNDARY = /\\[bB]|[\^$]/y
const BACKWARDS = /\\(?:[1-9]|k)/y

/** Reads a valid regular expression, part by part. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Part {
    return this.#either()
  }

  #either(): Part {
    let part = this.#sequence()
    while (this.#text[this.#at] === '|') {
      this.#at += 1
      const other = this.#sequence()
      part = { ways: part.ways + other.ways, least: Math.min(part.least, other.least) }
    }
    return part
  }

  #sequence(): Part {
    let part: Part = { ways: 1, least: 0 }
    while (this.#at < this.#text.length && !'|)'.includes(this.#text.charAt(this.#at))) {
      const next = this.#repeated(this.#atom())
      part = { ways: Math.min(part.ways * next.ways, Infinity), least: part.least + next.least }
    }
    return part
  }

  #atom(): Part {
    if (this.#take(BACKWARDS)) throw new Unbounded('it refers back to a part of itself')
    if (this.#take(BOUNDARY)) return { ways: 1, least: 0 }
    if (this.#take(GROUP)) return this.#group()
    if (this.#take(ESCAPE) ?? this.#take(CLASS)) return { ways: 1, least: 1 }
    this.#at += 1
    return { ways: 1, least: 1 }
  }

  #group(): Part {
    if (this.#text[this.#at] === '?') throw new Unbounded('it looks ahead, back, or names a part')
    const part = this.#either()
    this.#at += 1 // its closing bracket, which is there
    return part
  }

  #repeated(part: Part): Part {
    const found = this.#take(REPEAT)
    if (!found) return part
    const [, from, comma, to, sign] = found
    if (sign === '*' || sign === '+' || (comma === ',' && to === '')) {
      throw new Unbounded('it repeats without an end: write {1,200} where it says +')
    }
    const min = sign === '?' ? 0 : Number(from)
    const max = sign === '?' ? 1 : comma === '' ? min : Number(to)
    if (max > REPEAT_MAX) throw new Unbounded(`it repeats more than ${REPEAT_MAX} times`)
    let ways = 0
    for (let times = min; times <= max && ways <= WAYS_MAX; times++) ways += part.ways ** times
    return { ways, least: part.least * min }
  }

  #take(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.#at
    const found = shape.exec(this.#text)
    if (found) this.#at = shape.lastIndex
    return found
  }
}
