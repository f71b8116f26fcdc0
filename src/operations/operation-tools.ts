import { z } from 'zod'
import { once } from '../domain/errors.ts'
import { isKind } from '../domain/ids.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { resultOf } from './output-schemas.ts'
import { defineTool, snake, type Tool } from './tool.ts'
import { notice } from './tool-fields.ts'
import { relayed, written } from './write-tools.ts'

const titleOf = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`

/** The rest of the table as tools, for clients that ask for all of it. */
export const operationTools = once((): readonly Tool[] =>
  Object.values<Operation>(OPERATIONS)
    .filter(({ tool }) => tool !== null)
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
    return defineTool({ ...about, input, output, operation: name as OperationName })
  }
  return defineTool({ ...about, input: input.extend({ relayed }), output: written, makes: name })
}
