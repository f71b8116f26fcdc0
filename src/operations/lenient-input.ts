import type { Tool } from './tool.ts'
import { inputSchemaOf, snake } from './tool.ts'

type Fields = Readonly<Record<string, unknown>>

/** The part of a field's JSON Schema relevant to reading a value. */
interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: FieldSchema
}

/**
 * Other names used by models for our fields. An alias counts only where the field itself is left
 * out.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  memory_id: ['ref', 'id', 'memory_ref'],
  content: ['text', 'note'],
  statement: ['content', 'text', 'belief'],
  query: ['text', 'q'],
  derived_from: ['sources', 'source_refs'],
}

/** Lists of short names or refs, accepted as a text with commas. Sentences are never cut. */
const NAME_LISTS: ReadonlySet<string> = new Set(['tags', 'kinds', 'derived_from', 'evidence'])

const REF_LIKE = /^[a-z_]+:[0-9a-f-]{4,36}$/

/**
 * Rewrites a plausible input to the tool's schema: `"5"` for 5, `"a, b"` for two tags, null for a
 * field left out. An ambiguous value stays as given, and the schema refuses the value by name.
 */
export function lenientInput(tool: Tool, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const schemas = schemasOf(tool)
  const named = withOwnNames(given as Fields, schemas) // an object, by the line above
  const present = Object.entries(named).filter(([, value]) => value !== null)
  const fields = withJsonValue(Object.fromEntries(present), schemas)
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, readValue(name, value, schemas[name])]),
  )
}

const known = new WeakMap<Tool, Readonly<Record<string, FieldSchema>>>()

function schemasOf(tool: Tool): Readonly<Record<string, FieldSchema>> {
  const made = known.get(tool) ?? inputSchemaOf(tool.input).properties
  known.set(tool, made)
  return made
}

/** Renames each field to the tool's own name: `derivedFrom` and aliases become `derived_from`. */
function withOwnNames(given: Fields, schemas: Fields): Fields {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const own = [name, snake(name), ...aliasedBy(name, schemas)].find((each) => each in schemas)
    const isFree = own !== undefined && (own === name || !(own in given || own in named))
    named[isFree ? own : name] = value
  }
  return named
}

const aliasedBy = (name: string, schemas: Fields): readonly string[] =>
  Object.keys(ALIASES).filter((own) => own in schemas && ALIASES[own]?.includes(name))

function readValue(name: string, value: unknown, schema: FieldSchema | undefined): unknown {
  switch (schema?.type) {
    case 'integer':
    case 'number':
      return numberIn(value)
    case 'boolean':
      return booleanIn(value)
    case 'array':
      return listIn(name, value).map((each) => memberOf(schema.items?.enum, each))
    case 'string':
      return memberOf(schema.enum, value)
    default:
      return value
  }
}

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/

const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && NUMBER.test(value) ? Number(value) : value

const booleanIn = (value: unknown): unknown =>
  value === 'true' ? true : value === 'false' ? false : value

/** A text is a list as JSON, names with commas, or a single member. */
function listIn(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return [value]
  const parsed = value.trimStart().startsWith('[') ? jsonIn(value) : undefined
  if (Array.isArray(parsed)) return parsed
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // Evidence may also be a reason in words, which keeps its commas.
  const isList = NAME_LISTS.has(name) && (name !== 'evidence' || parts.every(isRefLike))
  return isList ? parts : [value]
}

const isRefLike = (text: string): boolean => REF_LIKE.test(text)

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the text itself is the value
  }
}

/** `Note` for `note`: a listed name in another case. */
function memberOf(names: readonly string[] | undefined, value: unknown): unknown {
  if (names === undefined || typeof value !== 'string' || names.includes(value)) return value
  const folded = value.trim().toLowerCase()
  return names.find((name) => name.toLowerCase() === folded) ?? value
}

/** A claim's non-text value becomes JSON. */
function withJsonValue(fields: Fields, schemas: Fields): Fields {
  const isOther = 'json' in schemas && 'value' in fields && typeof fields.value !== 'string'
  return isOther ? { ...fields, value: JSON.stringify(fields.value), json: true } : fields
}
