import type { Operation } from '../../../operations/operation.ts'
import { REF_FIELDS } from '../../operate/refs.ts'
import type { Reading } from './command.ts'

/** As much of JSON Schema as our inputs use. */
export interface Node {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
}

/** The input of an operation as plain data. */
export const inputSchema = ({ input }: Operation): Node =>
  input.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Node // what zod writes is JSON Schema

/** Without the `null` that a nullable field also takes: leaving it out says the same. */
const withoutNull = (node: Node): Node => node.anyOf?.find(({ type }) => type !== 'null') ?? node

const typeOf = ({ type }: Node): string | undefined =>
  typeof type === 'object' ? type.find((each) => each !== 'null') : type

export const isMany = (node: Node): boolean => typeOf(withoutNull(node)) === 'array'

/** Texts that are times; their schemas check them, but do not say so in a way to read. */
export const TIME_FIELDS: ReadonlySet<string> = new Set([
  'eventTime',
  'lastInteraction',
  'lastUsed',
  'periodStart',
  'periodEnd',
  'startedAt',
  'endedAt',
])

/** How one argument for a field is read; for a list, one of its items. */
export function readingFor(field: string, node: Node): Reading {
  if (REF_FIELDS.has(field)) return { type: 'ref' }
  return TIME_FIELDS.has(field) ? { type: 'time' } : readingOf(node)
}

function readingOf(given: Node): Reading {
  const node = withoutNull(given)
  if (node.enum) return { type: 'choice', of: node.enum }
  switch (typeOf(node)) {
    case 'string':
      return { type: 'text' }
    case 'number':
    case 'integer':
      return { type: 'number' }
    case 'boolean':
      return { type: 'flag', sets: node.default !== true }
    case 'array':
      return readingOfItem(node.items ?? {})
    case 'object':
      return { type: 'json' }
    default:
      return { type: 'any' }
  }
}

/** An object with one essential text can be given as that text alone. */
function readingOfItem(item: Node): Reading {
  const [essential, ...others] = item.required ?? []
  if (typeOf(item) !== 'object' || essential === undefined || others.length > 0) {
    return readingOf(item)
  }
  return { type: 'item', essential }
}
