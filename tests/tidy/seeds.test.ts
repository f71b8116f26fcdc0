import { describe, expect, test } from 'vitest'
import type { FailingSeed } from '../support/failing-seeds.ts'
import { checkFailingSeeds, checkSeeds } from './seeds.ts'

const found = (path: string, text: string): number => checkSeeds([{ path, text }]).length

describe('a seed from anywhere else is found', () => {
  test.each([
    'const x = Math.random()',
    "import fc from '../../node_modules/fast-check/lib/fast-check.js'",
    'fc.check(fc.property(fc.nat(), (n) => n >= 0))',
    'fc.configureGlobal({ seed: 3 })',
    'fc.assert(property, { numRuns: 3, seed: 4 })',
    "fc.assert(property, { path: '1:2' })",
    'for (let seed = 1; seed <= 400; seed += 1) await live(seed)',
    'const seed = Number(process.env.MUNIMENT_SEED)',
  ])('%s', (text) => {
    expect(found('tests/gate/a.test.ts', text)).toBe(1)
    expect(found('src/gate/a.test.ts', text)).toBe(1)
    expect(found('tests/gate/support.ts', text)).toBe(1)
  })
})

describe('what takes its seed from tests/support is left alone', () => {
  test.each([
    "import fc from 'fast-check'",
    'await fc.assert(fc.asyncProperty(fc.nat(), async (n) => n >= 0), { numRuns: 4 })',
    'fc.sample(fc.nat(), { numRuns: 4, seed: 11 })',
    'await forEachSeed(400, live)',
    'for (let step = 1; step <= 400; step += 1) await live(step)',
    'for (const seed of [21, 22]) await live(seed)',
  ])('%s', (text) => {
    expect(found('tests/gate/a.test.ts', text)).toBe(0)
  })

  test('and so is code that is no test', () => {
    expect(found('src/compose/a.ts', 'Math.random()')).toBe(0)
  })
})

describe('a row of the table', () => {
  const text = [
    "describe('group', () => {",
    "  holds('A', 'a plain title', run)",
    `  test(\`of \${kind}\`, run)`,
    '})',
  ].join('\n')
  const files = [{ path: 'tests/a.test.ts', text }]
  const row = (file: string, title: string): FailingSeed => ({
    file,
    test: title,
    property: 1,
    seed: 1,
  })
  const problems = (...rows: readonly FailingSeed[]): number =>
    checkFailingSeeds(rows, files).length

  test('that names a test is right', () => {
    expect(problems(row('tests/a.test.ts', 'group > [A] a plain title'))).toBe(0)
    expect(problems(row('tests/a.test.ts', 'group > of belief'))).toBe(0)
  })

  test('that names none is found', () => {
    expect(problems(row('tests/b.test.ts', 'group > [A] a plain title'))).toBe(1)
    expect(problems(row('tests/a.test.ts', 'group > [A] another title'))).toBe(1)
  })
})
