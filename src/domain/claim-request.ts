import { z } from 'zod'
import { MunimentError } from './errors.ts'
import { CARDINALITIES, CRITICALITIES } from './kinds/claim.ts'
import { jsonValue, shortText, unitInterval } from './kinds/fields.ts'
import { type Label, tryParseLabel } from './labels.ts'
import { once } from './once.ts'
import { tryParseDate } from './span.ts'

const date = once(() =>
  z
    .string()
    .refine(
      (text) => tryParseDate(text) !== undefined,
      'expected 2024, 2024-05, 2024-05-15 or a time',
    ),
)

const confidence = once(() =>
  z.strictObject({
    valueConfidence: unitInterval(),
    validTimeConfidence: unitInterval().default(1),
  }),
)

/** The seed's request, in camel case; labels exactly as on the wire. */
const request = once(() =>
  z.strictObject({
    /** The stack that the claim is meant for; a claim for another stack is refused. */
    agentId: z.string().optional(),
    subject: shortText(),
    predicate: shortText(),
    value: jsonValue().refine((value) => value !== undefined && value !== null, 'needs a value'),
    provenance: z.custom<Label>((value) => tryParseLabel(value) !== undefined, 'not a label'),
    cardinality: z.enum(CARDINALITIES).default('Functional'),
    confidence: confidence().prefault({ valueConfidence: 1 }),
    criticality: z.enum(CRITICALITIES).default('Medium'),
    derivedFrom: z.array(z.string()).default([]),
    /** Dates of any granularity; an end includes the whole named period. */
    validTime: z
      .strictObject({
        start: date().nullable().default(null),
        end: date().nullable().default(null),
      })
      .prefault({}),
    /** States that the value is true already, or only planned. */
    holds: z.enum(['already', 'planned']).nullable().default(null),
    /** The document with the claim, which helps to tell anchors apart. */
    externalAnchorRef: z.string().nullable().default(null),
    /** For a model's claim: a whole sentence of a first-hand source that states the claim. */
    quote: z.string().nullable().default(null),
  }),
)

export type ClaimRequest = z.input<ReturnType<typeof request>>
export type ParsedClaim = z.output<ReturnType<typeof request>>

/** Reads a request whole, or names every wrong field. */
export function parseClaimRequest(input: unknown): ParsedClaim {
  const parsed = request().safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap((found) =>
    found.code === 'unrecognized_keys'
      ? found.keys.map((key) => ({ path: key, message: 'is not a field of a claim' }))
      : [{ path: found.path.map(String).join('.'), message: found.message }],
  )
  const said = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new MunimentError('invalid_input', `Not a claim, nothing was stored. ${said}.`, { issues })
}
