import { LimitError, MunimentError } from '../domain/errors.ts'
import type { JsonValue } from '../domain/kinds/json-value.ts'
import { LIMITS } from '../domain/limits.ts'
import { readJson } from './canonical.ts'

const DEPTH_MAX = 64 // nested arrays and objects

export type ParseJsonOptions = Partial<Pick<JsonLimits, 'depthMax' | 'valuesMax'>>

/**
 * JSON.parse for text from outside. Refuses input that JSON.parse would change silently: repeated
 * keys, integers and numbers too large to hold, lone surrogates. Deep nesting and too many values
 * or keys are refused too.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { depthMax = DEPTH_MAX, valuesMax = LIMITS.jsonValuesMax } = options
  checkJson(text, { depthMax, valuesMax, keysMax: LIMITS.jsonKeysMax })
  return readJson(text) as JsonValue // JSON.parse returns only JSON values
}

/** The position of a check. Each `skip…` runs from the first to past the last character. */
interface Cursor extends JsonLimits {
  readonly text: string
  at: number
  /** The number of values passed so far, in arrays and objects of any depth. */
  values: number
}

/** Bounds of a document; each is counted on the way, before the parser builds any value. */
export interface JsonLimits {
  readonly depthMax: number
  readonly valuesMax: number
  readonly keysMax: number
}

/** Passes over a text once and throws at the first violation of strict JSON. */
export function checkJson(text: string, limits: JsonLimits): void {
  const cursor = { text, ...limits, at: 0, values: 0 }
  if (!text.isWellFormed()) {
    throw invalid('lone surrogate', /\p{Surrogate}/u.exec(text)?.index ?? 0)
  }
  skipSpace(cursor)
  skipValue(cursor, 0)
  skipSpace(cursor)
  if (cursor.at < text.length) throw invalid('text after the value', cursor.at)
}

function skipValue(cursor: Cursor, depth: number): void {
  cursor.values++
  if (cursor.values > cursor.valuesMax) throw tooMany('jsonValuesMax', cursor.valuesMax, cursor)
  switch (cursor.text[cursor.at]) {
    case '{':
      skipObject(cursor, depth + 1)
      break
    case '[':
      skipArray(cursor, depth + 1)
      break
    case '"':
      skipString(cursor)
      break
    case 't':
      skipWord(cursor, 'true')
      break
    case 'f':
      skipWord(cursor, 'false')
      break
    case 'n':
      skipWord(cursor, 'null')
      break
    default:
      skipNumber(cursor)
  }
}

function skipObject(cursor: Cursor, depth: number): void {
  const keys = new Set<string>()
  skipOpening(cursor, depth)
  if (skipIf(cursor, '}')) return
  do {
    skipSpace(cursor)
    const start = cursor.at
    const key = skipString(cursor)
    if (keys.has(key)) throw invalid('duplicate key', start)
    keys.add(key)
    if (keys.size > cursor.keysMax) throw tooMany('jsonKeysMax', cursor.keysMax, cursor)
    skipSpace(cursor)
    if (!skipIf(cursor, ':')) throw invalid('expected a colon', cursor.at)
    skipSpace(cursor)
    skipValue(cursor, depth)
    skipSpace(cursor)
  } while (skipIf(cursor, ','))
  if (!skipIf(cursor, '}')) throw invalid('expected a comma or a closing brace', cursor.at)
}

function skipArray(cursor: Cursor, depth: number): void {
  skipOpening(cursor, depth)
  if (skipIf(cursor, ']')) return
  do {
    skipSpace(cursor)
    skipValue(cursor, depth)
    skipSpace(cursor)
  } while (skipIf(cursor, ','))
  if (!skipIf(cursor, ']')) throw invalid('expected a comma or a closing bracket', cursor.at)
}

// The depth limit keeps these mutually recursive functions from overflowing the stack.
function skipOpening(cursor: Cursor, depth: number): void {
  if (depth > cursor.depthMax) throw invalid(`nested deeper than ${cursor.depthMax}`, cursor.at)
  cursor.at++
  skipSpace(cursor)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y

/** Passes over a string and returns the decoded text: keys spelled differently compare equal. */
function skipString(cursor: Cursor): string {
  const { text, at: start } = cursor
  if (text.charCodeAt(start) !== QUOTE) throw invalid('expected a string', start)
  let escaped = false
  let at = start + 1
  for (let unit = text.charCodeAt(at); unit !== QUOTE; unit = text.charCodeAt(at)) {
    // Past the end the unit is NaN, which is not printable either.
    if (!(unit >= FIRST_PRINTABLE)) throw invalid('string not ended', at)
    at++
    if (unit !== BACKSLASH) continue
    escaped = true
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) throw invalid('not an escape', at)
    at = ESCAPE.lastIndex
  }
  cursor.at = at + 1
  if (!escaped) return text.slice(start + 1, at)
  const said = String(JSON.parse(text.slice(start, at + 1)))
  if (!said.isWellFormed()) throw invalid('lone surrogate', start)
  return said
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y

function skipNumber(cursor: Cursor): void {
  NUMBER.lastIndex = cursor.at
  const match = NUMBER.exec(cursor.text)
  if (match === null) throw invalid('expected a value', cursor.at)
  const [digits, fraction, exponent] = match
  const value = Number(digits)
  if (!Number.isFinite(value)) throw invalid('number too large to hold', cursor.at)
  // An integer is meant exactly; beyond this range neighbouring integers share a number.
  if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) {
    throw invalid('integer too large to hold exactly', cursor.at)
  }
  cursor.at += digits.length
}

function skipWord(cursor: Cursor, word: string): void {
  if (!cursor.text.startsWith(word, cursor.at)) throw invalid('expected a value', cursor.at)
  cursor.at += word.length
}

function skipIf(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at++
  return true
}

function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    const unit = text.charCodeAt(cursor.at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
    cursor.at++
  }
}

/** Reading stops at the first value over the limit, so the error cannot name the whole count. */
const tooMany = (limit: string, max: number, { at }: Cursor): LimitError =>
  new LimitError(limit, max, max + 1, {
    issues: [{ path: `position ${at}`, message: 'is one too many' }],
    hint: 'Nothing was taken. Send the content in smaller parts.',
  })

/** Names the position and the problem, never the text: the text may hold a memory. */
function invalid(problem: string, position: number): MunimentError {
  return new MunimentError(
    'invalid_json',
    `Not acceptable JSON at position ${position}: ${problem}.`,
    {
      facts: { position },
    },
  )
}
