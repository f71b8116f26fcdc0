import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Reading } from '../cli/spec/command.ts'
import { readValue } from '../cli/spec/read-value.ts'
import { inputSchema, isMany, readingFor } from '../cli/spec/schema.ts'

type ParseJson = (text: string) => unknown

/** A query as an input: texts become the fields' types; the schemas check the rest. */
export function readQuery(
  operation: Operation,
  query: URLSearchParams,
  parseJson: ParseJson,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = inputSchema(operation)
  const issues: FieldIssue[] = []
  const input: [string, unknown][] = []
  for (const field of new Set(query.keys())) {
    const node = Object.hasOwn(properties, field) ? properties[field] : undefined
    const texts = query.getAll(field)
    if (node === undefined) {
      issues.push({ path: field, message: 'is not a field here' })
      continue
    }
    if (!isMany(node) && texts.length > 1) {
      issues.push({ path: field, message: 'is given more than once' })
      continue
    }
    const read = texts.map((text) => one(readingFor(field, node), text, parseJson))
    const values = read.flatMap((each) => (each.ok ? [each.value] : []))
    issues.push(
      ...read.flatMap((each) => (each.ok ? [] : [{ path: field, message: each.problem }])),
    )
    input.push([field, isMany(node) ? values : values[0]])
  }
  if (issues.length === 0) return Object.fromEntries(input)
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${operation.name}: not valid: ${fields}.`, { issues })
}

/** A switch takes true or false; other texts are read as on a command line. */
function one(reading: Reading, text: string, parseJson: ParseJson): ReturnType<typeof readValue> {
  if (reading.type !== 'flag') return readValue(reading, text, parseJson)
  return text === 'true' || text === 'false'
    ? { ok: true, value: text === 'true' }
    : { ok: false, problem: 'expected true or false' }
}
