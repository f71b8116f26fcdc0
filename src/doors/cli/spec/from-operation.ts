import { isKind } from '../../../domain/ids.ts'
import { provenanceFields } from '../../../operations/fields.ts'
import type { Operation } from '../../../operations/operation.ts'
import type { Option, Positional } from './command.ts'
import { aliasesFor, flagFor, offFlagFor } from './names.ts'
import { inputSchema, isMany, type Node, readingFor } from './schema.ts'

const isAboutSource = (field: string): boolean => Object.hasOwn(provenanceFields(), field)

export interface Arguments {
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
