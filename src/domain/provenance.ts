import { z } from 'zod'
import { isTier, type Tier } from './doors.ts'
import { type FieldIssue, LimitError, type MunimentError, once, ProvenanceError } from './errors.ts'
import { type Hash, isHash, type MemoryId, type Ref, tryParseRef } from './ids.ts'
import { readBy } from './issue-words.ts'
import {
  type Label,
  labelName,
  SOURCE_TYPES,
  type Source,
  type SourceType,
  sourceOf,
  tryParseLabel,
} from './labels.ts'
import { LIMITS } from './limits.ts'
import { type Instant, isInstant } from './time.ts'

/** A verbatim span of a first-hand capture, in UTF-8 bytes of its content text. */
export interface Quote {
  readonly of: Ref
  readonly start: number
  readonly end: number
}

/**
 * The birth certificate, exactly as committed: every member present, absent values null, only an
 * empty `revisedFrom` left out. Nothing rewrites a certificate; a revision carries a certificate of
 * its own (PROV-BIRTH, PROV-FIXED).
 */
export interface Provenance {
  readonly sourceType: SourceType
  readonly label: Label
  readonly sourceId: string
  readonly sourceEntity: string | null
  readonly ingestionPath: string
  readonly timestamp: Instant
  readonly eventTime: Instant | null
  readonly session: string | null
  readonly turn: string | null
  readonly relayed: boolean
  readonly captured: boolean
  readonly quote: Quote | null
  readonly document: string | null
  readonly confidence: number
  readonly contentHash: Hash
  readonly policyHash: Hash
  readonly trustTier: Tier
  readonly llmModel: string | null
  /** Fixed at birth: every revision repeats the list. */
  readonly derivedFrom: readonly Ref[]
  /** Sources that revisions added, oldest first. Absent where no revision added any. */
  readonly revisedFrom?: readonly Ref[]
  readonly sourceEpisodes: readonly Ref[]
  readonly depthNearest: number | null
  readonly depthFarthest: number | null
}

/** All sources of a memory: first the sources at birth, then sources added by revisions. */
export const sourcesIn = ({
  derivedFrom,
  revisedFrom,
}: Pick<Provenance, 'derivedFrom' | 'revisedFrom'>): readonly Ref[] =>
  revisedFrom === undefined ? derivedFrom : [...derivedFrom, ...revisedFrom]

/** Computed members, shown beside the committed members. */
export interface ComputedProvenance {
  readonly source: Source
  readonly parentId: MemoryId | null
  readonly derivationDepth: number | null
}

export const PROVENANCE_FIELDS: readonly Exclude<keyof Provenance, 'revisedFrom'>[] = [
  'sourceType',
  'label',
  'sourceId',
  'sourceEntity',
  'ingestionPath',
  'timestamp',
  'eventTime',
  'session',
  'turn',
  'relayed',
  'captured',
  'quote',
  'document',
  'confidence',
  'contentHash',
  'policyHash',
  'trustTier',
  'llmModel',
  'derivedFrom',
  'sourceEpisodes',
  'depthNearest',
  'depthFarthest',
]

export function computedProvenance(of: Provenance): ComputedProvenance {
  const first = of.derivedFrom[0]
  return {
    source: sourceOf(labelName(of.label), of.sourceType),
    parentId: first === undefined ? null : (first.slice(first.indexOf(':') + 1) as MemoryId), // a ref ends in an id
    derivationDepth: of.depthNearest,
  }
}

// Half a character has no UTF-8 form, so no commitment could cover the text.
const short = once(() =>
  z
    .string()
    .max(
      LIMITS.shortTextCharsMax,
      `at most ${LIMITS.shortTextCharsMax} are taken (shortTextCharsMax)`,
    )
    .refine((text) => text.isWellFormed(), 'holds half a character'),
)
const shown = once(() => short().refine((text) => text.trim() !== '', 'may not be empty'))
// Names are printed on lines of their own: a line break in a name could forge the next line.
const LINE_ENDS = /[\n\r\v\f\u0085\u2028\u2029]/u
const name = once(() => shown().refine((text) => !LINE_ENDS.test(text), 'is more than one line'))
const ref = once(() => z.custom<Ref>((text) => tryParseRef(text) !== undefined, 'expected kind:id'))
const refs = once(() =>
  z.array(ref()).max(LIMITS.parentsMax, `at most ${LIMITS.parentsMax} are taken (parentsMax)`),
)
const instant = once(() => z.custom<Instant>(isInstant, 'expected UTC with milliseconds'))
const hash = (field: string) =>
  z.custom<Hash>(isHash, `${field} is required: 64 lower-case hex digits`)

/** Stands for every actor, in the tombstone of a subject's request for erasure. */
export const EVERYONE = '*'

