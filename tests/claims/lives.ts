import fc from 'fast-check'
import { label, type Stack } from '../../src/index.ts'
import { year } from './support.ts'

export const LINE = { subject: 'user', predicate: 'city' } as const

/** What may befall a line; `of` chooses one of its claims. */
export const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('say' as const),
      value: fc.constantFrom('Berlin', 'Paris', 'Rome'),
      actor: fc.constantFrom('ann', 'bob', 'eve'),
      from: fc.option(fc.integer({ min: 2020, max: 2030 }), { freq: 2 }),
      until: fc.option(fc.integer({ min: 2020, max: 2030 }), { freq: 2 }),
      sure: fc.constantFrom(1, 1, 0.8, 0.5),
      confidence: fc.constantFrom(0.9, 0.9, 0.9, 0.1),
      cardinality: fc.constantFrom('Functional', 'Functional', 'Unknown', 'SetValued'),
      isModel: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('retract', 'reopen', 'forget', 'recover', 'affirm', 'deny', 'unknown'),
      of: fc.nat({ max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('end' as const),
      of: fc.nat({ max: 12 }),
      at: fc.integer({ min: 2020, max: 2030 }),
    }),
  },
)
export type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never

const PERSON = { label: label.userAsserted(), actor: 'judge' }

/** Does all of it; `after` is told after each step. */
export async function live(
  stack: Stack,
  life: readonly Act[],
  after: () => Promise<void> = async () => {},
): Promise<void> {
  const refs: string[] = []
  for (const step of life) {
    await act(stack, step, refs)
    await after()
  }
}

/** One of them; `refs` are the claims that were made so far. */
export async function act(stack: Stack, step: Act, refs: string[]): Promise<void> {
  if (step.act === 'say') {
    const { value, actor, from, until, sure, confidence, cardinality, isModel } = step
    const { claimRef } = await stack.claims.ingest(
      {
        ...LINE,
        value,
        provenance: isModel ? label.modelDerived() : label.userAsserted(),
        cardinality: cardinality as 'Functional', // any of the three
        confidence: { valueConfidence: confidence, validTimeConfidence: sure },
        validTime: {
          start: from === null ? null : year(from),
          end: until === null ? null : year(until),
        },
      },
      { actor },
    )
    if (claimRef !== null) refs.push(claimRef)
    return
  }
  const ref = refs[step.of % refs.length]
  if (ref === undefined) return
  if (step.act === 'end') await stack.claims.end(ref, { ...PERSON, at: year(step.at) })
  else if (step.act === 'retract') await stack.claims.retract(ref, PERSON)
  else if (step.act === 'reopen') await stack.claims.reopen(ref, PERSON)
  else if (step.act === 'forget')
    await stack.changes.change(ref, { type: 'forget' }, 'test', PERSON)
  else if (step.act === 'recover')
    await stack.changes.change(ref, { type: 'recover' }, 'test', PERSON)
  else await stack.claims.adjudicate(ref, { verdict: step.act as 'affirm', ...PERSON })
}
