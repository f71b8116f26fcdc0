import fc from 'fast-check'
import type { RecordKind } from '../../../src/domain/ids.ts'
import { type MemoryState, REVIEW_KINDS } from '../../../src/domain/state.ts'
import type { Disposition } from '../../../src/domain/vocabulary.ts'
import type { Narrowed, ReadQuery } from '../../../src/ports/store.ts'
import { digest } from '../../../src/testing/conformance/scribe.ts'

const KINDS = ['note', 'belief', 'value'] as const satisfies readonly RecordKind[]
const DISPOSITIONS: readonly Disposition[] = ['CommittedCheap', 'Quarantined', 'Rejected']

/** Few texts, so that rows and questions meet; among them some of any kind. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', 'a', 'A', 'ä', '日', '"', '","', '\\', '\0', 'a\0') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
)
const texts = fc.array(text, { maxLength: 3 })
const textOrNone = fc.option(text)
const number = fc.constantFrom(0, 0.1, 0.5, 0.500_000_1, 1)
const word = fc.constantFrom('tea', 'rice', 'boat', 'sail', 'ünder', '東京', 'ꭰ', 'x1', 'and', 'or')
const term = fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: text })

const facets = fc.record({
  subtype: textOrNone,
  status: textOrNone,
  name: textOrNone,
  context: textOrNone,
  contextTags: texts,
  tags: texts,
})

/** What a row says beside what the scribe fills in. */
const fields = fc.record({
  session: textOrNone,
  facets,
  weight: fc.constantFrom(0, 0.25, 0.5, 1, 80),
  strength: number,
  confidence: number,
  tier: fc.constantFrom(0, 1, 2, 3),
  disposition: fc.constantFrom(...DISPOSITIONS),
  review: fc.option(fc.constantFrom(...REVIEW_KINDS)),
})

export type Fields = typeof fields extends fc.Arbitrary<infer F> ? F : never

export const withFields = (
  state: MemoryState,
  { strength, confidence, ...rest }: Fields,
): MemoryState => ({
  ...state,
  ...rest,
  strength: { ...state.strength, value: strength },
  confidence: { ...state.confidence, value: confidence },
})

/** Names of components are no free text: V8 13.6 reads a key of one escaped character as another. */
const name = fc.constantFrom('tags', 'emotions', 'a "b"')

const words = fc.array(word, { maxLength: 8 }).map((said) => said.join(' '))
const identity = fc.constantFrom('i', 'j')

/** Which memory is meant: so many back from the newest, where there are as many. */
const back = fc.nat({ max: 12 })

export const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant('save' as const),
        kind: fc.constantFrom(...KINDS),
        content: words,
        identity,
        fields,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('revise' as const),
        back,
        content: words,
        identity,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('set' as const), back, fields }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('note' as const), back, name }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('commit' as const) }) },
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
)

export type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never

const where = fc.record(
  {
    subtype: text,
    status: text,
    name: text,
    session: text,
    context: text,
    contextOrNone: text,
    tags: texts,
    strengthMin: number,
    confidenceMin: number,
    tierMin: fc.constantFrom(0, 1, 2, 3),
    except: fc.subarray([...DISPOSITIONS]),
  },
  { requiredKeys: [] },
) satisfies fc.Arbitrary<Narrowed>

const limit = fc.constantFrom(0, 1, 3, 1_000, Infinity)
const before = fc.option(fc.nat({ max: 40 }))
const kind = fc.constantFrom(...KINDS)

const memoriesType = fc.constant('memories' as const)

const filtered = (of: typeof kind) =>
  fc.tuple(of, where).map(([one, narrowed]) => ({ ...narrowed, kind: one, present: true as const }))

export const queries: fc.Arbitrary<readonly ReadQuery[]> = fc.array(
  fc.oneof(
    fc.record({
      type: memoriesType,
      as: fc.constant('stored' as const),
      where: filtered(kind),
      order: fc.constant('newest' as const),
      after: before,
      limit,
    }),
    fc.record({
      type: memoriesType,
      as: fc.constant('section' as const),
      where: filtered(kind),
      order: fc.constant('newest' as const),
      after: fc.option(fc.nat({ max: 40 })),
      limit,
    }),
    fc.record({
      type: memoriesType,
      as: fc.constant('section' as const),
      where: filtered(kind),
      order: fc.constant('heaviest' as const),
      after: fc.option(fc.record({ weight: fc.constantFrom(0, 0.5, 1), seq: fc.nat({ max: 40 }) })),
      limit,
    }),
    fc.record({
      type: fc.constant('match' as const),
      terms: fc.array(term, { maxLength: 4 }),
      kinds: fc.subarray([...KINDS]),
      skip: fc.constantFrom(0, 0, 1, 5),
      limit,
      where: fc.oneof(fc.constant({}), where),
    }),
    fc.record({
      type: fc.constant('recall' as const),
      terms: fc.array(term, { maxLength: 4 }),
      near: fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 6 }),
      kinds: fc.subarray([...KINDS]),
      hits: fc.constantFrom(0, 1, 3, 50),
      where: fc.oneof(fc.constant({}), where),
    }),
    fc.record({
      type: memoriesType,
      as: fc.constant('stored' as const),
      where: fc.record({ seqs: fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 6 }) }),
      order: fc.constant('given' as const),
    }),
    fc.record({
      type: memoriesType,
      as: fc.constant('stored' as const),
      where: fc.record({ review: fc.subarray([...REVIEW_KINDS]) }),
      order: fc.constant('newest' as const),
      after: before,
      limit,
    }),
    fc.record({
      type: memoriesType,
      as: fc.constant('state' as const),
      where: fc.record({ identity: identity.map((said) => digest(said)) }),
      order: fc.constant('oldest' as const),
    }),
  ),
  { minLength: 30, maxLength: 30, size: 'max' },
)
