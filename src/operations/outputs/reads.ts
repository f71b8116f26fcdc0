import { z } from 'zod'
import { answer, claimStatus, lineStep, linesPage } from './claims.ts'
import {
  change,
  count,
  counts,
  door,
  kind,
  list,
  maybe,
  memory,
  moment,
  number,
  numberChange,
  open,
  refs,
  seq,
  shape,
  step,
  text,
  tier,
} from './parts.ts'

const found = shape(
  'Found',
  z.strictObject({
    memoryType: kind,
    memoryId: text,
    content: text,
    score: number,
    metadata: open,
  }),
)

const explained = shape(
  'Explained',
  z.strictObject({
    ref: text,
    rank: count.nullable(),
    ranked: count,
    score: number,
    sum: number,
    signals: list(
      z.strictObject({ signal: text, value: number, weight: number, share: number, words: text }),
    ),
    says: list(text),
    lacks: list(text),
    repeats: maybe,
    standsBefore: maybe,
    words: list(text),
  }),
)

const whyNot = z.strictObject({
  ref: text,
  isShown: z.boolean(),
  limit: count,
  reasons: list(z.strictObject({ code: text, because: text, remedy: maybe })),
  explained: explained.nullable(),
  words: list(text),
})

const item = shape(
  'LoadedItem',
  z.strictObject({
    memory,
    content: text,
    priority: number,
    tokens: count,
    cut: z.boolean(),
    standing: claimStatus.optional(),
    rewordings: count.optional(),
    rewordingRefs: refs.optional(),
  }),
)

const withheld = shape(
  'Withheld',
  z.strictObject({ tierMin: tier, count, refs, hasMore: z.boolean() }),
)

/** Components add members of their own. */
const loaded = z.looseObject({
  episodes: list(item),
  notes: list(item),
  claims: list(item),
  beliefs: list(item),
  goals: list(item),
  relationships: list(item),
  values: list(item),
  drives: list(item),
  playbooks: list(item),
  summaries: list(item),
  selfNarratives: list(item),
  _meta: z.strictObject({
    budgetUsed: number,
    budgetTotal: number,
    budgetCapped: z.boolean(),
    included: count,
    excludedCount: count,
    excluded: list(z.strictObject({ ref: text, reason: text })),
    more: refs,
    ungrounded: refs,
    withheld,
  }),
})

/** The turn of a write, and the sentence of the person that states what was written. */
const writeTurn = shape(
  'WriteTurn',
  z.strictObject({
    session: text,
    turn: maybe,
    prompts: refs,
    toolResults: refs,
    promptsInSession: count,
    statedBy: z
      .strictObject({
        ref: text,
        tier,
        session: text,
        turn: maybe,
        text: maybe,
        start: count,
        end: count,
        statement: maybe,
        sharedWords: list(text),
        isSameTurn: z.boolean(),
      })
      .nullable(),
  }),
)

const why = z.strictObject({
  memory,
  lineage: list(step),
  evidence: list(memory),
  disagreeing: list(memory),
  changes: list(change),
  confidenceHistory: list(numberChange),
  strengthHistory: list(numberChange),
  letInBy: z.strictObject({ rule: maybe, seq, policy: maybe, door: door.nullable() }),
  turn: writeTurn.nullable(),
  asOf: moment.nullable(),
})

const overview = z.strictObject({
  counts,
  total: count,
  head: z.strictObject({ seq, hash: text, time: text }).nullable(),
  lately: z.strictObject({
    entries: count,
    memories: count,
    kinds: counts,
    labels: counts,
    tiers: counts,
    strengths: counts,
    dispositions: counts,
  }),
  review: z.strictObject({ kinds: counts, total: count, hasMore: z.boolean() }),
})

const audit = z.strictObject({
  ok: z.boolean(),
  head: z.strictObject({ seq, hash: text, root: text }),
  entries: count,
  mark: z.strictObject({ size: count, root: text }).nullable(),
  problems: list(z.strictObject({ code: text, seq, ref: text.optional(), detail: text })),
  notes: list(z.strictObject({ code: text, seq, ref: text, by: seq })),
  since: count.optional(),
  against: z.strictObject({ size: count, isSigned: z.boolean() }).optional(),
})

const difference = z.strictObject({
  ref: text,
  before: memory.nullable(),
  after: memory.nullable(),
  members: list(text),
})

const historic = z.union([text, number]).nullable()

const history = z.strictObject({
  ref: text,
  confidence: list(numberChange),
  strength: list(numberChange),
  versions: list(
    z.strictObject({
      memory,
      replaces: maybe,
      replacedBy: maybe,
      heldFrom: text,
      heldUntil: maybe,
    }),
  ),
  events: list(
    z.strictObject({
      eventType: text,
      time: text,
      seq,
      version: count,
      old: historic,
      new: historic,
    }),
  ),
})

export const readOutputs = {
  search: z.union([list(found), whyNot]),
  recall: z.strictObject({
    results: list(found),
    answerable: z.strictObject({ chance: number, isLikely: z.boolean() }),
    withheld: withheld.nullable(),
  }),
  explain: explained,
  render: z.strictObject({ text }),
  load: loaded,
  list: list(memory),
  withheld,
  show: memory,
  why,
  trace: list(step),
  impact: list(step),
  stats: counts,
  overview,
  audit,
  dump: text,
  history,
  diff: z.strictObject({
    from: moment,
    to: moment,
    added: list(difference),
    lost: list(difference),
    changed: list(difference),
  }),
  uncertain: list(z.strictObject({ memory, confidence: number, restingOnIt: count })),
  contradictions: list(
    z.strictObject({
      memory,
      kind: z.enum(['negation', 'opposition', 'number', 'value', 'replacement']),
      score: number,
      evidence: text,
    }),
  ),
  ungrounded: list(memory),
  ask: answer,
  subject: list(answer),
  lines: linesPage,
  line: list(lineStep),
} as const
