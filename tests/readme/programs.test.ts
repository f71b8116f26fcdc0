import { expect, test } from 'vitest'
import { promised, runSample } from './support/run-sample.ts'
import { PAGES, samplesOf } from './support/samples.ts'

/** Programs that a test of their own runs, since they need more than a folder. */
const ELSEWHERE: readonly (readonly [mark: string, test: string])[] = [
  ['class Lengths', 'components.test.ts uses the component'],
  [
    "from '@ai-sdk/openai'",
    'components.test.ts puts a scripted model in the place of the provider',
  ],
  ["from 'muniment/postgres'", 'tests/postgres/guides.test.ts has a database'],
  ["from '../support/holds.ts'", 'a test of the project, to be filled in'],
  ['new MyStore()', 'a test, and MyStore is the reader’s'],
]

const PROGRAMS = PAGES.flatMap((page) => samplesOf(page, 'ts')).filter(
  ({ code }) => !ELSEWHERE.some(([mark]) => code.includes(mark)),
)

test('the README and each guide for programmers has a program', () => {
  const pages = new Set(PROGRAMS.map(({ page }) => page))
  const guides = ['getting-started', 'concepts', 'recipes', 'labels', 'faq']
  expect([...pages]).toEqual(
    expect.arrayContaining(['README.md', ...guides.map((name) => `docs/${name}.md`)]),
  )
})

test.each(PROGRAMS)('$page, line $line: prints what its comments say', ({ code }) => {
  const { stdout, stderr, status } = runSample(code)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.split('\n').slice(0, -1)).toEqual(promised(code))
})
