import { LimitError } from '../errors.ts'
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

interface Budget {
  nodes: number
}

/**
 * A private copy of a caller's input, without `undefined` members. Copying first means that nobody
 * can change a body between check and seal. Data that is not plain becomes a symbol with the
 * reason; no schema takes a symbol, so the member is refused in place.
 */
export const snapshot = (input: unknown): unknown => copy(input, 1, { nodes: 0 })

function copy(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value !== 'object' || value === null) {
    return value === 0 ? 0 : value // −0 has no JSON form of its own, so 0 is kept and read back
  }
  if (depth > LIMITS.bodyDepthMax) throw new LimitError('bodyDepthMax', LIMITS.bodyDepthMax, depth)
  return Array.isArray(value) ? copyList(value, depth, budget) : copyObject(value, depth, budget)
}

function copyList(list: readonly unknown[], depth: number, budget: Budget): unknown {
  spend(budget, list.length)
  // Array.from visits holes, so a gap is refused as a missing item.
  return Array.from(list, (item) => copy(item, depth + 1, budget))
}

function copyObject(object: object, depth: number, budget: Budget): unknown {
  const refusal = refusalOf(object)
  if (refusal !== undefined) return refusal
  const members: Record<string, unknown> = {}
  const names = Object.keys(object)
  spend(budget, names.length)
  for (const name of names) {
    const member = copy((object as Record<string, unknown>)[name], depth + 1, budget)
    if (member !== undefined) members[name] = member
  }
  return members
}

/** A member or item takes a byte at least, so branches shared without end cannot unfold. */
function spend(budget: Budget, nodes: number): void {
  budget.nodes += nodes
  if (budget.nodes > LIMITS.bodyBytesMax) {
    throw new LimitError('bodyBytesMax', LIMITS.bodyBytesMax, budget.nodes)
  }
}
