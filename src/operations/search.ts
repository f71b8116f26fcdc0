import { z } from 'zod'
import { once } from '../domain/errors.ts'
import { KINDS } from '../domain/ids.ts'
import { type DoorContext, given, pastOf, readerOf } from './context.ts'
import { asOf, expand, filters, limitOf, ref, use } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'

/** Epochs mark time and say nothing that could be searched for. */
const searched = once(() => z.enum(KINDS.filter((each) => each !== 'epoch')))

/** Signals of a ranking. */
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

/** Input of every search. */
const searching = once(() => ({
  query: z.string().describe('What to look for, in words.'),
  limit: limitOf(10),
  ...rankedBy(),
  explain: z.boolean().default(false).describe('Say of each why it was found.'),
  expand: expand(),
}))

export const search = defineOperation({
  name: 'search',
  group: 'first',
  summary: 'Memories that speak of something, the nearest first.',
  right: 'read',
  input: () =>
    z.strictObject({
      ...searching(),
      whyNot: ref().optional().describe('Instead: what keeps this memory out, and what would not.'),
    }),
  output: () => z.union([shape.list(foundShape), whyNotShape]),
  example: { query: 'migration table', limit: 5 },
  notes: [
    '--explain tells of each what every signal gave to its score.',
    '--why-not <ref> tells what keeps a memory out, and what would bring it in.',
  ],
  examples: ['muniment search "table locks" --kind belief --min-confidence 0.6'],
  tool: 'default',
  run: async (context, { query, whyNot, ...asked }) => {
    const options = optionsOf(context, asked)
    return whyNot === undefined
      ? context.stack.search(query, options)
      : context.stack.lookup.whyNot(query, whyNot, options)
  },
  text: async (found, { input, page }) => {
    const { searchPage, whyNotPage } = await import('./text/search.ts')
    return 'reasons' in found
      ? whyNotPage(found, page)
      : searchPage(found, String(input.query), page)
  },
})

export const recall = defineOperation({
  name: 'recall',
  group: 'hidden',
  summary: 'The same as search, and whether what was found is likely to answer at all.',
  right: 'read',
  input: () => z.strictObject(searching()),
  output: () =>
    z.strictObject({
      results: shape.list(foundShape),
      answerable: z.strictObject({
        chance: shape.number,
        isLikely: z.boolean(),
        match: z.enum(['strong', 'good', 'weak', 'nothing']),
      }),
      withheld: shape.withheld.nullable(),
    }),
  example: { query: 'which table is locked' },
  tool: 'memory',
  run: (context, { query, ...asked }) => context.stack.recall(query, optionsOf(context, asked)),
  text: async (found, { input, page }) =>
    (await import('./text/search.ts')).recallPage(found, String(input.query), page),
})

const optionsOf = <Fields extends { readonly asOf?: string | undefined }>(
  context: DoorContext,
  { asOf, ...asked }: Fields,
) => ({ ...given(asked), ...pastOf(asOf), ...readerOf(context) })

const foundShape = shape.named(
  'Found',
  z.strictObject({
    memoryType: shape.kind,
    memoryId: shape.text,
    content: shape.text,
    score: shape.number,
    metadata: shape.open,
  }),
)

const explainedShape = shape.named(
  'Explained',
  z.strictObject({
    ref: shape.text,
    rank: shape.count.nullable(),
    ranked: shape.count,
    score: shape.number,
    sum: shape.number,
    signals: shape.list(
      z.strictObject({
        signal: shape.text,
        value: shape.number,
        weight: shape.number,
        share: shape.number,
        words: shape.text,
      }),
    ),
    says: shape.list(shape.text),
    lacks: shape.list(shape.text),
    repeats: shape.maybe,
    standsBefore: shape.maybe,
    words: shape.list(shape.text),
  }),
)

const whyNotShape = z.strictObject({
  ref: shape.text,
  isShown: z.boolean(),
  limit: shape.count,
  reasons: shape.list(
    z.strictObject({ code: shape.text, because: shape.text, remedy: shape.maybe }),
  ),
  explained: explainedShape.nullable(),
  words: shape.list(shape.text),
})
