import { isRecordKind } from '../../../domain/ids.ts'
import { REF_FIELDS } from '../../../operations/refs.ts'
import type { Option, Positional } from './command.ts'

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
