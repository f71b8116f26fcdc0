import { z } from 'zod'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { shapes } from './shapes.ts'

type Json = Readonly<Record<string, unknown>>

/** The answers of all operations as JSON Schema, and their shared shapes by name. */
export interface OutputSchemas {
  readonly of: Readonly<Record<string, Json>>
  readonly shared: Readonly<Record<string, Json>>
}

/** References point to `at`, where the reader of these finds what is shared. */
export function outputSchemas(at: string): OutputSchemas {
  const shared: Record<string, Json> = {}
  const of: Record<string, Json> = {}
  for (const { name, output } of Object.values<Operation>(OPERATIONS)) {
    const { $defs = {}, ...schema } = jsonSchemaOf(output())
    of[name] = published(schema, at)
    for (const [id, each] of Object.entries($defs as Record<string, Json>)) {
      shared[id] ??= published(each, at)
    }
  }
  return { of, shared }
}

const jsonSchemaOf = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { metadata: shapes, io: 'output', unrepresentable: 'any' }) as Json // plain data

/** Words that are about the writing of it and not about what is there. */
const OURS: ReadonlySet<string> = new Set(['$schema', 'readOnly', 'propertyNames', 'id'])

/** A later answer may say more to a reader that knows less: what is published leaves room for it. */
function published(schema: Json, at: string): Json {
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const kept = Object.entries(node).filter(([key, value]) => !isLeftOut(key, value))
    return Object.fromEntries(kept.map(([key, value]) => [key, told(key, value)]))
  }
  const told = (key: string, value: unknown): unknown => {
    if (key === '$ref') return String(value).replace('#/$defs/', at)
    if (key !== 'properties') return walk(value)
    // Members are named by us: one called `id` is a member, not a keyword.
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, each]) => [name, walk(each)]),
    )
  }
  return walk(schema) as Json // an object stays one
}

const isLeftOut = (key: string, value: unknown): boolean =>
  OURS.has(key) ||
  (key === 'additionalProperties' && value === false) ||
  value === Number.MAX_SAFE_INTEGER ||
  value === Number.MIN_SAFE_INTEGER

/**
 * Wraps an answer in an object under `result`: a list stands under `items`, words under `text`. Of
 * several possible answers the schema only says that the answer is an object.
 */
export function resultOf(operation: Operation): z.ZodObject {
  const output = operation.output()
  const inner = output instanceof z.ZodReadonly ? output.unwrap() : output
  if (inner instanceof z.ZodArray) return z.object({ items: inner })
  if (inner instanceof z.ZodString) return z.object({ text: inner })
  return inner instanceof z.ZodObject ? inner : z.object({})
}
