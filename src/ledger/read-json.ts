/**
 * JSON.parse, save for one case. Where a text was parsed before whose second or later member is
 * called `\`, the V8 of Node 22 and 24 may take another member at that place, written with an
 * escape, for that one: `{"!":1,"\"":2}` comes back with a member `\`. What was sealed must come
 * back as it was sealed, so that texts with such a name are read by hand.
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return ESCAPED_NAME.test(text) ? new ByHand(text).value() : value
}

/** A name that begins with an escape; a string that looks like one costs only time. */
const ESCAPED_NAME = /[{,]\s*"\\/

const STRING = /"(?:[^"\\]|\\.)*"/y
const LITERAL = /[^\s,\]}]+/y
const SPACE = /\s*/y

/** Reads a text that is known to be JSON: every string by itself, which is always right. */
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
