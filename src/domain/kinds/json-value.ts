import { LIMITS } from '../limits.ts'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type JsonObject = { readonly [key: string]: JsonValue }

const isPlainPrototype = (prototype: object | null): boolean =>
  prototype === Object.prototype ||
  prototype === null ||
  // Another realm's Object.prototype, as `vm` and some test runners pass.
  (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'))

const FOREIGN = Symbol('foreign')
const PROTO_MEMBER = Symbol('proto member')
const SYMBOL_MEMBER = Symbol('symbol member')

const refusals: ReadonlyMap<symbol, string> = new Map([
  [FOREIGN, 'expected a plain object'],
  [PROTO_MEMBER, 'a member may not be named __proto__'],
  [SYMBOL_MEMBER, 'a member may not be named by a symbol'],
])

/** The message of a refusal symbol; a caller's own symbol has none. */
export const sentenceOf = (refusal: unknown): string | undefined =>
  typeof refusal === 'symbol' ? refusals.get(refusal) : undefined

/** Reason why an object is not plain data, or undefined. Not for arrays. */
export function refusalOf(value: object): symbol | undefined {
  if (!isPlainPrototype(Object.getPrototypeOf(value))) return FOREIGN
  // Assigning to this name sets a prototype instead of a member, in too many readers to trust.
  if (Object.hasOwn(value, '__proto__')) return PROTO_MEMBER
  if (Object.getOwnPropertySymbols(value).length > 0) return SYMBOL_MEMBER
  return undefined
}

/** Reason why a value is not JSON, or undefined. Names the fault, never the content. */
export function jsonProblem(value: unknown, depth = 1): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : 'not JSON: a number is not finite'
    case 'object':
      return value === null ? undefined : containerProblem(value, depth)
    case 'symbol':
      return `not JSON: ${sentenceOf(value) ?? 'a symbol'}`
    case 'undefined':
      return 'not JSON: nothing is there'
    case 'function':
    case 'bigint':
      return `not JSON: a ${typeof value}`
  }
}

function containerProblem(value: object, depth: number): string | undefined {
  // The limit of depth also ends the walk around a cycle.
  if (depth > LIMITS.bodyDepthMax) return 'not JSON: nested deeper than bodyDepthMax'
  const refusal = Array.isArray(value) ? undefined : refusalOf(value)
  if (refusal !== undefined) return `not JSON: ${sentenceOf(refusal)}`
  // Array.from visits holes, which Object.values would pass over.
  for (const member of Array.isArray(value) ? Array.from(value) : Object.values(value)) {
    const inner = jsonProblem(member, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

export const isJsonValue = (value: unknown): value is JsonValue => jsonProblem(value) === undefined

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isJsonValue(value)

/** JSON with sorted members, so a body's text never depends on the order of input. */
export function sortedJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(sortedJson).join(',')}]`
  const members = Object.entries(value).sort(byName)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`).join(',')}}`
}

/** Every string inside a value, members in sorted order. */
export function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (isList(value)) return value.flatMap(stringsIn)
  return Object.entries(value)
    .sort(byName)
    .flatMap(([, member]) => stringsIn(member))
}

// Array.isArray does not narrow a readonly array out of a union.
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const byName = ([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number =>
  a < b ? -1 : a > b ? 1 : 0
