import { expect, test } from 'vitest'
import { blameLines } from '../../../src/adapters/common/blame.ts'
import { toInstant } from '../../../src/domain/time.ts'

const at = toInstant(0)
const linesOf = (content: string) => content.split('\n')

test('a document with thousands of changed lines has every line from the last version', () => {
  const content = (word: string) =>
    Array.from({ length: 16_000 }, (_, line) => `${word} ${line}`).join('\n')
  const versions = ['old', 'new'].map((word, seq) => ({
    seq,
    at,
    actor: word,
    content: content(word),
  }))
  const lines = blameLines(versions, linesOf)
  expect(lines).toHaveLength(16_000)
  expect(new Set(lines.map(({ by }) => by))).toEqual(new Set(['new']))
})
