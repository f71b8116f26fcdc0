import { z } from 'zod'
import { LIMITS } from '../domain/limits.ts'
import { REVIEW_KINDS } from '../domain/state.ts'
import { CLAIM_TOOLS } from './claim-tools.ts'
import { operationTools } from './operation-tools.ts'
import { defineTool, type Tool, type Toolset } from './tool.ts'
import {
  context,
  kinds,
  limitOf,
  memoryId,
  memoryType,
  notice,
  saidBy,
  share,
  shown,
  shownInLineage,
  since,
  until,
  use,
  withheldStep,
} from './tool-fields.ts'
import { writeTools } from './write-tools.ts'

/** Most characters of the words to search for. */
export const SEARCH_QUERY_CHARS_MAX = 10_000

const READS = { readOnly: true, idempotent: true } as const

const search = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Find memories by words. Each has a label, tier 0 to 3 and confidence. To act takes tier 2.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    query: z.string().max(SEARCH_QUERY_CHARS_MAX),
    limit: limitOf(10),
    kinds,
    context,
    min_confidence: share.optional(),
    said_by: saidBy,
    since,
    until,
    for: use,
  }),
  output: z.strictObject({
    notice,
    likely: z.boolean(),
    withheld: z.int().exactOptional(),
    withheld_step: withheldStep,
    results: z.array(
      z.strictObject({ ...shown, score: z.number(), standing: z.string().exactOptional() }),
    ),
  }),
})

const load = defineTool({
  name: 'memory_load',
  title: 'Load working memory',
  description: 'What matters most, within a token budget.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    token_budget: z.int().min(100).max(50_000).default(4_000),
    context,
    for: use,
  }),
  output: z.strictObject({
    notice,
    withheld: z.int(),
    withheld_step: withheldStep,
    items: z.array(
      z.strictObject({ ...shown, cut: z.boolean(), standing: z.string().exactOptional() }),
    ),
    tokens_used: z.int(),
    left_out: z.int(),
    ungrounded: z.array(z.string()).describe('No source left.'),
  }),
})

const lineage = defineTool({
  name: 'meta_lineage',
  title: 'Where it comes from',
  description:
    'What it was made from down to the first words, who said them, which rule let it in.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    memory_type: memoryType.optional(),
    memory_id: memoryId,
    for: use,
  }),
  output: z.strictObject({
    notice,
    ref: z.string(),
    stack: z.string().exactOptional(),
    chain: z.array(z.strictObject(shownInLineage)).describe('Roots first.'),
    first_hand_roots: z.array(z.string()).describe('Empty: it rests on a model alone.'),
    turn: z.string(),
    stated_by: z.array(
      z.strictObject({
        ref: z.string(),
        text: z.string(),
        label: z.string(),
        tier: z.int(),
        confidence: z.number(),
      }),
    ),
    evidence: z.array(z.string()),
    disagreeing: z.array(z.strictObject(shown)).describe('Claims that give another value.'),
    let_in_by: z.strictObject({ rule: z.string(), entry: z.int() }),
    verifications: z.int(),
    confidence_history: z.array(
      z.strictObject({
        time: z.string(),
        old: z.number(),
        new: z.number(),
        reason: z.string(),
      }),
    ),
  }),
})

const verify = defineTool({
  name: 'meta_verify',
  title: 'Verify a memory',
  description:
    'First-hand evidence from outside its lineage raises its confidence; anything else moves nothing.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: false },
  input: z.strictObject({
    memory_id: memoryId,
    evidence: z
      .array(z.string().max(1_000))
      .min(1)
      .max(100)
      .describe('Refs; other words are the reason.'),
  }),
  output: z.strictObject({
    ref: z.string(),
    verified: z.boolean(),
    reason: z.string(),
    confidence: z.number(),
    verifications: z.int(),
  }),
})

const forget = defineTool({
  name: 'memory_forget',
  title: 'Forget a memory',
  description:
    'Put a memory out of mind; nothing is lost. For what the user or a tool said, a person decides.',
  toolset: 'default',
  effects: { readOnly: false, idempotent: true },
  input: z.strictObject({
    memory_id: memoryId,
    reason: z.string().max(LIMITS.shortTextCharsMax).optional(),
  }),
  output: z.strictObject({
    ref: z.string(),
    forgotten: z.boolean(),
    proposed: z.boolean(),
    reason: z.string(),
  }),
})

const uncertain = defineTool({
  name: 'meta_uncertain',
  title: 'What is uncertain',
  description: 'Memories of low confidence, those first on which most rests.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    threshold: share.default(0.5),
    apply_decay: z.boolean().default(true).describe('Count what time took.'),
    limit: limitOf(20),
  }),
  output: z.strictObject({
    notice,
    items: z.array(z.strictObject({ ...shown, resting_on_it: z.int() })),
  }),
})

const review = defineTool({
  name: 'meta_review',
  title: 'What waits for a person',
  description: 'Only a person answers it: tell the user.',
  toolset: 'default',
  effects: READS,
  input: z.strictObject({
    kinds: z.array(z.enum(REVIEW_KINDS)).optional(),
    limit: limitOf(20),
  }),
  output: z.strictObject({
    notice,
    items: z.array(
      z.strictObject({ ...shown, waits_as: z.string(), reasons: z.array(z.string()) }),
    ),
  }),
})

export const READ_TOOLS = { search, load, lineage, verify, forget, uncertain, review } as const

/** In the order in which clients list them. */
const DEFAULT_TOOLS: readonly Tool[] = [
  ...writeTools,
  CLAIM_TOOLS.claim,
  search,
  load,
  CLAIM_TOOLS.ask,
  CLAIM_TOOLS.history,
  lineage,
  verify,
  forget,
  uncertain,
  review,
]

/** The full set holds the default one. */
export const toolsOf = (toolset: Toolset): readonly Tool[] =>
  toolset === 'full' ? [...DEFAULT_TOOLS, ...operationTools()] : DEFAULT_TOOLS
