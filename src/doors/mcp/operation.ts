import { Entity } from '../../agent/entity.ts'
import { fencedText, NOTICE } from '../../engine/read/render.ts'
import { operate } from '../../operations/operate.ts'
import type { OperationName } from '../../operations/operations.ts'
import { resolveRefs } from '../../operations/refs.ts'
import { camel } from '../../operations/tool.ts'
import { cutTo } from '../cut.ts'
import type { ToolAnswer, ToolContext } from './context.ts'

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
