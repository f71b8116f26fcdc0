import { expect, test } from 'vitest'
import { daysOf, lastUntil } from './days.ts'

const times = [
  '2026-01-01T10:00:00.000Z',
  '2026-01-01T23:59:59.999Z',
  '2026-01-04T00:00:00.000Z',
  '2026-01-04T08:00:00.000Z',
]

test('entries are counted by day, and days without entries stand between', () => {
  const days = daysOf(times.map((time, seq) => ({ seq, time })))
  expect(days.map(({ day, entries }) => `${day} ${entries}`)).toEqual([
    '2026-01-01 2',
    '2026-01-02 0',
    '2026-01-03 0',
    '2026-01-04 2',
  ])
  expect(days[3]).toMatchObject({ first: 2, last: 3 })
  expect(daysOf([])).toEqual([])
})

test('the last entry of a day is found by its time, and none before the first', async () => {
  const until = (time: string) => lastUntil(time, 3, async (seq) => times[seq] ?? '')
  expect(await until('2025-12-31T23:59:59.999Z')).toBe(-1)
  expect(await until('2026-01-01T23:59:59.999Z')).toBe(1)
  expect(await until('2026-01-03T23:59:59.999Z')).toBe(1)
  expect(await until('2026-02-01T00:00:00.000Z')).toBe(3)
})
