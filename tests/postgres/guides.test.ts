import { expect, test } from 'vitest'
import { promised, runSample } from '../readme/support/run-sample.ts'
import { PAGES, samplesOf } from '../readme/support/samples.ts'
import { ownDatabase } from './support/database.ts'

const SAMPLES = PAGES.flatMap((page) => samplesOf(page, 'ts')).filter(({ code }) =>
  code.includes("from 'muniment/postgres'"),
)

test('the guides have programs for PostgreSQL', () => {
  expect(SAMPLES.map(({ page }) => page)).toContain('docs/recipes.md')
})

test.each(SAMPLES)('$page, line $line: prints what its comments say', async ({ code }) => {
  const { url } = await ownDatabase()
  const { stdout, stderr, status } = runSample(code, {
    DATABASE_URL: url,
    REPLICA_URL: url,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.split('\n').slice(0, -1)).toEqual(promised(code))
})
