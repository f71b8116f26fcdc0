import { z } from 'zod'
import { KINDS } from '../domain/ids.ts'
import { once } from '../domain/once.ts'
import { filters, kind, limitOf, ref, use } from './fields.ts'
import { asOf } from './looking-back.ts'
import { defineOperation } from './operation.ts'

const aboutOne = once(() => z.strictObject({ ref: ref(), for: use() }))
const aboutOneThen = once(() => aboutOne().extend({ asOf: asOf().optional() }))
const nothing = once(() => z.strictObject({}))

/** Epochs mark time and say nothing that could be searched for. */
const searched = once(() => z.enum(KINDS.filter((each) => each !== 'epoch')))

/** What a ranking goes by. */
const rankedBy = once(() => ({
  recordTypes: z.array(searched()).optional().describe('Only this kind of memory.'),
  ...filters(),
  minTier: filters().minTier.describe('Only this trust tier or a higher; 1 unless given.'),
  for: use(),
  inSession: z.string().optional().describe('Only what was written in this session.'),
  saidBy: z.string().optional().describe('Only what this actor said.'),
  since: z.string().optional().describe('Only what was written on this day or later.'),
  until: z.string().optional().describe('Only what was written on this day or before.'),
  asOf: asOf().optional(),
}))

const expand = () =>
  z
    .boolean()
    .default(false)
    .describe('Every rewording in a place of its own, not one place a group.')

/** What every search takes. */
const searching = once(() => ({
  query: z.string().describe('What to look for, in words.'),
  limit: limitOf(10),
  ...rankedBy(),
  explain: z.boolean().default(false).describe('Say of each why it was found.'),
  expand: expand(),
}))

/** What a list is narrowed by. */
const listing = () => ({
  type: z.string().optional().describe('Only this sort, e.g. decision among notes.'),
  status: z.string().optional().describe('Only what stands like this, e.g. active.'),
  tags: z.array(z.string()).optional().describe('Only what has this tag, or one of several.'),
  ...filters(),
  for: use(),
  weak: z.boolean().default(false).describe('What hardly comes to mind as well.'),
  all: z
    .boolean()
    .default(false)
    .describe('Everything: also what is forgotten, set aside or captured for another memory.'),
})

const SCREEN = 20 // what fits a screen; the rest is a page away

export const reads = {
  search: defineOperation({
    name: 'search',
    summary: 'Memories that speak of something, the nearest first.',
    right: 'read',
    input: () =>
      z.strictObject({
        ...searching(),
        whyNot: ref()
          .optional()
          .describe('Instead: what keeps this memory out, and what would not.'),
      }),
    example: { query: 'migration table', limit: 5 },
  }),
  recall: defineOperation({
    name: 'recall',
    summary: 'The same as search, and whether what was found is likely to answer at all.',
    right: 'read',
    input: () => z.strictObject(searching()),
    example: { query: 'which table is locked' },
  }),
  explain: defineOperation({
    name: 'explain',
    summary: 'What each signal gave to the place of a memory among what a search finds.',
    right: 'read',
    input: () => z.strictObject({ query: searching().query, ref: ref(), ...rankedBy() }),
    example: { query: 'migration table', ref: 'raw' },
  }),
  render: defineOperation({
    name: 'render',
    summary: 'What is remembered as a block for a prompt: fenced as data, with refs and tiers.',
    right: 'read',
    input: () =>
      z.strictObject({
        query: z.string().optional().describe('About this; working memory unless given.'),
        limit: limitOf(10),
        tokenBudget: z.number().min(0).default(2_000).describe('Tokens of working memory.'),
        context: filters().context,
        for: use(),
        charsMax: z.int().min(1).optional().describe('Characters it may take.'),
      }),
    example: { query: 'migration table' },
  }),
  load: defineOperation({
    name: 'load',
    summary: 'Working memory: what matters most, within a budget of tokens.',
    right: 'read',
    input: () =>
      z.strictObject({
        tokenBudget: z
          .number()
          .min(0)
          .default(8_000)
          .describe('Tokens it may take, 50,000 at most.'),
        context: z
          .string()
          .optional()
          .describe('Memories of this context, and those of none, which hold everywhere.'),
        minTier: z
          .int()
          .min(0)
          .max(3)
          .optional()
          .describe('Only this trust tier or a higher; 1 unless given.'),
        for: use(),
        expand: expand(),
      }),
    example: { tokenBudget: 2_000 },
  }),
  list: defineOperation({
    name: 'list',
    summary: 'Memories, newest first: of one kind, or the newest of every kind.',
    right: 'read',
    input: () =>
      z.strictObject({
        kind: kind().optional(),
        limit: limitOf(SCREEN),
        after: z.string().optional().describe('Continue after this id; needs a kind.'),
        ...listing(),
      }),
    example: { kind: 'raw' },
  }),
  withheld: defineOperation({
    name: 'withheld',
    summary: 'What a list leaves out for its use: how many, and which.',
    right: 'read',
    input: () => z.strictObject({ kind: kind().optional(), ...listing() }),
    example: { kind: 'note', for: 'act' },
  }),
  show: defineOperation({
    name: 'show',
    summary: 'One memory with its birth certificate.',
    right: 'read',
    input: () => aboutOneThen(),
    example: { ref: 'raw' },
  }),
  why: defineOperation({
    name: 'why',
    summary:
      'Where it came from, what it was made from, what you said, how it changed, which rule let it in.',
    right: 'read',
    input: () => aboutOneThen(),
    example: { ref: 'belief' },
  }),
  trace: defineOperation({
    name: 'trace',
    summary: 'Everything a memory was made from, roots first.',
    right: 'read',
    input: () => aboutOneThen(),
    example: { ref: 'belief' },
  }),
  impact: defineOperation({
    name: 'impact',
    summary: 'Everything that was made from a memory.',
    right: 'read',
    input: () => aboutOne(),
    example: { ref: 'raw' },
  }),
  stats: defineOperation({
    name: 'stats',
    summary: 'How many memories of each kind there are.',
    right: 'read',
    input: () => nothing(),
    example: {},
  }),
  overview: defineOperation({
    name: 'overview',
    summary: 'How the stack stands: what there is, what was learnt lately, what waits.',
    right: 'read',
    input: () => nothing(),
    example: {},
  }),
  audit: defineOperation({
    name: 'audit',
    summary: 'Recompute the whole ledger and name the first thing that is not so.',
    right: 'read',
    input: () =>
      z.strictObject({
        against: z
          .string()
          .optional()
          .describe('A signed head that was kept elsewhere, as text: it catches a full rewrite.'),
        key: z
          .string()
          .optional()
          .describe('The public key that signed it, where that is not this stack’s own.'),
        since: z
          .union([z.string(), z.int().min(0)])
          .optional()
          .describe(
            'The chain alone, from here on: the number of an entry, the mark of an audit before, or a signed head.',
          ),
        to: z
          .int()
          .min(0)
          .optional()
          .describe('The last entry to look at; the chain alone, up to there.'),
      }),
    example: {},
  }),
  dump: defineOperation({
    name: 'dump',
    summary: 'Every memory as one text: markdown to read, or JSON to import elsewhere.',
    right: 'read',
    input: () =>
      z.strictObject({
        format: z.enum(['markdown', 'json']).default('markdown').describe('How it is written.'),
        includeRaw: z
          .boolean()
          .default(true)
          .describe('Raw captures: the words everything rests on.'),
        includeForgotten: z.boolean().default(false).describe('What was forgotten, too.'),
      }),
    example: { format: 'json' },
  }),
} as const
