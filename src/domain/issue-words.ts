import type { z } from 'zod'
import type { FieldIssue } from './errors.ts'

/** Types of the validator, as a person calls them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
  null: 'null',
}

/** The value as its schema reads it, or every wrong field in plain words. */
export function readBy<T extends z.ZodType>(
  schema: T,
  value: unknown,
  { unknown, root = '' }: { readonly unknown: string; readonly root?: string },
):
  | { readonly data: z.output<T>; readonly issues: null }
  | { readonly data: null; readonly issues: readonly FieldIssue[] } {
  const parsed = schema.safeParse(value, { error: issueWords })
  if (parsed.success) return { data: parsed.data, issues: null }
  const issues = parsed.error.issues.flatMap((found): readonly FieldIssue[] =>
    found.code === 'unrecognized_keys'
      ? found.keys.map((key) => ({
          path: [...found.path, key].map(String).join('.'),
          message: unknown,
        }))
      : [{ path: found.path.map(String).join('.') || root, message: found.message }],
  )
  return { data: null, issues }
}

/** The demand on a field; the validator's own messages are for programmers. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is needed'
        : `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return limitWords(issue.origin, Number(issue.minimum), 'at least')
    case 'too_big':
      return limitWords(issue.origin, Number(issue.maximum), 'at most')
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has no field ${issue.keys.join(', ')}`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a time in UTC, such as 2026-01-31T09:30:00.000Z'
        : 'is not written as expected'
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return 'has none of the forms that are allowed here'
    default:
      return undefined // a message of our own
  }
}

/** Limits on numbers, and on the length of texts and lists. */
function limitWords(origin: string, limit: number, bound: 'at least' | 'at most'): string {
  const counted = String(limit).replace(/\B(?=(?:\d{3})+$)/g, ',')
  switch (origin) {
    case 'string':
      if (bound === 'at least' && limit === 1) return 'must not be empty'
      return `must have ${bound} ${counted} characters`
    case 'array':
    case 'set':
      return `must have ${bound} ${counted} ${limit === 1 ? 'item' : 'items'}`
    default:
      return `must be ${bound} ${counted}`
  }
}
