import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { lineOf, tallyOf } from './plain-summary.ts'

/** As much of a vitest module as the tally reads. */
function fakeModule(state: string, tests: readonly string[]): TestModule {
  const cases = tests.map((each) => ({ result: () => ({ state: each }) }))
  return { state: () => state, children: { allTests: () => cases } } as unknown as TestModule
}

test('the line counts tests', () => {
  const modules = [fakeModule('passed', ['passed', 'passed']), fakeModule('failed', ['failed'])]
  expect(lineOf(tallyOf(modules, 0))).toBe('2 passed, 1 failed')
})

test('skipped tests are told only when there are some', () => {
  const modules = [fakeModule('passed', ['passed', 'skipped', 'pending'])]
  expect(lineOf(tallyOf(modules, 0))).toBe('1 passed, 0 failed, 2 skipped')
})

test('a file that breaks outside its tests, and a stray error, count as failures', () => {
  expect(lineOf(tallyOf([fakeModule('failed', [])], 0))).toBe('0 passed, 1 failed')
  expect(lineOf(tallyOf([fakeModule('failed', ['passed'])], 0))).toBe('1 passed, 1 failed')
  expect(lineOf(tallyOf([fakeModule('passed', ['passed'])], 1))).toBe('1 passed, 1 failed')
})
