import { z } from 'zod'
import { DOORS } from '../domain/doors.ts'
import { ENTRY_OPS } from '../domain/entry.ts'
import { RECORD_KINDS } from '../domain/ids.ts'
import { SOURCE_TYPES } from '../domain/labels.ts'
import { FLAG_CODES, REVIEW_KINDS } from '../domain/state.ts'
import { DISPOSITIONS, RULE_NAMES } from '../domain/vocabulary.ts'

/** Shapes that several answers share; each has a name of its own in what is published. */
export const shapes = z.registry<{ readonly id: string }>()

export const named = <S extends z.ZodType>(id: string, schema: S): S => {
  shapes.add(schema, { id })
  return schema
}

export const list = <S extends z.ZodType>(of: S) => z.array(of).readonly()

export const text = z.string()

export const maybe = text.nullable()

export const count = z.int().min(0)

export const seq = z.int().min(-1)

export const number = z.number()

export const refs = list(text)

export const open = z.record(z.string(), z.unknown())

export const counts = z.record(z.string(), z.number())

export const tier = z.int().min(0).max(3)

export const kind = z.enum(RECORD_KINDS)

export const disposition = z.enum(DISPOSITIONS)

export const rule = z.enum(RULE_NAMES)

export const door = z.enum(DOORS)

export const label = named(
  'Label',
  z.union([
    z.strictObject({
      type: z.literal('External'),
      kind: z.enum(['UserAsserted', 'ExternalFirstHand']),
    }),
    z.strictObject({ type: z.enum(['ModelDerived', 'RecallReEntry']) }),
  ]),
)

export const entry = named('Entry', z.strictObject({ seq, hash: text }))

export const numberChange = named(
  'NumberChange',
  z.strictObject({
    time: text,
    seq,
    old: number,
    new: number,
    reason: text,
    text: maybe,
    tier: tier.nullable(),
    evidence: refs,
  }),
)

const provenance = named(
  'Provenance',
  z.strictObject({
    sourceType: z.enum(SOURCE_TYPES),
    label,
    sourceId: text,
    sourceEntity: maybe,
    ingestionPath: text,
    timestamp: text,
    eventTime: maybe,
    session: maybe,
    turn: maybe,
    relayed: z.boolean(),
    captured: z.boolean(),
    quote: z.strictObject({ of: text, start: count, end: count }).nullable(),
    document: maybe,
    confidence: number,
    contentHash: text,
    policyHash: text,
    trustTier: tier,
    llmModel: maybe,
    derivedFrom: refs,
    revisedFrom: refs.optional(),
    sourceEpisodes: refs,
    depthNearest: count.nullable(),
    depthFarthest: count.nullable(),
    source: text,
    parentId: maybe,
    derivationDepth: count.nullable(),
  }),
)

const strengthTier = z.enum(['strong', 'fading', 'weak', 'dormant', 'forgotten'])

const review = z.enum(REVIEW_KINDS).nullable()

export const memory = named(
  'Memory',
  z.strictObject({
    ref: text,
    kind,
    id: text,
    body: open,
    text,
    provenance,
    version: count,
    createdAt: text,
    disposition,
    tier,
    confidence: number,
    strength: number,
    strengthTier,
    stored: z.strictObject({ confidence: number, strength: number }),
    isProtected: z.boolean(),
    tags: list(text),
    status: maybe,
    annotations: z.record(z.string(), open),
    accessCount: count,
    lastAccessed: maybe,
    verificationCount: count,
    lastVerified: maybe,
    timesReinforced: count,
    evidence: refs,
    confidenceHistory: list(numberChange),
    flags: list(z.strictObject({ code: z.enum(FLAG_CODES), by: maybe, seq })),
    review,
    entry: z.strictObject({ seq }),
    distrust: z
      .strictObject({ was: disposition, origins: list(count), own: z.boolean() })
      .nullable(),
    rewordingOf: maybe,
    withheld: tier.optional(),
    erased: z.strictObject({ seq }).nullable(),
  }),
)

/** The numbers of a memory after a change. */
export const now = z.strictObject({
  confidence: number,
  strength: number,
  strengthTier,
  isProtected: z.boolean(),
  tags: list(text),
  review,
})

export const written = named(
  'Written',
  z.strictObject({
    ref: text,
    id: text,
    disposition,
    rule,
    reasons: list(text),
    entry,
    tier: tier.nullable(),
    revised: z.literal(true).optional(),
    version: count.optional(),
    captures: refs,
    suggestion: maybe,
    keptOutBy: text.optional(),
    contradicts: refs.optional(),
    message: maybe,
    hint: maybe,
  }),
)

export const step = named('LineageStep', z.strictObject({ memory, distance: count, parents: refs }))

/** One thing that the ledger says about a memory. */
export const change = named(
  'Change',
  z.strictObject({
    seq,
    time: text,
    op: z.enum(ENTRY_OPS),
    door: door.nullable(),
    label: label.nullable(),
    decision: z.strictObject({
      rule: rule.nullable(),
      disposition: disposition.nullable(),
      reasons: list(text),
      facts: open,
    }),
    text: maybe,
    tier: tier.nullable(),
  }),
)

export const moment = z.strictObject({ seq, time: text })

export const withheld = named(
  'Withheld',
  z.strictObject({ tierMin: tier, count: count, refs: refs, hasMore: z.boolean() }),
)
