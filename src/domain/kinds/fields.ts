import { z } from 'zod'
import { isMemoryId, type Ref, tryParseRef } from '../ids.ts'
import { LIMITS, type LimitName } from '../limits.ts'
import { once } from '../once.ts'
import { isInstant } from '../time.ts'
import { isJsonObject, isJsonValue, jsonProblem } from './json-value.ts'

const overMessage = (limit: LimitName): string => `over ${limit}: at most ${LIMITS[limit]}`

const limitByMessage = new Map(
  Object.keys(LIMITS).map((name) => [overMessage(name as LimitName), name as LimitName]),
)

export const limitOfMessage = (message: string): LimitName | undefined =>
  limitByMessage.get(message)

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

export const listOf = <Item extends z.ZodType>(item: Item) =>
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
