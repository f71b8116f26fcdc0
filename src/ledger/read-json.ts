/**
 * JSON.parse, with a workaround for a V8 bug in Node 22 and 24. After parsing a text whose second
 * or later member is called `\`, V8 may read another escaped name at the same place as `\`:
 * `{"!":1,"\"":2}` comes back with a member `\`. Sealed content must come back unchanged, so this
 * function reads texts with an escaped name by hand.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return ESCAPED_NAME.test(text) ? new ByHand(text).value() : value
}

/** A name that begins with an escape; a string of the same look costs only time. */
const ESCAPED_NAME = /[{,]\s*"\\/

const STRING = /"(?:[^"\\]|\\.)*"/y
const LITERAL = /[^\s,\]}]+/y
const SPACE = /\s*/y

/** Reads a text already known to be JSON, each string separately, so the bug cannot occur. */
class ByHand {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): unknown {
    this.#take(SPACE)
    const first = this.#text[this.#at]
    if (first === '{') return this.#object()
    if (first === '[') return this.#array()
    return JSON.parse(this.#take(first === '"' ? STRING : LITERAL))
  }

  #object(): Readonly<Record<string, unknown>> {
    const members: [string, unknown][] = []
    this.#items('}', () => {
      const name = String(JSON.parse(this.#take(STRING)))
      this.#take(SPACE)
      this.#at += 1 // the colon
      members.push([name, this.value()])
    })
    // From entries, so that a member called __proto__ is a member.
    return Object.fromEntries(members)
  }

  #array(): readonly unknown[] {
    const items: unknown[] = []
    this.#items(']', () => items.push(this.value()))
    return items
  }

  #items(end: string, read: () => void): void {
    this.#at += 1
    this.#take(SPACE)
    while (this.#text[this.#at] !== end) {
      read()
      this.#take(SPACE)
      if (this.#text[this.#at] === ',') this.#at += 1
      this.#take(SPACE)
    }
    this.#at += 1
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }
}
