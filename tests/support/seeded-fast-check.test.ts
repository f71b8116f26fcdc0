import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { forEachSeed } from './each-seed.ts'
import { chosenSeed, exploration } from './exploration.ts'

/** Values of a property, in the order in which the property saw them. */
function valuesOf(numRuns: number): readonly number[] {
  const seen: number[] = []
  fc.assert(
    fc.property(fc.nat(), (value) => {
      seen.push(value)
    }),
    { numRuns },
  )
  return seen
}

const FROM_SEED_7 = fc.sample(fc.nat(), { numRuns: 10, seed: 7 })

const isFixed = exploration === null && chosenSeed === null

test.runIf(isFixed)('two properties without a seed of their own see the same values', async () => {
  const first = valuesOf(10)
  expect(first).toHaveLength(10)
  expect(valuesOf(10)).toEqual(first)
  expect(fc.sample(fc.nat(), 10)).toEqual(first)
  const later: number[] = []
  const keep = async (value: number): Promise<void> => {
    later.push(value)
  }
  await fc.assert(fc.asyncProperty(fc.nat(), keep), { numRuns: 10 })
  expect(later).toEqual(first)
})

test.runIf(isFixed)('a case of the table comes before the fixed seed', () => {
  const fixed = valuesOf(4)
  const repeated = valuesOf(4)
  expect(repeated[0]).toBe(FROM_SEED_7[3])
  expect(repeated.slice(-4)).toEqual(fixed)
  expect(valuesOf(4)).toEqual(fixed)
})

test.runIf(isFixed)('a path that fits no longer leaves the seed', () => {
  const repeated = valuesOf(4)
  expect(repeated.slice(0, 4)).toEqual(FROM_SEED_7.slice(0, 4))
  expect(repeated).toHaveLength(8)
})

test.runIf(isFixed)('a simulation runs with the seeds from 1 on', async () => {
  const seeds: number[] = []
  const ran = await forEachSeed(3, async (seed) => {
    seeds.push(seed)
  })
  expect({ ran, seeds }).toEqual({ ran: 3, seeds: [1, 2, 3] })
})

test('a property has a case, and a simulation has a run', async () => {
  expect(valuesOf(1)).not.toEqual([])
  expect(await forEachSeed(1, async () => {})).toBeGreaterThan(0)
})

const inHook: unknown[] = []

beforeAll(() => {
  try {
    valuesOf(1)
  } catch (error) {
    inHook.push(error)
  }
})

test('a property in a hook is refused, because no test would bear its seed', () => {
  expect(inHook).toMatchObject([{ message: expect.stringContaining('runs outside a test') }])
})

/** tests/support/explore.test.ts sets the variable, and expects the failures in the summary. */
if (process.env.MUNIMENT_FAIL_ON_PURPOSE === '1') {
  test('a property that fails on purpose', () => {
    fc.assert(fc.property(fc.nat(), (value) => value < 10))
  })

  test('a simulation that fails on purpose', async () => {
    await forEachSeed(1, async () => {
      throw new Error('The simulation failed on purpose.')
    })
  })

  test('a plain test that fails on purpose', () => {
    expect('on purpose').toBe('by accident')
  })
}
