import { describe, expect, test } from 'vitest'
import { readProjectFile } from '../support/project-files.ts'
import { projectBooks } from './books.ts'
import { type Books, problemsOf, standings } from './check.ts'
import { ISSUES } from './issues.ts'
import { INVARIANT_ENTRIES, MANIFEST, SEED_FAMILIES } from './manifest.ts'

const citation = (id: string) => ({ id, title: 't', path: 'tests/a.test.ts', line: 1 })

const madeUp = (books: Partial<Books>): Books => ({
  manifest: [
    { id: 'A-1', says: 'First.', due: 'spine' },
    { id: 'B-2', says: 'Second.', due: 'doors' },
  ],
  citations: [],
  finished: [],
  heldEarly: [],
  ...books,
})

describe('the rules of the manifest, on made-up books', () => {
  test('with nothing done and nothing cited, all is pending and nothing is wrong', () => {
    expect(problemsOf(madeUp({}))).toEqual([])
    expect(standings(madeUp({})).map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  test('an id of a finished issue that is cited is held, by the files that cite it', () => {
    const books = madeUp({ finished: ['spine'], citations: [citation('A-1'), citation('A-1')] })
    expect(problemsOf(books)).toEqual([])
    expect(standings(books)[0]).toMatchObject({ status: 'held', heldBy: ['tests/a.test.ts'] })
  })

  test('an id of a finished issue that nobody cites is a problem', () => {
    expect(problemsOf(madeUp({ finished: ['spine'] }))).toEqual([
      "A-1 is said to hold, and no test cites it: write holds('A-1', …) (due: spine)",
    ])
  })

  test('an unknown id is a problem', () => {
    expect(problemsOf(madeUp({ citations: [citation('Z-9')] }))).toEqual([
      'tests/a.test.ts:1: cites Z-9, which the manifest does not know',
    ])
  })

  test('a pending id that starts to hold is a problem, and the message says what to edit', () => {
    expect(problemsOf(madeUp({ citations: [citation('B-2')] }))).toEqual([
      "B-2 is pending until 'doors' is done, yet tests/a.test.ts holds it: " +
        "add 'B-2' to HELD_EARLY in tests/manifest/progress.ts",
    ])
  })

  test('held early and cited is held', () => {
    const books = madeUp({ citations: [citation('B-2')], heldEarly: ['B-2'] })
    expect(problemsOf(books)).toEqual([])
    expect(standings(books)[1]?.status).toBe('held')
  })

  test('held early and not cited, or not known, is a problem', () => {
    expect(problemsOf(madeUp({ heldEarly: ['B-2'] }))).toHaveLength(1)
    expect(problemsOf(madeUp({ heldEarly: ['Z-9'] }))).toEqual([
      'HELD_EARLY names Z-9, which the manifest does not know',
    ])
  })

  test('an id that stands twice is a problem', () => {
    const { manifest } = madeUp({})
    expect(problemsOf(madeUp({ manifest: [...manifest, ...manifest.slice(0, 1)] }))).toEqual([
      'A-1 is in the manifest more than once',
    ])
  })
})

describe('the manifest', () => {
  test('has every invariant and every seed requirement, without a gap', () => {
    expect(INVARIANT_ENTRIES).toHaveLength(47)
    const numbered = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${letter}-${String(i + 1).padStart(2, '0')}`)
    expect(SEED_FAMILIES.map(({ entries }) => entries.map(({ id }) => id))).toEqual([
      numbered('P', 51),
      numbered('S', 83),
      numbered('F', 19),
      numbered('L', 17),
    ])
  })

  test('says one sentence of each, no two alike, and knows its issue', () => {
    for (const { id, says, due } of MANIFEST) {
      expect(says, id).toMatch(/^\S.*\.$/)
      expect(Object.keys(ISSUES), id).toContain(due)
    }
    expect(new Set(MANIFEST.map(({ says }) => says)).size).toBe(MANIFEST.length)
  })

  test('agrees with the tests', () => {
    expect(projectBooks().problems).toEqual([])
  })

  test.each([...projectBooks().pages])(
    '%s is up to date (npm run manifest -- --write)',
    (page, text) => {
      expect(readProjectFile(page)).toBe(text)
    },
  )
})
