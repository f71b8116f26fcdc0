import type { Operation } from '../../../operations/operation.ts'
import { REF_FIELDS } from '../../../operations/refs.ts'
import type { Reading } from './command.ts'

/** The part of JSON Schema in use by our inputs. */
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

export const inputSchema = ({ input }: Operation): Node =>
  input.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Node // what zod writes is JSON Schema

/** Drops the `null` of a nullable field: leaving the field out means the same. */
const withoutNull = (node: Node): Node => node.anyOf?.find(({ type }) => type !== 'null') ?? node

const typeOf = ({ type }: Node): string | undefined =>
  typeof type === 'object' ? type.find((each) => each !== 'null') : type

export const isMany = (node: Node): boolean => typeOf(withoutNull(node)) === 'array'

/** Texts with a time inside; their schemas check times, but do not say so readably. */
export const TIME_FIELDS: ReadonlySet<string> = new Set([
  'eventTime',
  'lastInteraction',
  'lastUsed',
  'periodStart',
  'periodEnd',
  'startedAt',
  'endedAt',
])

/** The reading of a field's argument; for a list, of each item. */
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

/** An object with one essential text can be given as the text alone. */
function readingOfItem(item: Node): Reading {
  const [essential, ...others] = item.required ?? []
  if (typeOf(item) !== 'object' || essential === undefined || others.length > 0) {
    return readingOf(item)
  }
  return { type: 'item', essential }
}
