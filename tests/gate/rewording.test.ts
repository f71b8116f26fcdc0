import fc from 'fast-check'
import { expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { Case } from '../../src/gate/case.ts'
import { decide } from '../../src/gate/decide.ts'
import { GateBench, MODEL_ORIGIN } from '../support/gate-bench.ts'
import { holds } from '../support/holds.ts'
import { reworded, type Told } from './reference/rewording.ts'
import { runs } from './runs.ts'

const START = '2020-01-01T00:00:00.000Z'
const NOBODY = 'note:00000000-0000-7000-8000-000000000000' as Ref // of no memory

/** Around the bars, where an answer turns. */
const near = (bar: number) => fc.constantFrom(0, bar - 1, bar, bar + 1, 5_000)

const drafts = fc.record({
  kind: fc.constantFrom('note' as const, 'claim' as const),
  isDated: fc.boolean(),
  cites: fc.subarray([0, 1, 2]),
  likes: fc.array(
    fc.record({
      at: fc.nat({ max: 3 }),
      score: near(1_442),
      covered: fc.constantFrom(0, 699, 700, 949, 950, 1_000),
      repeated: fc.constantFrom(0, 499, 500, 599, 600, 1_000),
      isInStep: fc.boolean(),
      isElsewhere: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
})

/** One draft of each answer, so that none of them waits for chance to bring it. */
const NEW = { kind: 'note' as const, isDated: false, cites: [], likes: [] }
const REPEATED = {
  at: 0,
  score: 5_000,
  covered: 1_000 as const,
  repeated: 1_000 as const,
  isInStep: true,
}
const SAME = { ...NEW, likes: [{ ...REPEATED, isElsewhere: false }] }
const LIKELY = { ...NEW, likes: [{ ...REPEATED, isInStep: false, isElsewhere: false }] }
const PASSED_ON = { ...NEW, likes: [{ ...REPEATED, isElsewhere: true }] }

function toldBy(c: Case): Told {
  const { rule, verdict } = decide(c)
  if (verdict.type === 'collapse' && verdict.reasons.includes('echo_reworded')) {
    return { says: 'the same', of: verdict.onto.ref }
  }
  if (rule !== 'echo' || verdict.type !== 'admit') return { says: 'something new' }
  const { phrasingOf, elsewhere } = verdict.facts
  return {
    says: 'in other words',
    of: phrasingOf as Ref, // the rule writes a ref there
    isElsewhere: elsewhere !== undefined,
  }
}

holds(
  ['GATE-PURE', 'FIREWALL-ECHO'],
  'the gate and its reference tell the same of every likeness, at every bar',
  async () => {
    const bench = new GateBench()
    const raw = await bench.ref({ kind: 'raw', body: { content: 'It was so on that day' } })
    const from = { derivedFrom: [raw] }
    const note = await bench.ref({ kind: 'note', body: { content: 'A note of before' }, ...from })
    const body = { subject: 'user', predicate: 'pet', value: 'cat' }
    const claim = await bench.ref({ kind: 'claim', body, ...from })
    const known: readonly Ref[] = [note, claim, raw, NOBODY]
    const kinds = new Map([note, claim, raw].map((ref) => [ref, ref.slice(0, ref.indexOf(':'))]))
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(drafts, async ({ kind, isDated, cites, likes }) => {
        const cited = cites.map((at) => known[at] as Ref)
        const own = kind === 'claim' && isDated
        const opened = await bench.open({
          kind,
          body:
            kind === 'note'
              ? { content: 'Said quite differently, it seems' }
              : {
                  subject: 'user',
                  predicate: 'dog',
                  value: 'Rex',
                  ...(own ? { validTime: { start: START } } : {}),
                },
          origin: MODEL_ORIGIN,
          derivedFrom: [raw],
          // What is given as evidence is gathered, as what was served would be.
          sourceEpisodes: [...new Set([...cited, note, claim])],
        })
        const { draft, main } = opened.candidate
        const candidate = {
          ...opened.candidate,
          draft: { ...draft, sourceEpisodes: cited },
          likes: likes.map(({ at, ...like }) => ({ ...like, ref: known[at] as Ref })),
        }
        const expected = reworded({
          kind,
          isDated: own,
          cites: [...main.derivedFrom, ...cited],
          likes: candidate.likes,
          kinds,
        })
        expect(toldBy({ ...opened, candidate })).toEqual(expected)
        seen.add('isElsewhere' in expected ? `elsewhere ${expected.isElsewhere}` : expected.says)
      }),
      { ...runs(400), examples: [[NEW], [SAME], [LIKELY], [PASSED_ON]] },
    )
    expect([...seen].sort()).toEqual([
      'elsewhere false',
      'elsewhere true',
      'something new',
      'the same',
    ])
  },
)
