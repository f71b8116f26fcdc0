import { z } from 'zod'
import { Entity } from '../../agent/entity.ts'
import { once } from '../../domain/errors.ts'
import { isKind } from '../../domain/ids.ts'
import { fencedText, NOTICE } from '../../engine/read/render.ts'
import { operate } from '../operate.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS, type OperationName } from '../operations.ts'
import { resultOf } from '../output-schemas.ts'
import { resolveRefs } from '../refs.ts'
import { cutTo } from '../text/words.ts'
import { camel, defineTool, snake, type Tool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { notice } from './fields.ts'
import { relayed, runWrite, written } from './write.ts'

const titleOf = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** The rest of the table as tools, for clients that ask for all of it. */
export const operationTools = once((): readonly Tool[] =>
  Object.values<Operation>(OPERATIONS)
    .filter(({ tool }) => tool !== null && tool !== 'default')
    .map(toolOf),
)

function toolOf(operation: Operation): Tool {
  const { name, tool = 'meta' } = operation
  const isRead = operation.right === 'read' && operation.rises === undefined
  const about = {
    name: `${tool}_${name}`,
    title: titleOf(name),
    description: operation.summary,
    toolset: 'full',
    effects: { readOnly: isRead, idempotent: isRead },
  } as const
  const fields = Object.entries(operation.input.shape).map(
    ([field, schema]) => [snake(field), schema] as const,
  )
  const input = z.strictObject(Object.fromEntries(fields))
  if (!isKind(name)) {
    const output = z.strictObject({ notice, result: resultOf(operation) })
    return defineTool({
      ...about,
      input,
      output,
      operation: name as OperationName,
      run: (context, given) => runOperation(context, name as OperationName, given),
    })
  }
  return defineTool({
    ...about,
    input: input.extend({ relayed }),
    output: written,
    makes: name,
    run: (context, given) => runWrite(context, name, given),
  })
}

const CORE = 'muniment-mcp'

const TEXT_CHARS_MAX = 40_000 // characters a model has to read of an answer

type Input = Readonly<Record<string, unknown>>

/** Runs an operation of the table unchanged; the answer is data, all fenced. */
export async function runOperation(
  context: ToolContext,
  name: OperationName,
  input: Input,
): Promise<ToolAnswer> {
  const { stack, caller, actor, model, redact, onProgress } = context
  const named = Object.fromEntries(
    Object.entries(input).flatMap(([field, value]) =>
      value === undefined ? [] : [[camel(field), value]],
    ),
  )
  const resolved = await resolveRefs(stack, name, named)
  const entity = new Entity(CORE, { modelId: model })
  const door = {
    entity,
    stack,
    caller,
    actor,
    model,
    redact,
    ...(onProgress ? { onProgress } : {}),
  }
  const result: unknown = await operate(door, name, resolved)
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 1)
  const structured = { notice: NOTICE, result: asObject(result) }
  // `render` gives a fenced text; a second fence would only hide the first.
  return { structured, text: told(text), isFenced: name === 'render' }
}

function asObject(result: unknown): Input {
  if (Array.isArray(result)) return { items: result }
  if (typeof result === 'string') return { text: result }
  const members = JSON.parse(JSON.stringify(result ?? {})) as Input // the wire form
  // Strict clients take no null in schemas, and check answers against the schemas.
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== null))
}

function told(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return fencedText(text)
  const shown = fencedText(cutTo(text, TEXT_CHARS_MAX))
  return `${shown}\nCut after ${TEXT_CHARS_MAX} of ${text.length} characters: ask for less, or take the structured content.`
}
