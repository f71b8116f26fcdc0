import { isKind, isRecordKind } from '../../../domain/ids.ts'
import { provenanceFields } from '../../../operations/fields.ts'
import type { Operation } from '../../../operations/operation.ts'
import { REF_FIELDS } from '../../../operations/refs.ts'
import type { Option, Positional, Reading } from './command.ts'
import { aliasesFor, flagFor, offFlagFor } from './names.ts'

const isAboutSource = (field: string): boolean => Object.hasOwn(provenanceFields(), field)

interface Arguments {
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
}

/** The arguments of an operation: required fields need no flag, the rest are options. */
export function argumentsOf(operation: Operation): Arguments {
  const { properties = {}, required = [] } = inputSchema(operation)
  const { name, places = [] } = operation
  const positionals = [...required, ...places].map(
    (field): Positional => ({
      field,
      reading: readingFor(field, properties[field] ?? {}),
      required: required.includes(field),
      help: helpOf(properties[field] ?? {}),
    }),
  )
  const options = Object.entries(properties).map(([field, node]): Option => {
    const many = isMany(node)
    const reading = readingFor(field, node)
    const isOff = reading.type === 'flag' && !reading.sets
    return {
      field,
      flag: isOff ? offFlagFor(field) : flagFor({ field, many, command: name }),
      // An alias by the field's name would mean the opposite of an off switch.
      aliases: isOff ? [] : aliasesFor({ field, many, command: name }),
      reading,
      many,
      group: isKind(name) && isAboutSource(field) ? 'source' : 'body',
      help: helpOf(node),
    }
  })
  return { positionals, options }
}

function helpOf(node: Node): string {
  const { description: words = '', default: fallback } = node
  if (fallback === true) return `Leave out ${words.charAt(0).toLowerCase()}${words.slice(1)}`
  const isWorthSaying = ['string', 'number'].includes(typeof fallback)
  return [words, isWorthSaying ? `Default ${fallback}.` : '']
    .filter((part) => part !== '')
    .join(' ')
}

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

const inputSchemas = new WeakMap<Operation['input'], Node>()

/** Made once for each operation: an HTTP request reads its query by the schema. */
export function inputSchema({ input }: Operation): Node {
  const made = inputSchemas.get(input)
  if (made !== undefined) return made
  const schema = input.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Node // what zod writes is JSON Schema
  inputSchemas.set(input, schema)
  return schema
}

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

interface Shape {
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
  readonly example: Readonly<Record<string, unknown>>
}

const SAMPLE_ID = '1a2b3c4d'

/** An example of the table as words of a command line; `refFor` names the memory of a kind. */
export function exampleArgs(
  { positionals, options, example }: Shape,
  refFor: (kind: string) => string,
): readonly string[] {
  const words: string[] = []
  const text = (field: string, value: unknown): string => {
    if (REF_FIELDS.has(field) && isRecordKind(value)) return refFor(value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  for (const { field } of positionals) {
    if (example[field] !== undefined) words.push(text(field, example[field]))
  }
  for (const { field, flag, reading } of options) {
    const value = example[field]
    if (value === undefined || positionals.some((place) => place.field === field)) continue
    if (reading.type === 'flag') {
      words.push(`--${flag}`) // a switch stands alone
      continue
    }
    for (const item of Array.isArray(value) ? value : [value]) {
      const essential = reading.type === 'item' ? item[reading.essential] : item
      words.push(`--${flag}`, text(field, essential))
    }
  }
  return words
}

export const exampleLine = (command: string, shape: Shape): string =>
  ['muniment', command, ...exampleArgs(shape, (kind) => `${kind}:${SAMPLE_ID}`).map(quoted)].join(
    ' ',
  )

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`
