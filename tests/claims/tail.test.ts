import fc from 'fast-check'
import { expect } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Policy } from '../../src/domain/policy.ts'
import type { Instant } from '../../src/domain/time.ts'
import { erasedAmong, lineOf } from '../../src/engine/claims/answer.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { foldLine, type LineFold } from '../../src/fold/fold-line.ts'
import { isLineClaim } from '../../src/fold/line-claims.ts'
import type { Answer, Stack } from '../../src/index.ts'
import type { Store } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { testPolicy } from '../support/gate-bench.ts'
import { holds } from '../support/holds.ts'
import { type Act, act, acts, LINE } from './lives.ts'
import { year } from './support.ts'

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
  const read: Engine['read'] = (query) => store.read(stack.stackId, query)
  const erased = await erasedAmong({ read }, claims)
  const fold = foldLine(claims.map(({ state }) => state).filter(isLineClaim), { ...at, erased })
  return {
    standing: fold.standing,
    cardinality: fold.cardinality,
    values: saidBy(fold.sides),
    beside: saidBy(fold.beside),
    retracted: fold.takenBack,
    erased: fold.erased,
  }
}

const shown = ({ standing, cardinality, values, beside, retracted, erased }: Answer) => {
  const refsOf = (sides: Answer['values']) =>
    sides.map(({ claims, evidence, currency }) => ({
      refs: claims.map(({ ref }) => ref),
      evidence,
      currency,
    }))
  return {
    standing,
    cardinality,
    values: refsOf(values),
    beside: refsOf(beside),
    retracted,
    erased,
  }
}

/** An undated claim of one voice: a second value takes the place of the first. */
const plain = fc.constantFrom('Berlin', 'Paris').map((value): Act => {
  const dates = { from: null, until: null, sure: 1 } as const
  const certain = { confidence: 0.9, cardinality: 'Functional', isModel: false } as const
  return { act: 'say', value, actor: 'ann', ...dates, ...certain }
})

const steps = fc.oneof(
  { weight: 2, arbitrary: acts },
  { weight: 2, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('retract', 'deny'), of: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('erase' as const), of: fc.nat({ max: 3 }) }),
  },
)

/** Does every step; an erased claim takes no more changes. */
async function live(stack: Stack, life: readonly Step[]): Promise<void> {
  const refs: string[] = []
  for (const step of life) {
    if (step.act !== 'erase') {
      await act(stack, step, refs)
      continue
    }
    const ref = refs[step.of % refs.length]
    if (ref === undefined) continue
    await stack.erasure.erase(ref)
    for (let at = refs.indexOf(ref); at >= 0; at = refs.indexOf(ref)) refs.splice(at, 1)
  }
}
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never

holds(
  'ANSWER-COMPUTED',
  'an answer from the tail of a line is the answer from all of it, in both stores',
  async () => {
    const policy = testPolicy()
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { maxLength: 14, size: '+1' }),
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
              const answer = await stack.claims.ask({ ...LINE, ...(validAt ? { validAt } : {}) })
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
