import { isRecordKind, type RecordKind } from '../../domain/ids.ts'
import {
  type JsonObject,
  type JsonValue,
  refusalOf,
  sentenceOf,
  sortedJson,
} from '../../domain/kinds/json-value.ts'
import type { SearchQuery, SearchResult } from '../../ports/component.ts'

/** Limits of one returned value. */
export const VALUE_LIMITS = {
  depthMax: 16, // nesting of arrays and objects
  charsMax: 65_536, // names, texts and one for each value, in UTF-16 units
} as const

interface Budget {
  chars: number
}

/** Rejects a returned value. */
const refuse = (why: string): never => {
  throw new Error(why)
}

/**
 * A frozen copy of plain JSON from a component. Each member is read once, so the checked value is
 * the kept value; shared or cyclic parts exhaust the budget instead of unfolding.
 */
export function takeObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('returned something that is not a plain object')
  }
  return copyObject(value, 1, { chars: 0 })
}

function copy(value: unknown, depth: number, budget: Budget): JsonValue {
  spend(budget, 1)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return takeText(value, budget)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse('returned a number that is not finite')
    return value === 0 ? 0 : value // −0 has no JSON form of its own
  }
  if (typeof value !== 'object') return refuse(`returned a ${typeof value}, which is not JSON`)
  if (depth > VALUE_LIMITS.depthMax) {
    refuse(`returned something nested deeper than ${VALUE_LIMITS.depthMax}`)
  }
  return Array.isArray(value) ? copyList(value, depth, budget) : copyObject(value, depth, budget)
}

function copyList(list: readonly unknown[], depth: number, budget: Budget): readonly JsonValue[] {
  // Array.from visits holes, so a false length ends at the first hole.
  return Object.freeze(Array.from(list, (item) => copy(item, depth + 1, budget)))
}

function copyObject(object: object, depth: number, budget: Budget): JsonObject {
  const refusal = refusalOf(object)
  if (refusal !== undefined) refuse(`returned something else than JSON: ${sentenceOf(refusal)}`)
  const members: Record<string, JsonValue> = {}
  for (const name of Object.keys(object)) {
    const member = (object as Record<string, unknown>)[name]
    if (member !== undefined) members[takeText(name, budget)] = copy(member, depth + 1, budget)
  }
  return Object.freeze(members)
}

function takeText(text: string, budget: Budget): string {
  spend(budget, text.length)
  return text.isWellFormed() ? text : refuse('returned a text with a lone surrogate')
}

function spend(budget: Budget, chars: number): void {
  budget.chars += chars
  if (budget.chars > VALUE_LIMITS.charsMax) {
    refuse(`returned more than ${VALUE_LIMITS.charsMax} characters`)
  }
}

/** The stack's own result for a memory, or null where this search must not show the memory. */
export type Vouch = (kind: RecordKind, id: string) => Promise<SearchResult | null>

export interface ComponentSearch {
  readonly name: string
  readonly results: readonly SearchResult[]
  readonly query: SearchQuery
  readonly vouch: Vouch
}

/**
 * The results after one component. A component may order, filter, score and annotate; content and
 * other members stay as the stack gave them.
 */
export async function takeResults(
  value: unknown,
  { name, results, query, vouch }: ComponentSearch,
): Promise<readonly SearchResult[]> {
  if (!Array.isArray(value)) return refuse('returned no list of results')
  // A search may pass more results than its limit, so that enough remain after a filter.
  const countMax = Math.max(query.limit, results.length)
  if (value.length > countMax) refuse(`returned more than ${countMax} results`)
  const known = new Map(results.map((result) => [keyOf(result), result]))
  const taken = new Map<string, SearchResult>()
  for (const item of Array.from(value)) {
    const claimed = readResult(item)
    const key = keyOf(claimed)
    if (taken.has(key)) refuse(`returned ${key} twice`)
    const own = known.get(key)
    taken.set(key, own ? annotated(own, claimed) : await added(claimed, name, vouch))
  }
  return [...taken.values()]
}

interface Claimed {
  readonly memoryType: RecordKind
  readonly memoryId: string
  readonly content: unknown
  readonly score: number
  readonly metadata: JsonObject
}

