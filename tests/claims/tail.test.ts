import fc from 'fast-check'
import { expect } from 'vitest'
import { foldLine, type LineFold } from '../../src/belief/fold-line.ts'
import { isLineClaim } from '../../src/belief/line-claims.ts'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Policy } from '../../src/domain/policy.ts'
import type { Instant } from '../../src/domain/time.ts'
import { type Answer, label, type Stack } from '../../src/index.ts'
import type { Store } from '../../src/ports/store.ts'
import { lineOf } from '../../src/stack/answering.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { testPolicy } from '../support/gate-bench.ts'
import { holds } from '../support/holds.ts'
import { year } from './support.ts'

const LINE = { subject: 'user', predicate: 'city' } as const

/** What may befall a line; `of` chooses one of its claims. */
const acts = fc.oneof(
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
type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never

const PERSON = { label: label.userAsserted(), actor: 'judge' }

async function live(stack: Stack, life: readonly Act[]): Promise<void> {
  const refs: string[] = []
  for (const step of life) {
    if (step.act === 'say') {
      const { value, actor, from, until, sure, confidence, cardinality, isModel } = step
      const { claimRef } = await stack.ingestClaim(
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
      continue
    }
    const ref = refs[step.of % refs.length]
    if (ref === undefined) continue
    if (step.act === 'end') await stack.endClaim(ref, { ...PERSON, at: year(step.at) })
    else if (step.act === 'retract') await stack.retract(ref, PERSON)
    else if (step.act === 'reopen') await stack.reopen(ref, PERSON)
    else if (step.act === 'forget') await stack.change(ref, { type: 'forget' }, 'test', PERSON)
    else if (step.act === 'recover') await stack.change(ref, { type: 'recover' }, 'test', PERSON)
    else await stack.adjudicate(ref, { verdict: step.act as 'affirm', ...PERSON })
  }
}

const saidBy = (sides: LineFold['sides']) =>
  sides.map(({ claims, evidence, currency }) => ({
    refs: claims.map(({ ref }) => ref),
    evidence,
    currency,
  }))

/** All of the line read and folded, as slowly as that is. */
async function slowly(
  store: Store,
  stack: Stack,
  at: { policy: Policy; validAt: Instant; now: Instant },
) {
  const line = lineOf({ sha256: nodeSha256 }, LINE)
  const { claims } = await store.read(stack.stackId, { type: 'line', line, which: 'all' })
  const fold = foldLine(claims.map(({ state }) => state).filter(isLineClaim), at)
  return {
    standing: fold.standing,
    cardinality: fold.cardinality,
    values: saidBy(fold.sides),
    beside: saidBy(fold.beside),
    retracted: fold.takenBack,
  }
}

const shown = ({ standing, cardinality, values, beside, retracted }: Answer) => {
  const refsOf = (sides: Answer['values']) =>
    sides.map(({ claims, evidence, currency }) => ({
      refs: claims.map(({ ref }) => ref),
      evidence,
      currency,
    }))
  return { standing, cardinality, values: refsOf(values), beside: refsOf(beside), retracted }
}

holds(
  'ANSWER-COMPUTED',
  'an answer from the tail of a line is the answer from all of it, in both stores',
  async () => {
    const policy = testPolicy()
    await fc.assert(
      fc.asyncProperty(
        fc.array(acts, { maxLength: 14 }),
        fc.array(fc.integer({ min: 2018, max: 2032 }), { maxLength: 4 }),
        async (life, years) => {
          const stores = [new MemoryStore(), new SqliteStore({ path: ':memory:' })]
          const told: unknown[] = []
          for (const store of stores) {
            const world = fakeWorld(1)
            const stack = await openStack('test', { store, ...world })
            await live(stack, life)
            const answers: unknown[] = []
            for (const validAt of [undefined, ...years.map(year)]) {
              const answer = await stack.ask({ ...LINE, ...(validAt ? { validAt } : {}) })
              const at = { policy, validAt: answer.validAt, now: now(world.clock.now()) }
              expect(shown(answer)).toEqual(await slowly(store, stack, at))
              answers.push(shown(answer))
            }
            told.push(answers)
            await stack.close()
          }
          expect(told[1]).toEqual(told[0])
        },
      ),
      { numRuns: 150 },
    )
  },
)

const now = (ms: number): Instant => new Date(ms).toISOString() as Instant // an instant
