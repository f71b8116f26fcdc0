import { describe, expect, test } from 'vitest'
import { checkVagueness, checkWords, commentsOf, vagueShare } from './words.ts'

const file = (text: string, path = 'src/gate/a.ts') => ({ path, text })
const messages = (text: string, path?: string): readonly string[] =>
  checkWords([file(text, path)], ['gate']).map(({ message }) => message)

describe('comments', () => {
  test('are read as one text each, whatever their signs', () => {
    const text = `// first\n// second\nconst a = 1 // third\n/**\n * fourth\n * line\n */\nconst b = '// none'`
    expect(commentsOf(file(text))).toEqual([
      { line: 1, text: 'first\nsecond' },
      { line: 3, text: 'third' },
      { line: 4, text: 'fourth\n line' },
    ])
  })

  test.each(['What is kept', 'Whether it holds', 'The same, later', 'So that nobody waits'])(
    'may not open like this: %s',
    (comment) => {
      expect(messages(`/** ${comment} */\nconst a = 1`)).toHaveLength(1)
    },
  )

  test('may open with a subject, and may open anyhow in rooms that are not plain yet', () => {
    expect(messages('/** The gate decides what is kept. */')).toEqual([])
    expect(messages('/** What is kept */', 'src/domain/a.ts')).toEqual([])
  })

  test('hold few vague words', () => {
    const vague = file('/** It is that one which somebody has. */')
    expect(vagueShare([vague])).toBeCloseTo(4 / 7)
    expect(checkVagueness([vague], ['gate'])).toHaveLength(1)
    expect(checkVagueness([file('/** The gate decides. */')], ['gate'])).toEqual([])
  })
})

describe('names', () => {
  test('of types say what the thing is', () => {
    expect(messages('export interface Told {}')).toHaveLength(1)
    expect(messages('export interface ToldEntry {}')).toEqual([])
  })

  test('of files are nouns', () => {
    expect(messages('', 'src/gate/deciding.ts')).toHaveLength(1)
    expect(messages('', 'src/gate/decision.ts')).toEqual([])
  })
})
