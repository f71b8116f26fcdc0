import { expect, test } from 'vitest'
import type { NumberChange } from '../../../../src/engine/read/memory-view.ts'
import { seriesOf } from './series.ts'

const move = (time: string, old: number, now: number) =>
  ({
    time,
    seq: 1,
    old,
    new: now,
    reason: 'memory.verified',
    text: null,
    evidence: [],
  }) as unknown as NumberChange // as entries give it

test('each number has its birth, both sides of every step, and today', () => {
  const now = Date.parse('2026-03-01T00:00:00.000Z')
  const [times, confidence, strength] = seriesOf({
    from: '2026-01-01T00:00:00.000Z',
    now,
    tracks: [
      { born: 0.7, moves: [move('2026-02-01T00:00:00.000Z', 0.69, 0.79)], now: 0.78 },
      { born: 1, moves: [], now: 0.98 },
    ],
  })
  expect(times).toHaveLength(4)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(confidence).toEqual([0.7, 0.69, 0.79, 0.78])
  expect(strength).toEqual([1, null, null, 0.98])
})
