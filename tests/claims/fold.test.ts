import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Instant } from '../../src/domain/time.ts'
import { foldLine, type LineFold } from '../../src/fold/fold-line.ts'
import { testPolicy } from '../support/gate-bench.ts'
import { holds } from '../support/holds.ts'
import { answer, type Told } from './reference.ts'
import { dayAt, lines, PLAIN, type Said, stateOf, yearAt } from './said.ts'

const policy = testPolicy()

const told = ({ standing, sides, beside }: LineFold): Told => ({
  standing,
  values: sides.map(({ identity, claims, evidence, currency }) => ({
    value: identity,
    places: claims.map(({ seq }) => seq - 10),
    evidence,
    since: currency.since,
    currency: currency.value,
    band: currency.band,
  })),
  beside: beside.map(({ identity }) => identity),
})

const fold = (line: readonly Said[], validAt: Instant, now = dayAt(0)): Told =>
  told(foldLine(line.map(stateOf), { policy, validAt, now }))

const valuesAt = (line: readonly Partial<Said>[], year: number) => {
  const said = line.map((claim) => ({ ...PLAIN, ...claim }))
  const { standing, values } = fold(said, yearAt(year), dayAt(0))
  return [standing, ...values.map(({ value }) => value)]
}

describe('the fold of a line', () => {
  const moments = fc.integer({ min: 2017, max: 2033 }).map(yearAt)
  const nows = fc.nat({ max: 500 }).map(dayAt)

  holds('ANSWER-CONTEST', 'says what the slow reference says, on random lines', () => {
    fc.assert(
      fc.property(lines, fc.oneof(moments, nows), nows, (line, validAt, now) => {
        expect(fold(line, validAt, now)).toEqual(answer(line, validAt, now))
      }),
      { numRuns: 3_000 },
    )
  })

  test('does not depend on the order in which claims are handed to it', () => {
    fc.assert(
      fc.property(lines, fc.oneof(moments, nows), (line, validAt) => {
        const states = line.map(stateOf)
        const asked = { policy, validAt, now: dayAt(400) }
        expect(foldLine([...states].reverse(), asked)).toEqual(foldLine(states, asked))
      }),
    )
  })

  holds('FIREWALL-MODEL', 'is moved by no claim of a model where anything first-hand holds', () => {
    const says = fc.record({
      value: fc.constantFrom('Berlin', 'Oslo'),
      cardinality: fc.constantFrom('Functional', 'SetValued', 'Unknown'),
    })
    const model = { by: 'model', label: 'ModelDerived' } as const
    fc.assert(
      fc.property(lines, moments, says, (given, validAt, said) => {
        const line = given.map((each): Said => ({ ...each, overruledBy: null }))
        const before = foldLine(line.map(stateOf), { policy, validAt, now: dayAt(400) })
        fc.pre(before.sides.some(({ basis }) => basis === 'first-hand'))
        const more = [...line, { ...PLAIN, ...model, ...said, day: 400 }]
        const after = foldLine(more.map(stateOf), { policy, validAt, now: dayAt(400) })
        expect(after.sides).toEqual(before.sides)
        expect(after.standing).toBe(before.standing)
        expect(after.cardinality).toBe(before.cardinality)
      }),
    )
  })

  holds(
    'FIREWALL-INDEPENDENT',
    'counts every first-hand source once, however often it speaks',
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom('ann', 'bob', 'eve'), { minLength: 1 }),
          (speakers) => {
            const line = speakers.map((by): Said => ({ ...PLAIN, by }))
            const [held] = fold(line, dayAt(1)).values
            expect(held?.evidence).toBe(new Set(speakers).size)
          },
        ),
      )
    },
  )

  test('gives each voice its last word, and puts two voices beside each other', () => {
    expect(valuesAt([{}, { value: 'Paris' }], 2027)).toEqual(['held', 'Paris'])
    expect(valuesAt([{}, { value: 'Paris', by: 'bob' }], 2027)).toEqual([
      'contested',
      'Berlin',
      'Paris',
    ])
    const tool = { value: 'Paris', label: 'ExternalFirstHand' } as const
    expect(valuesAt([{}, tool], 2027)[0]).toBe('contested')
  })

  holds(
    ['FIREWALL-AUTHORITY', 'P-43'],
    'holds what the highest tier says and shows beside it what lower tiers say otherwise',
    () => {
      const low = { value: 'Paris', by: 'bob', tier: 2 } as const
      for (const line of [
        [PLAIN, { ...PLAIN, ...low }],
        [{ ...PLAIN, ...low }, PLAIN],
      ]) {
        expect(fold(line, dayAt(1))).toMatchObject({
          standing: 'held',
          values: [{ value: 'Berlin', evidence: 1 }],
          beside: ['Paris'],
        })
      }
      // Equal tiers contest, and a lower tier that agrees is one more voice for the value.
      expect(valuesAt([{}, { ...low, tier: 3 }], 2027)[0]).toBe('contested')
      const agreeing = { ...PLAIN, by: 'bob', tier: 2 } as const
      expect(fold([PLAIN, agreeing], dayAt(1)).values).toMatchObject([{ evidence: 2 }])
    },
  )

  holds(
    'FIREWALL-AUTHORITY',
    'lets the same voice take back nothing that it said at a higher tier',
    () => {
      const lower = { value: 'Paris', tier: 0 } as const
      expect(valuesAt([{}, lower], 2027)).toEqual(['held', 'Berlin'])
      expect(valuesAt([lower, {}], 2027)).toEqual(['held', 'Berlin'])
      expect(valuesAt([{}, { ...lower, tier: 3 }], 2027)).toEqual(['held', 'Paris'])
    },
  )

  test('answers by the window that holds then, and outside every window not at all', () => {
    const chain = [
      { value: 'alice', from: 2020, until: 2022 },
      { value: 'bob', by: 'bob', from: 2022, until: 2024 },
    ]
    const answers = [2019, 2020, 2021, 2022, 2023, 2024].map((year) => valuesAt(chain, year))
    expect(answers).toEqual([
      ['unknown'],
      ['held', 'alice'],
      ['held', 'alice'],
      ['held', 'bob'],
      ['held', 'bob'],
      ['unknown'],
    ])
  })

  test('lets a voice’s earlier word stand where its later one does not reach', () => {
    const line = [{ from: 2010 }, { value: 'Paris', from: 2020, until: 2022 }]
    expect([2015, 2021, 2023].map((year) => valuesAt(line, year)[1])).toEqual([
      'Berlin',
      'Paris',
      'Berlin',
    ])
  })

  test('takes the earlier word back into its place when the later one is taken back', () => {
    expect(
      valuesAt([{ disposition: 'Superseded' }, { value: 'Paris', word: 'retracted' }], 2027),
    ).toEqual(['held', 'Berlin'])
  })

  test('keeps every member of a set', () => {
    const members = ['rust', 'python', 'zig'].map(
      (value) => ({ value, cardinality: 'SetValued' }) as const,
    )
    expect(valuesAt(members, 2027)).toEqual(['held', 'rust', 'python', 'zig'])
  })
})
