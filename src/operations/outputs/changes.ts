import { z } from 'zod'
import { UNCHANGED_REASONS } from '../../domain/change.ts'
import { DISTRUST_BASES, DISTRUST_WHYS, ORIGIN_KINDS } from '../../domain/distrust.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { REVIEW_KINDS } from '../../domain/state.ts'
import { LIFECYCLE_STATES, TRANSITION_NAMES } from '../../domain/vocabulary.ts'
import { answer } from './claims.ts'
import { certificate } from './ledger.ts'
import {
  change,
  count,
  counts,
  disposition,
  entry,
  kind,
  list,
  maybe,
  memory,
  now,
  number,
  open,
  refs,
  seq,
  shape,
  text,
  written,
} from './parts.ts'

const changed = shape(
  'Changed',
  z.strictObject({
    ref: text,
    now,
    changed: z.boolean(),
    reason: z.enum(UNCHANGED_REASONS).nullable(),
    entry: entry.nullable(),
    flagged: refs,
  }),
)

const answers = z.enum([
  'accept',
  'dismiss',
  'reject',
  'keep',
  'forget',
  'affirm',
  'deny',
  'unknown',
])

const waiting = z.strictObject({
  ref: text,
  kind: z.enum([...REVIEW_KINDS, 'ungrounded']),
  memory,
  since: text,
  against: list(memory),
  answers: list(answers),
  rewordings: refs,
  reasons: list(text),
  wish: change.nullable(),
  wishes: list(change),
  fields: list(z.strictObject({ proposal: seq, field: text, from: z.unknown(), to: z.unknown() })),
})

const authority = list(z.strictObject({ scope: text, requiresEvidence: z.boolean().optional() }))

const assessment = shape(
  'TrustAssessment',
  z.strictObject({
    id: text,
    lastUpdated: text,
    entityId: text,
    dimensions: z.record(z.string(), z.strictObject({ score: number })),
    authority,
    evidence: refs,
  }),
)

const trusted = z.strictObject({
  entityId: text,
  domain: text,
  score: number,
  basis: z.enum(['domain', 'general', 'mean', 'unknown']),
  authority,
  assessedAt: maybe,
  assessment: assessment.nullable(),
})

const distrust = z.union([
  z.strictObject({
    origins: list(
      z.strictObject({
        origin: z.enum(ORIGIN_KINDS),
        name: maybe,
        since: text,
        basis: z.enum(DISTRUST_BASES),
        memories: count,
        entry: count,
      }),
    ),
  }),
  z.strictObject({
    whatIf: z.strictObject({
      memories: list(z.strictObject({ ref: text, kind, disposition, why: z.enum(DISTRUST_WHYS) })),
      flagged: list(z.strictObject({ ref: text, by: text })),
      answers: list(z.strictObject({ before: answer, after: answer })),
    }),
  }),
  z.strictObject({
    turned: z.strictObject({
      entry: entry.nullable(),
      memories: refs,
      flagged: refs,
      cleared: refs,
      proposed: entry.nullable(),
    }),
    off: z.boolean(),
  }),
])

const erase = z.union([
  z.strictObject({
    erased: refs,
    derived: refs,
    entries: list(entry),
    scrubbed: z.boolean(),
    proposed: entry.nullable(),
    certificate: certificate.nullable(),
  }),
  z.strictObject({
    refs,
    derived: refs,
    proposed: z.null(),
    words: z.record(z.string(), text),
  }),
])

const swept = z.strictObject({ swept: count, forgotten: count, kept: count, refs })

const processed = z.strictObject({
  transition: z.enum(TRANSITION_NAMES),
  status: z.enum(['done', 'failed', 'not_due', 'needs_model']),
  by: z.enum(['model', 'rule']).nullable(),
  examined: count,
  made: refs,
  dropped: counts,
  error: maybe,
})

export const changeOutputs = {
  end: changed,
  retract: changed,
  reopen: changed,
  recast: changed,
  adjudicate: changed,
  forget: changed,
  recover: changed,
  protect: changed,
  weaken: changed,
  unlink: changed,
  access: changed,
  describe: changed,
  verify: changed,
  reinforce: changed,
  supersede: z.union([changed, written]),
  update_goal: written,
  review: z.union([
    list(waiting),
    z.strictObject({ ref: text, answer: answers, became: maybe, did: text }),
  ]),
  trust: z.union([trusted, list(assessment)]),
  promote: z.strictObject({
    episodesScanned: count,
    patternsFound: count,
    beliefsCreated: refs,
    suggestionsCreated: refs,
    alreadyKnown: count,
    refused: list(z.strictObject({ lesson: text, message: text })),
  }),
  maintain: z.union([swept, z.record(z.string(), open)]),
  import: z.strictObject({
    as: z.enum(['own', 'importer']),
    because: maybe,
    whole: z
      .strictObject({
        head: z.strictObject({ seq: count, hash: text }),
        laterEntries: count,
        erasedAgain: count,
      })
      .nullable(),
    total: count,
    written: count,
    unchanged: count,
    collapsed: count,
    refused: list(
      z.strictObject({ index: count, ref: maybe, code: z.enum(ERROR_CODES), message: text }),
    ),
    sourcesMissing: count,
  }),
  erase,
  readmit: z.strictObject({ ref: text, entry: entry.nullable() }),
  distrust,
  clock: z.strictObject({
    now: text,
    last: maybe,
    aheadMs: count,
    fault: z.enum(['behind', 'ahead']).nullable(),
    entry: entry.nullable(),
  }),
  state: z.strictObject({ state: z.enum(LIFECYCLE_STATES), entry: entry.nullable() }),
  process: z.strictObject({
    steps: list(processed),
    spent: z.strictObject({ calls: count, tokens: count }),
  }),
  anxiety: z.strictObject({ anxiety: open.nullable() }),
  components: z.union([
    z.strictObject({
      components: list(
        z.strictObject({
          name: text,
          version: text,
          required: z.boolean(),
          needsInference: z.boolean(),
          failing: list(text),
        }),
      ),
    }),
    z.strictObject({ name: text, report: open.nullable() }),
  ]),
  begin: written,
  conclude: z.strictObject({
    epoch: memory,
    summary: z.strictObject({ summary: written, covers: refs, isCut: z.boolean() }).nullable(),
  }),
  use: memory,
} as const
