import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
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
