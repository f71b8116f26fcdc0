import { compilePattern } from '../../domain/words/secrets.ts'
import type { RedactPattern, Values, ValueType } from '../../operations/settings.ts'

/** The problem with a value, as the rest of a sentence that begins with its name. */
export class BadValue extends Error {}

type Value = Values[keyof Values]

const ON: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on'])
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off'])

/** A variable is text; its value means the same as in a file. */
export function fromVariable(reads: ValueType, text: string): Value {
  switch (reads.type) {
    case 'text':
    case 'choice':
      return fromFile(reads, text)
    case 'count':
      return fromFile(reads, text.trim() === '' ? text : Number(text))
    case 'flag':
      if (ON.has(text.toLowerCase())) return true
      if (OFF.has(text.toLowerCase())) return false
      throw new BadValue('is 1 or 0')
    case 'texts':
      return fromFile(
        reads,
        text.split(',').map((each) => each.trim()),
      )
    case 'patterns':
      return fromFile(reads, parsed(text))
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadValue('is a list in JSON: [{"name": "…", "pattern": "…"}]')
  }
}

/** Reads a member of a file, parsed as plain data. */
export function fromFile(reads: ValueType, value: unknown): Value {
  switch (reads.type) {
    case 'text':
      if (isText(value)) return value
      throw new BadValue('is a text')
    case 'flag':
      if (typeof value === 'boolean') return value
      throw new BadValue('is true or false')
    case 'choice':
      if (isText(value) && reads.of.includes(value)) return value as Value // found in the list
      throw new BadValue(`is one of ${reads.of.join(', ')}`)
    case 'count':
      if (Number.isInteger(value) && Number(value) >= reads.min && Number(value) <= reads.max) {
        return Number(value)
      }
      throw new BadValue(`is a whole number from ${reads.min} to ${reads.max}`)
    case 'texts':
      if (Array.isArray(value) && value.every(isText)) return value
      throw new BadValue('is a list of texts')
    case 'patterns':
      if (!Array.isArray(value)) throw new BadValue('is a list of { name, pattern }')
      return value.map(patternOf)
  }
}

function patternOf(value: unknown): RedactPattern {
  const { name, pattern, ...rest } = Object(value) as Record<string, unknown>
  if (!isText(name) || !isText(pattern) || Object.keys(rest).length > 0) {
    throw new BadValue('is a list of { name, pattern }')
  }
  const { fault } = compilePattern({ name, pattern })
  if (fault !== null) throw new BadValue(`has a pattern “${name}” that cannot be used: ${fault}`)
  return { name, pattern }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