const keyOf = (of: Pick<Claimed, 'memoryType' | 'memoryId'>): string =>
  `${of.memoryType}:${of.memoryId}`

function readResult(item: unknown): Claimed {
  if (typeof item !== 'object' || item === null) return refuse('returned a result that is none')
  const { memoryType, memoryId, content, score, metadata } = item as Record<string, unknown>
  if (!isRecordKind(memoryType) || typeof memoryId !== 'string') {
    return refuse('returned a result that names no memory')
  }
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    return refuse('returned a result whose score is not a finite number')
  }
  return { memoryType, memoryId, content, score, metadata: takeObject(metadata) }
}

function annotated(own: SearchResult, { content, score, metadata }: Claimed): SearchResult {
  if (content !== own.content) refuse(`changed what ${keyOf(own)} says`)
  for (const [name, value] of Object.entries(own.metadata)) {
    const now = metadata[name]
    if (now === undefined || sortedJson(now) !== sortedJson(value)) {
      refuse(`changed the metadata of ${keyOf(own)}`)
    }
  }
  if (metadata.addedBy !== undefined && own.metadata.addedBy === undefined) {
    refuse(`says that it added ${keyOf(own)}, which was there`)
  }
  return { ...own, score, metadata }
}

async function added(claimed: Claimed, name: string, vouch: Vouch): Promise<SearchResult> {
  const key = keyOf(claimed)
  if (claimed.metadata.addedBy !== name) {
    refuse(`returned ${key}, which was not given, without saying addedBy`)
  }
  const own = await vouch(claimed.memoryType, claimed.memoryId)
  if (own === null) return refuse(`added ${key}, which this search may not show`)
  return { ...own, score: claimed.score, metadata: { ...claimed.metadata, ...own.metadata } }
}

type Context = Readonly<Record<string, unknown>>

interface Shown {
  readonly enumerable: true
  readonly configurable: true
  readonly get: () => unknown
  readonly set: (this: object, value: unknown) => void
}

/**
 * Members of a context for components: frozen copies, made on first access, because most components
 * only add. An overwritten member changes only the writer's view.
 */
export const shownTo = (context: Context): Readonly<Record<string, Shown>> =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]): [string, Shown] => {
      let copy: unknown
      const get = (): unknown => {
        copy ??= frozenCopy(value)
        return copy
      }
      const own = { enumerable: true, configurable: true } as const
      return [name, { ...own, get, set: written(name) }]
    }),
  )

const written = (name: string) =>
  function (this: object, value: unknown): void {
    Object.defineProperty(this, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }

export function takeAdditions(
  context: Context,
  shown: Readonly<Record<string, Shown>>,
  before: Context,
): JsonObject {
  const isAsShown = (name: string, { get }: Shown): boolean =>
    Object.getOwnPropertyDescriptor(context, name)?.get === get || context[name] === get()
  const changed =
    Object.entries(shown).find(([name, member]) => !isAsShown(name, member))?.[0] ??
    Object.keys(before).find((name) => context[name] !== before[name])
  if (changed !== undefined) refuse(`changed ${changed}, which is not its own`)
  const isOwn = (name: string): boolean =>
    !Object.hasOwn(shown, name) && !Object.hasOwn(before, name)
  const own = Object.keys(context).filter(isOwn)
  return takeObject(Object.fromEntries(own.map((name) => [name, context[name]])))
}

/** A deeply frozen copy of plain data; other values are refused. */
export function frozenCopy<T>(value: T): T {
  return frozen(value, 0) as T // equal member by member
}

const GIVEN_DEPTH_MAX = 64 // bodies are far flatter; a cycle ends here

function frozen(value: unknown, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return refuse('was given no data')
  if (typeof value !== 'object' || value === null) return value
  if (depth > GIVEN_DEPTH_MAX) return refuse('was given something nested too deeply')
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item, depth + 1)))
  const members: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = frozen((value as Record<string, unknown>)[name], depth + 1)
    if (name === '__proto__')
      Object.defineProperty(members, name, { value: member, enumerable: true })
    else members[name] = member
  }
  return Object.freeze(members)
}
