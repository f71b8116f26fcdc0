import type { z } from 'zod'
import type { Entity } from '../agent/entity.ts'
import type { Caller } from '../domain/doors.ts'
import type { Kind } from '../domain/ids.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import type { Stack } from '../stack.ts'
import type { Trace } from './context.ts'
import type { OperationName } from './operations.ts'

/** The context of every tool call: the door names the caller, never the input. */
export interface ToolContext {
  readonly stack: Stack
  /** The person's own stack, if this project may read it. No tool writes there. */
  readonly personal?: Stack | null
  readonly caller: Caller
  readonly actor: string
  /** The core for writes, bound to the calling model. Made by the first write. */
  readonly entity: () => Promise<Entity>
  /** The calling model, as provenance names the model. */
  readonly model: string
  readonly redact?: Redactor | undefined
  readonly trace?: Trace | undefined
  /** Reports progress of long work; throws once the client has cancelled. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** A tool's answer: data for programs, and a text for the model. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
  /** The structured part is a fenced text already. */
  readonly isFenced?: boolean
}

/** The set of tools for a client: few by default, since a model reads every description. */
export type Toolset = 'default' | 'full'

/** Effects of a tool, which clients check before a model may call the tool. */
interface ToolEffects {
  readonly readOnly: boolean
  readonly idempotent: boolean
}

/** A tool as a model sees it. The door maps it to a call; the table says all that is shown. */
export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly toolset: Toolset
  readonly effects: ToolEffects
  /** Names in snake case, as the seed has them. */
  readonly input: Input
  readonly output: Output
  /** The kind that it makes, where it makes one. */
  readonly makes?: Kind
  /** The operation that it is, where it is no more than that. */
  readonly operation?: OperationName
  run(context: ToolContext, input: z.output<Input>): Promise<ToolAnswer>
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool

export const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** JSON Schema as every client takes it. */
interface ToolSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly [keyword: string]: unknown
}

/**
 * Schema parts that the strictest clients know. Everything else is checked here when the call comes, with an
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
 * Its output likewise. Open, so that a later answer may say more to a client that knows less, and
 * told at the root alone: every word is read by a model, and items look alike in every answer.
 */
export function outputSchemaOf(schema: z.ZodObject): ToolSchema {
  const plain = plainSchema(schema.toJSONSchema({ io: 'output', unrepresentable: 'any' }))
  const { properties } = plain as ToolSchema // an object's
  // Of an operation as it is, what its answer holds stands one step further down, under `result`.
  const told = Object.entries(properties).map(([name, node]) => [
    name,
    name === 'result' ? outlined(node as Outline) : outline(node as Outline),
  ])
  return { type: 'object', properties: Object.fromEntries(told) }
}

interface Outline {
  readonly type?: string
  readonly description?: string
  readonly items?: Outline
  readonly properties?: Readonly<Record<string, Outline>>
}

/** Types of a member and of its members, two levels deep. */
function outlined({ properties = {}, ...node }: Outline): object {
  const told = Object.entries(properties).map(([name, each]) => [name, outline(each)])
  return { ...outline(node), properties: Object.fromEntries(told) }
}

/** Type of a member, without its members. */
function outline({ type, description, items }: Outline): Outline {
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(items === undefined ? {} : { items: items.type === undefined ? {} : { type: items.type } }),
  }
}

function plainSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plainSchema)
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(typed(node)).filter(([name, value]) => isKept(name, value))
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'properties' ? members(value) : plainSchema(value),
    ]),
  )
}

/** A type that also takes null says no more than the field left out does; some clients know no other. */
function typed(node: object): object {
  const { type, anyOf, ...rest } = node as { type?: unknown; anyOf?: readonly Typed[] } // read below
  if (Array.isArray(type)) return { ...rest, type: type.find((each) => each !== 'null') }
  const [other] = anyOf?.filter((each) => each.type !== 'null') ?? []
  return other === undefined ? node : { ...rest, ...other }
}

interface Typed {
  readonly type?: unknown
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
