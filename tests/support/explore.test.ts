import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Exploration } from './exploration.ts'
import { ROOT } from './project-files.ts'

const EXPLORED = ['--minutes', '0.02', '--only', 'tests/support/seeded-fast-check']

function explore(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { PATH } = process.env
  const given = { PATH, ...env } as NodeJS.ProcessEnv
  const run = spawnSync(process.execPath, ['scripts/explore.ts', ...args], {
    cwd: ROOT,
    env: given,
    encoding: 'utf8',
  })
  return { status: run.status, text: run.stdout + run.stderr }
}

test('exploring prints the row of every failure, goes on, and ends with a summary', () => {
  const { status, text } = explore({ MUNIMENT_FAIL_ON_PURPOSE: '1' }, ...EXPLORED)
  expect(text).toMatch(/3 failed\./)
  expect(text).toMatch(/Row for tests\/support\/failing-seeds\.ts:\n {2}\{\n/)
  expect(text).toMatch(/test: "a property that fails on purpose",\n.*property: 1,\n.*seed: -?\d+,/)
  expect(text).toMatch(/path: "[\d:]+",/)
  expect(text).toMatch(/test: "a simulation that fails on purpose",\n.*property: 1,\n.*seed: \d+,/)
  expect(text).toMatch(/no seed {2}tests\/support\/seeded-fast-check\.test\.ts > .*plain test/)
  expect(status).toBe(1)
})

test('exploring without a failure says so', () => {
  const { status, text } = explore({}, ...EXPLORED)
  expect(text).toMatch(/Nothing failed\./)
  expect(status).toBe(0)
})

test('exploring for no time is refused with the usage', () => {
  const { status, text } = explore({}, '--minutes', '0')
  expect(text).toMatch(/--minutes takes a number above 0\. Usage: npm run explore/)
  expect(status).toBe(1)
})

/** Status of every test of a round that starts when the time of the exploration is over. */
function lateRound(isFirstRound: boolean): ReadonlyMap<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muniment-late-round-'))
  const output = path.join(folder, 'round.json')
  const report = path.join(folder, 'failures.jsonl')
  const late: Exploration = { until: 0, sliceMs: 1_000, report, isFirstRound }
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const reporting = ['--reporter=json', `--outputFile=${output}`, '--project=suite']
  const file = 'tests/support/seeded-fast-check.test.ts'
  const { PATH } = process.env
  const env = {
    PATH,
    MUNIMENT_EXPLORATION: JSON.stringify(late),
    MUNIMENT_FAIL_ON_PURPOSE: '1',
  } as unknown as NodeJS.ProcessEnv
  spawnSync(process.execPath, [vitest, 'run', ...reporting, file], { cwd: ROOT, env })
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'))
  rmSync(folder, { recursive: true })
  const tests: readonly { title: string; status: string }[] = testResults[0].assertionResults
  return new Map(tests.map(({ title, status }) => [title, status]))
}

test('a test that the clock cuts off before the first case is skipped, and no failure', () => {
  const late = lateRound(false)
  expect(late.get('a property has a case, and a simulation has a run')).toBe('skipped')
  expect(late.get('a simulation that fails on purpose')).toBe('skipped')
  expect(late.get('a plain test that fails on purpose')).toBe('failed')
})

test('the first round runs one case of each property, however late', () => {
  const first = lateRound(true)
  expect(first.get('a property has a case, and a simulation has a run')).toBe('passed')
  expect(first.get('a simulation that fails on purpose')).toBe('failed')
})
