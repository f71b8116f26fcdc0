import { provenanceFields } from '../../../protocol/fields.ts'
import type { Operation } from '../../../protocol/operation.ts'
import type { Option, Positional } from './command.ts'
import { FIELD_WORDS } from './field-words.ts'
import { aliasesFor, flagFor } from './names.ts'
import { inputSchema, isMany, type Node, readingFor } from './schema.ts'

/** Optional fields that are nevertheless given without a flag. */
const OPTIONAL_POSITIONALS: Readonly<Record<string, readonly string[]>> = { state: ['to'] }

/** Fields that the operation needs and the program can do without. */
const NOT_NEEDED: Readonly<Record<string, readonly string[]>> = { list: ['kind'] }

const isAboutSource = (field: string): boolean => Object.hasOwn(provenanceFields, field)

export interface Arguments {
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
}

/** The arguments of an operation: what it needs stands without a flag, the rest are options. */
export function argumentsOf(operation: Operation): Arguments {
  const { properties = {}, required = [] } = inputSchema(operation)
  const { name } = operation
  const positionals = [...required, ...(OPTIONAL_POSITIONALS[name] ?? [])].map(
    (field): Positional => ({
      field,
      reading: readingFor(field, properties[field] ?? {}),
      required: required.includes(field) && !NOT_NEEDED[name]?.includes(field),
      help: helpOf(field, properties[field] ?? {}),
    }),
  )
  const options = Object.entries(properties).map(([field, node]): Option => {
    const many = isMany(node)
    return {
      field,
      flag: flagFor({ field, many, command: name }),
      aliases: aliasesFor({ field, many, command: name }),
      reading: readingFor(field, node),
      many,
      group: isAboutSource(field) ? 'source' : 'body',
      help: helpOf(field, node),
    }
  })
  return { positionals, options }
}

function helpOf(field: string, node: Node): string {
  const words = node.description ?? FIELD_WORDS[field] ?? ''
  const fallback = node.default
  const isWorthSaying = ['string', 'number'].includes(typeof fallback)
  return [words, isWorthSaying ? `Default ${fallback}.` : '']
    .filter((part) => part !== '')
    .join(' ')
}
