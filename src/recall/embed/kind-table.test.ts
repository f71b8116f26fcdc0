import { describe, expect, test } from 'vitest'
import { readKindTable, writeKindTable } from './kind-table.ts'

const rows = [
  { kind: 'animal', size: 4_000, members: [{ term: 'puppi', strength: 255 }] },
  {
    kind: 'pet',
    size: 2,
    members: [
      { term: 'puppi', strength: 255 },
      { term: 'cat', strength: 102 },
    ],
  },
]

describe('the table of kinds', () => {
  test('is read as it was written', () => {
    const table = readKindTable(writeKindTable(rows))
    expect(table.membersOf('pet').map(({ term }) => term)).toEqual(['puppi', 'cat'])
    const [puppy, cat] = table.membersOf('pet')
    expect((cat?.strength ?? 0) / (puppy?.strength ?? 1)).toBeCloseTo(0.4)
    expect(table.membersOf('puppi')).toEqual([])
  })

  test('a kind of many words tells less than a kind of few', () => {
    const table = readKindTable(writeKindTable(rows))
    const strengthIn = (kind: string) => table.membersOf(kind)[0]?.strength ?? 0
    expect(strengthIn('animal')).toBeLessThan(0.3 * strengthIn('pet'))
  })

  test('a file that is cut or another is refused', () => {
    const bytes = writeKindTable(rows)
    const other = bytes.map((byte, at) => (at === 0 ? byte + 1 : byte))
    for (const wrong of [bytes.subarray(0, 10), bytes.subarray(0, -1), other])
      expect(() => readKindTable(wrong)).toThrow(/cannot be read/)
  })
})
