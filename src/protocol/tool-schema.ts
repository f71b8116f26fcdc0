import type { z } from 'zod'

/** JSON Schema as every client takes it. */
export interface ToolSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly [keyword: string]: unknown
}

/**
 * What the strictest clients know. Everything else is checked here when the call comes, with an
 * error that says more than a keyword could.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'description',
  'default',
  'minimum',
  'maximum',
  'additionalProperties',
])

/** The input of a tool as plain data, without what some client would refuse. */
export const inputSchemaOf = (schema: z.ZodObject): ToolSchema =>
  plainSchema(schema.toJSONSchema({ io: 'input', unrepresentable: 'any' })) as ToolSchema // an object's

/**
 * Its output likewise. Open, so that a later answer may say more to a client that knows less; what
 * is always there is said at the root alone, since every word of it is read by a model.
 */
export function outputSchemaOf(schema: z.ZodObject): ToolSchema {
  const plain = plainSchema(schema.toJSONSchema({ io: 'output', unrepresentable: 'any' }))
  const { required } = plain as ToolSchema // an object's
  return { ...(opened(plain) as ToolSchema), required } // without two of its keywords
}

function plainSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plainSchema)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([name, value]) => isKept(name, value))
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'properties' ? members(value) : plainSchema(value),
    ]),
  )
}

const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'required'])

function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(([name]) => !CLOSING.has(name))
  return Object.fromEntries(members.map(([name, value]) => [name, opened(value)]))
}

const isKept = (name: string, value: unknown): boolean =>
  KEYWORDS.has(name) && !isEmptyDefault(name, value) && !isNoBound(value)

/** An empty list as a default says what leaving it out says. */
const isEmptyDefault = (name: string, value: unknown): boolean =>
  name === 'default' && Array.isArray(value) && value.length === 0

const isNoBound = (value: unknown): boolean =>
  value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER

/** Members are named by us: one called `pattern` is a member, not a keyword. */
const members = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, plainSchema(node)]))
