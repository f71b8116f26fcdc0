import type { z } from 'zod'
import { type FieldIssue, LimitError, MunimentError } from '../errors.ts'
import type { RecordKind } from '../kind-names.ts'
import { LIMITS } from '../limits.ts'
import { limitOfMessage } from './fields.ts'
import { sentenceOf } from './json-value.ts'

type Issue = z.core.$ZodIssue

const namedInMessageMax = 5 // paths in the message; `issues` has all

/** Every bad field of a body in a single error. Names the field and the rule, never the content. */
export function bodyError(kind: RecordKind, body: unknown, all: readonly Issue[]): MunimentError {
  const bad = withoutItemsOfOverfull(all)
  const issues = bad.flatMap((issue) => explain(issue, body))
  const first = bad.find(isLimit)
  const limit = first && limitOfMessage(first.message)
  if (limit && bad.every(isLimit)) {
    return new LimitError(limit, LIMITS[limit], sizeOf(valueAt(body, first.path)), { issues })
  }
  return new MunimentError('invalid_input', `Not a valid ${kind}: ${sentence(issues)}.`, { issues })
}

const isLimit = (issue: Issue): boolean => limitOfMessage(issue.message) !== undefined

/** A list over its limit is a single bad field, not a million. */
function withoutItemsOfOverfull(issues: readonly Issue[]): readonly Issue[] {
  const overfull = new Set(issues.filter(isLimit).map(({ path }) => pathText(path)))
  if (overfull.size === 0) return issues
  return issues.filter(
    ({ path }) =>
      !path.some((_, depth) => depth > 0 && overfull.has(pathText(path.slice(0, depth)))),
  )
}

function explain(issue: Issue, body: unknown): readonly FieldIssue[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.path, issue.keys)
  const message = sentenceOf(valueAt(body, issue.path)) ?? issue.message
  return [{ path: pathText(issue.path), message }]
}

function unknownFields(at: Issue['path'], names: readonly string[]): readonly FieldIssue[] {
  const named = names
    .slice(0, LIMITS.listItemsMax)
    .map((name) => ({ path: pathText([...at, name]), message: 'unknown field' }))
  const rest = names.length - named.length
  return rest > 0
    ? [...named, { path: pathText(at), message: `${rest} more unknown fields` }]
    : named
}

const pathText = (path: readonly PropertyKey[]): string => ['body', ...path.map(clipped)].join('.')

/** An unknown field's name may be as long as a text. */
const clipped = (key: PropertyKey): string => {
  const name = String(key)
  return name.length > LIMITS.tagCharsMax ? `${name.slice(0, LIMITS.tagCharsMax)}…` : name
}

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<PropertyKey, unknown>)[key] // an own member, as just asked
        : undefined,
    body,
  )

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function sentence(issues: readonly FieldIssue[]): string {
  const named = issues
    .slice(0, namedInMessageMax)
    .map(({ path, message }) => `${path} (${message})`)
  const rest = issues.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}
