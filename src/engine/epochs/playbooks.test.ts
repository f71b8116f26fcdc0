import { describe, expect, it } from 'vitest'
import type { PlaybookBody } from '../../domain/kinds/playbook.ts'
import { parseBody } from '../../domain/kinds/table.ts'
import { toInstant } from '../../domain/time.ts'
import { masteryOf, usedOnce } from './playbooks.ts'

const usedIn = (uses: readonly boolean[]): PlaybookBody =>
  uses.reduce(
    (body, hasSucceeded) => usedOnce(body, { hasSucceeded, at: toInstant(0) }),
    parseBody('playbook', { name: 'deploy', description: 'how' }),
  )

describe('mastery', () => {
  it('comes with use, where it goes well', () => {
    const uses = Array.from({ length: 20 }, (_, at) => at !== 3)
    const at = (count: number) => {
      const { masteryLevel, successRate } = usedIn(uses.slice(0, count))
      return [masteryLevel, successRate]
    }
    expect(at(4)).toEqual(['novice', 0.75])
    expect(at(5)).toEqual(['competent', 0.8])
    expect(at(10)).toEqual(['proficient', 0.9])
    expect(at(20)).toEqual(['expert', 0.95])
  })

  it('is lost again where it does not', () => {
    expect(usedIn([...Array(20).fill(true), ...Array(20).fill(false)])).toMatchObject({
      timesUsed: 40,
      successRate: 0.5,
      masteryLevel: 'novice',
    })
  })

  it.each([
    [4, 1, 'novice'],
    [5, 0.69, 'novice'],
    [9, 1, 'competent'],
    [19, 1, 'proficient'],
    [20, 0.89, 'proficient'],
  ])('%i uses of which %f went well make one %s', (uses, success, level) => {
    expect(masteryOf(uses, success)).toBe(level)
  })
})
