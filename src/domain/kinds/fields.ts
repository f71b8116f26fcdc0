import { z } from 'zod'
import { type FieldIssue, LimitError, MunimentError, once } from '../errors.ts'
import { isMemoryId, type RecordKind, type Ref, tryParseRef } from '../ids.ts'
import { LIMITS, type LimitName } from '../limits.ts'
import { isInstant } from '../time.ts'
import { isJsonObject, isJsonValue, jsonProblem, sentenceOf } from './json-value.ts'

const overMessage = (limit: LimitName): string => `over ${limit}: at most ${LIMITS[limit]}`

const limitByMessage = new Map(
  Object.keys(LIMITS).map((name) => [overMessage(name as LimitName), name as LimitName]),
)

const limitOfMessage = (message: string): LimitName | undefined => limitByMessage.get(message)

const anyText = (limit: LimitName) => z.string().max(LIMITS[limit], overMessage(limit))
const visibleText = (limit: LimitName) =>
  anyText(limit).regex(/\S/, 'needs at least one visible character')

/** Essential prose. Kept exactly as given: a stored text is never trimmed. */
export const text = once(() => visibleText('textCharsMax'))

export const shortText = once(() => visibleText('shortTextCharsMax'))

/** Prose that may be absent or empty. */
export const optionalText = once(() => anyText('textCharsMax').exactOptional())
export const optionalShortText = once(() => anyText('shortTextCharsMax').exactOptional())

/** Any text but the empty text, blanks included: captures are kept byte for byte. */
export const verbatim = once(() => anyText('textCharsMax').min(1, 'may not be empty'))

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(LIMITS.listItemsMax, overMessage('listItemsMax'))

/** A list present in the stored body even when the caller gave none. */
export const listField = <Item extends z.ZodType>(item: Item) => listOf(item).default([])

/** Named items. The snapshot refuses a name __proto__ first, because zod would drop the member. */
export const mapOf = <Item extends z.ZodType>(item: Item) =>
  z
    .record(shortText(), item)
    .refine((map) => Object.keys(map).length <= LIMITS.listItemsMax, overMessage('listItemsMax'))

export const tags = once(() => listOf(visibleText('tagCharsMax')))

export const unitInterval = once(() => z.number().min(0).max(1))
export const signedUnit = once(() => z.number().min(-1).max(1))
export const count = once(() => z.int().min(0))

/** UTC to the millisecond in fixed width, so that order of time is order of text. */
export const instant = once(() =>
  z.string().refine(isInstant, 'expected a real UTC time written YYYY-MM-DDTHH:mm:ss.sssZ'),
)

const isRef = (value: string): value is Ref => tryParseRef(value) !== undefined

export const memoryId = once(() => z.string().refine(isMemoryId, 'expected a lower-case UUID'))
export const memoryRef = once(() => z.string().refine(isRef, 'expected kind:id'))

// z.json() and z.record() would drop a member named __proto__ without a word.
const refusal = (issue: { readonly input?: unknown }) => jsonProblem(issue.input)

export const jsonValue = once(() => z.unknown().refine(isJsonValue, { error: refusal }))

export const jsonObject = once(() =>
  z
    .unknown()
    .refine(isJsonObject, { error: (issue) => refusal(issue) ?? 'expected a JSON object' })
    .meta({ type: 'object' }),
)

export const common = once(() => ({
  context: optionalShortText(), // e.g. project:muniment
  contextTags: tags().exactOptional(),
  tags: tags().exactOptional(),
  epochId: memoryId().exactOptional(),
  subjectIds: listOf(shortText()).exactOptional(), // subjects of the memory
}))

/** The non-empty parts, each on a line. */
export const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n')

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