/** Fields that a routed write may state; the core and the doors fill in the rest. */
const CLAIMED = once(() => ({
  sourceType: z.enum(SOURCE_TYPES, { error: `expected one of ${SOURCE_TYPES.join(', ')}` }),
  label: z.custom<Label>((value) => tryParseLabel(value) !== undefined, 'not a label'),
  sourceId: name().refine((text) => text !== EVERYONE, 'stands for everyone, and nobody is'),
  sourceEntity: short().nullable().default(null),
  ingestionPath: name(),
  confidence: z.number().min(0).max(1),
  eventTime: instant().nullable().default(null),
  session: name().nullable().default(null),
  turn: name().nullable().default(null),
  relayed: z.boolean().default(false),
  document: short().nullable().default(null),
  llmModel: name().nullable(),
  quote: short().nullable().default(null),
  derivedFrom: refs().default([]),
  sourceEpisodes: refs().default([]),
}))

const COMPUTED = once(() => ({
  source: z.string().optional(),
  parentId: z.string().nullable().optional(),
}))

/** The full payload of the low-level `save*` methods. */
const FULL = once(() =>
  z.strictObject({
    ...CLAIMED(),
    ...COMPUTED(),
    contentHash: hash('contentHash'),
    policyHash: hash('policyHash'),
    trustTier: z.custom<Tier>(isTier, 'expected an integer from 0 to 3'),
    timestamp: instant().nullable().default(null),
  }),
)

/** A routed write lets the engine compute the hashes; a given tier can only lower the tier. */
const ROUTED = once(() =>
  z.strictObject({
    ...CLAIMED(),
    ...COMPUTED(),
    contentHash: hash('contentHash').nullable().default(null),
    policyHash: hash('policyHash').nullable().default(null),
    trustTier: z.custom<Tier>(isTier, 'expected an integer from 0 to 3').nullable().default(null),
    timestamp: instant().nullable().default(null),
  }),
)

/** Provenance input of the low-level `save*` methods. */
export type ProvenancePayload = z.input<ReturnType<typeof FULL>>
export type RoutedPayload = z.input<ReturnType<typeof ROUTED>>
export type Payload = z.output<ReturnType<typeof ROUTED>>

/** Reads a payload whole, or names every missing or wrong field. */
export function readPayload(
  input: unknown,
  completeness: 'full' | 'routed',
): Payload | readonly FieldIssue[] {
  if (input === undefined || input === null) {
    return [{ path: 'provenance', message: 'is required' }]
  }
  const { data, issues } = readBy(completeness === 'full' ? FULL() : ROUTED(), input, {
    unknown: 'is not a field of provenance',
  })
  if (data === null) return issues.map(({ path, message }) => issue([path], message))
  const disagreements = disagreementsOf(data)
  return disagreements.length > 0 ? disagreements : data
}

/** An unknown field's name may be as long as a text. */
const clipped = (key: PropertyKey): string => {
  const name = String(key)
  return name.length > LIMITS.tagCharsMax ? `${name.slice(0, LIMITS.tagCharsMax)}…` : name
}

const issue = (path: readonly PropertyKey[], message: string): FieldIssue => ({
  path: ['provenance', ...path.map(clipped)].join('.'),
  message,
})

/** Given values of computed members must equal the computed values. */
function disagreementsOf(payload: Payload): readonly FieldIssue[] {
  const issues: FieldIssue[] = []
  const source = sourceOf(labelName(payload.label), payload.sourceType)
  if (payload.source !== undefined && payload.source !== source) {
    issues.push(issue(['source'], `is ${source} for this label and source type`))
  }
  const parent = payload.derivedFrom[0]
  const parentId = parent === undefined ? null : (tryParseRef(parent)?.id ?? null)
  if (payload.parentId !== undefined && payload.parentId !== parentId) {
    issues.push(issue(['parentId'], 'is the id of the first source in derivedFrom'))
  }
  return issues
}

const SAID_MAX = 5 // bad fields in the message; `issues` has all

/** A single error for all faults of a write, body and provenance together. */
export function inputError(
  bodyError: MunimentError | null,
  issues: readonly FieldIssue[],
): MunimentError | null {
  if (issues.length === 0) return bodyError
  const all = [...(bodyError?.issues ?? []), ...issues]
  const tooMany = issues.find(({ message }) => message.includes('parentsMax'))
  if (all.length === 1 && tooMany) {
    return new LimitError('parentsMax', LIMITS.parentsMax, LIMITS.parentsMax + 1, { issues: all })
  }
  const said = all.slice(0, SAID_MAX).map(({ path, message }) => `${path}: ${message}`)
  const more = all.length > said.length ? `; and ${all.length - said.length} more` : ''
  const what = said.join('; ') + more
  return new ProvenanceError('invalid_provenance', `Not valid, nothing was stored. ${what}.`, {
    issues: all,
    hint: 'stack.control.certify(kind, body) gives contentHash and policyHash.',
  })
}
