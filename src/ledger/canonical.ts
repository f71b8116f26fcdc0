import { type FieldIssue, MunimentError } from '../domain/errors.ts'
import { utf8 } from './sha256.ts'

const DEPTH_MAX = 128 // nested arrays and objects; the limit also stops a cycle

interface CanonicalOptions {
  readonly depthMax?: number
}

/** The root lets a refusal deep inside name every bad place from the top. */
interface Job {
  readonly root: unknown
  readonly depthMax: number
}

/**
 * RFC 8785 text of a value that JSON can hold exactly. Every other value is refused, not converted:
 * two different values must never share a text. (-0 is written 0, as the RFC asks.)
 */
export function canonicalize(value: unknown, options: CanonicalOptions = {}): string {
  return write(value, 0, { root: value, depthMax: options.depthMax ?? DEPTH_MAX })
}

export const canonicalBytes = (value: unknown, options?: CanonicalOptions): Uint8Array =>
  utf8(canonicalize(value, options))

function write(value: unknown, depth: number, job: Job): string {
  if (typeof value === 'string') return writeString(value, job)
  // ECMAScript prints a number exactly as the RFC asks.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'object' || depth >= job.depthMax) throw notCanonical(job)
  return Array.isArray(value)
    ? writeArray(value, depth + 1, job)
    : writeObject(value, depth + 1, job)
}

// Every code unit but controls, quote, backslash and surrogates: JSON writes these verbatim.
const VERBATIM = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/
// Beyond this length JSON.stringify is quicker than the pattern.
const VERBATIM_CHARS_MAX = 64

function writeString(text: string, job: Job): string {
  if (text.length <= VERBATIM_CHARS_MAX && VERBATIM.test(text)) return `"${text}"`
  if (text.isWellFormed()) return JSON.stringify(text)
  throw notCanonical(job)
}

function writeArray(items: readonly unknown[], depth: number, job: Job): string {
  if (!isPlainArray(items)) throw notCanonical(job)
  let text = '['
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ','
    text += write(items[at], depth, job)
  }
  return `${text}]`
}

function writeObject(value: object, depth: number, job: Job): string {
  if (!isPlainObject(value)) throw notCanonical(job)
  let text = '{'
  // The default order of sort is by UTF-16 code units, as the RFC orders keys.
  for (const key of Object.keys(value).sort()) {
    if (text.length > 1) text += ','
    text += `${writeString(key, job)}:${write(value[key], depth, job)}`
  }
  return `${text}}`
}

/** An array without holes and without own properties, so that the items are the whole value. */
const isPlainArray = (value: readonly unknown[]): boolean =>
  Object.getPrototypeOf(value) === Array.prototype && Object.keys(value).length === value.length

/** An object with only string-keyed members: no class, no symbols. */
function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.getOwnPropertySymbols(value).length === 0
}

interface Walk {
  readonly depthMax: number
  readonly issues: FieldIssue[]
  /** The containers of the current value: meeting one of these again is a cycle. */
  readonly holders: Set<object>
  /** The greatest depth at which each object was met; only a deeper visit finds more. */
  readonly deepest: Map<object, number>
}

/**
 * The refusal of a value, naming every bad place. The writer keeps no paths, for speed; this walk
 * visits a bad value again.
 */
function notCanonical(refused: { root: unknown; depthMax: number }): MunimentError {
  const issues: FieldIssue[] = []
  const walk: Walk = { depthMax: refused.depthMax, issues, holders: new Set(), deepest: new Map() }
  inspect(refused.root, '', walk)
  // Only an accessor or a proxy can refuse once and then pass.
  if (issues.length === 0) issues.push({ path: '', message: 'changed while it was read' })
  return new MunimentError('not_canonical', 'The value has no canonical JSON form.', { issues })
}

function inspect(value: unknown, path: string, walk: Walk): void {
  const message = problemOf(value, walk)
  if (message !== undefined) {
    walk.issues.push({ path, message })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const depth = walk.holders.size
  if ((walk.deepest.get(value) ?? -1) >= depth) return
  walk.deepest.set(value, depth)
  walk.holders.add(value)
  inspectMembers(value, path, walk)
  walk.holders.delete(value)
}

function inspectMembers(value: object, path: string, walk: Walk): void {
  for (const [key, member] of Object.entries(value)) {
    // An ill-formed key cannot be part of a path sent as text.
    if (key.isWellFormed()) inspect(member, `${path}/${pointerPart(key)}`, walk)
    else walk.issues.push({ path, message: 'a key has a lone surrogate' })
  }
}

function problemOf(value: unknown, walk: Walk): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined
    case 'string':
      return value.isWellFormed() ? undefined : 'lone surrogate'
    case 'number':
      return Number.isFinite(value) ? undefined : 'not a finite number'
    case 'object':
      return value === null ? undefined : problemOfObject(value, walk)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return `${typeof value} has no JSON form`
  }
}

function problemOfObject(value: object, walk: Walk): string | undefined {
  if (walk.holders.has(value)) return 'holds itself'
  if (walk.holders.size >= walk.depthMax) return `nested deeper than ${walk.depthMax}`
  if (Array.isArray(value)) {
    return isPlainArray(value) ? undefined : 'not a plain, dense array'
  }
  return isPlainObject(value) ? undefined : 'not a plain object'
}

/** RFC 6901. */
const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * The order of UTF-8 bytes, equal to code point order: databases sort by these bytes. Units of a
 * JavaScript string order the characters beyond U+FFFF before some smaller characters.
 */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (x !== y) return rankOf(x) - rankOf(y)
  }
  return a.length - b.length
}

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
const BEYOND = 0x10000

/** Halves of characters beyond U+FFFF come after every whole character. */
const rankOf = (unit: number): number =>
  unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + BEYOND : unit

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
