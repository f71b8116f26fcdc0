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
    /** Whose memory it is: this stack's, or it is somebody else's business. */
    agentId: z.string().optional(),
    subject: shortText(),
    predicate: shortText(),
    value: jsonValue().refine((value) => value !== undefined && value !== null, 'needs a value'),
    provenance: z.custom<Label>((value) => tryParseLabel(value) !== undefined, 'not a label'),
    cardinality: z.enum(CARDINALITIES).default('Functional'),
    confidence: confidence().prefault({ valueConfidence: 1 }),
    criticality: z.enum(CRITICALITIES).default('Medium'),
    derivedFrom: z.array(z.string()).default([]),
    /** Dates of any granularity; an end includes all that it names. */
    validTime: z
      .strictObject({
        start: date().nullable().default(null),
        end: date().nullable().default(null),
      })
      .prefault({}),
    /** Whether it is said to be true already, or only planned. */
    holds: z.enum(['already', 'planned']).nullable().default(null),
    /** The document it was read in: part of what tells one anchor from another. */
    externalAnchorRef: z.string().nullable().default(null),
    /** A whole sentence of something first-hand in `derivedFrom` that says so; of a model's claim. */
    quote: z.string().nullable().default(null),
  }),
)

export type ClaimRequest = z.input<ReturnType<typeof request>>
export type ParsedClaim = z.output<ReturnType<typeof request>>

/** Reads a request whole, or names every field that is wrong. */
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
