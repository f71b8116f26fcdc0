import { describe, expect, test } from 'vitest'
import { scanCitations } from './citations.ts'

const scan = (text: string, path = 'tests/made-up.test.ts') => scanCitations([{ path, text }])

describe('scanning for citations', () => {
  test('one literal id is one citation, with its place', () => {
    expect(scan(`\nholds('A-1', 'a sentence', () => {})`)).toEqual({
      citations: [{ id: 'A-1', title: 'a sentence', path: 'tests/made-up.test.ts', line: 2 }],
      problems: [],
    })
  })

  test('an array of ids is a citation of each', () => {
    const { citations } = scan(`holds(['A-1', 'B-2'], 'a sentence', async () => {})`)
    expect(citations.map(({ id }) => id)).toEqual(['A-1', 'B-2'])
  })

  test('a citation inside describe, a loop or with a type argument is found', () => {
    const { citations } = scan(
      `describe('x', () => { for (const y of z) holds<Store>('A-1', \`plain\`, f) })`,
    )
    expect(citations.map(({ id }) => id)).toEqual(['A-1'])
  })

  test('a citation in a comment or a string is none', () => {
    expect(scan(`// holds('A-1', 'x', f)\nconst text = "holds('A-1', 'x', f)"`)).toEqual({
      citations: [],
      problems: [],
    })
  })

  test.each([
    ['a computed id', `holds(id, 'a sentence', f)`],
    ['one computed id among literals', `holds(['A-1', id], 'a sentence', f)`],
    ['no id', `holds([], 'a sentence', f)`],
    ['a computed title', `holds('A-1', \`for \${kind}\`, f)`],
    ['an empty title', `holds('A-1', ' ', f)`],
  ])('%s is a problem and cites nothing', (_, text) => {
    const { citations, problems } = scan(text)
    expect(citations).toEqual([])
    expect(problems).toEqual([
      'tests/made-up.test.ts:1: holds() takes literal ids and a literal title',
    ])
  })

  test('only tests and conformance suites can cite', () => {
    expect(scan(`holds('A-1', 'a sentence', f)`, 'src/gate/plan.ts').citations).toEqual([])
    expect(scan(`holds('A-1', 'a sentence', f)`, 'tests/support/world.ts').citations).toEqual([])
  })
})

describe('conformance suites', () => {
  const suite = { path: 'src/testing/store/suite.ts', text: `holds('A-1', 'a sentence', f)` }
  const between = { path: 'src/testing/index.ts', text: `export { s } from './store/suite.ts'` }

  test('a suite that a test imports, through however many files, cites', () => {
    const importer = {
      path: 'tests/stores/memory.test.ts',
      text: `import { s } from '../../src/testing/index.ts'`,
    }
    const { citations, problems } = scanCitations([suite, between, importer])
    expect(citations.map(({ id }) => id)).toEqual(['A-1'])
    expect(problems).toEqual([])
  })

  test('a suite that no test imports, or only for its types, cites nothing and says so', () => {
    const importer = {
      path: 'tests/stores/memory.test.ts',
      text: `import type { S } from '../../src/testing/store/suite.ts'`,
    }
    const { citations, problems } = scanCitations([suite, between, importer])
    expect(citations).toEqual([])
    expect(problems).toEqual([
      'src/testing/store/suite.ts: cites A-1, but no test imports this suite',
    ])
  })
})
