import { z } from 'zod'
import { isKind } from '../domain/ids.ts'
import { once } from '../domain/once.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { resultOf } from './output-schemas.ts'
import { defineTool, snake, type Tool } from './tool.ts'
import { notice } from './tool-fields.ts'
import { relayed, written } from './write-tools.ts'

/** Operations that a tool of the default set does, in words that a model reads at every session. */
const DONE_BY_DEFAULT: ReadonlySet<OperationName> = new Set([
  'raw',
  'episode',
  'note',
  'belief',
  'claim',
  'search',
  'load',
  'ask',
  'subject',
  'line',
  'verify',
  'forget',
  'uncertain',
  'review',
])

/** What no model is ever let do, and what takes a file that no model has. */
const NOT_FOR_MODELS: ReadonlySet<OperationName> = new Set(['readmit', 'import'])

/** Operations on memories themselves; the others are about memories and the stack. */
const MEMORY: ReadonlySet<OperationName> = new Set([
  'recall',
  'render',
  'list',
  'show',
  'recover',
  'protect',
  'weaken',
  'access',
  'describe',
  'reinforce',
  'supersede',
  'update_goal',
  'end',
  'retract',
  'reopen',
  'recast',
  'adjudicate',
  'erase',
])

const titleOf = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** The rest of the table as tools, for clients that ask for all of it. */
export const operationTools = once((): readonly Tool[] =>
  (Object.keys(OPERATIONS) as OperationName[]) // its own
    .filter((name) => !DONE_BY_DEFAULT.has(name) && !NOT_FOR_MODELS.has(name))
    .map(toolOf),
)

function toolOf(name: OperationName): Tool {
  const operation: Operation = OPERATIONS[name]
  const isRead = operation.right === 'read' && operation.rises === undefined
  const about = {
    name: `${isKind(name) || MEMORY.has(name) ? 'memory' : 'meta'}_${name}`,
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
    const output = z.strictObject({ notice, result: resultOf(name) })
    return defineTool({ ...about, input, output, operation: name })
  }
  return defineTool({ ...about, input: input.extend({ relayed }), output: written, makes: name })
}
