import { describe, expect, test } from 'vitest'
import { timesByEvents } from './events.ts'

describe('a question counts from what happened', () => {
  test.each([
    ['What did I buy two weeks before the trip?', [-2, 'week', 'the trip']],
    ['Two weeks before the trip, what did I buy?', [-2, 'week', 'the trip']],
    ['Two weeks before the trip what did I buy?', [-2, 'week', 'the trip']],
    ['Who called the day after Anna moved to Rome?', [1, 'day', 'anna moved to rome']],
    ['3 months after my sister’s wedding and the move', [3, 'month', "my sister's wedding"]],
    ['a few days before her first race', [-3, 'day', 'her first race']],
    ['two weeks before my trip last summer', [-2, 'week', 'my trip']],
    ['the year after we met', [1, 'year', 'we met']],
  ] as const)('%s', (text, [steps, unit, event]) => {
    expect(timesByEvents(text)).toEqual([{ steps, unit, event }])
  })

  test.each([
    'two weeks before 8 May 2023',
    'a month before May 8, 2023',
    'before the trip',
    'the day before yesterday',
    'the week before last',
    'a year before 2020',
    'days before',
    'two weeks before what?',
    '',
  ])('nothing: %s', (text) => {
    expect(timesByEvents(text)).toEqual([])
  })

  test('each of them', () => {
    const asked = 'between two days before the race and one week after the exam'
    expect(timesByEvents(asked).map(({ event }) => event)).toEqual(['the race', 'the exam'])
  })

  test('a long text is read in no time', () => {
    expect(timesByEvents('1 day before '.repeat(100_000)).length).toBeLessThan(200)
    expect(timesByEvents('the day after '.repeat(100_000)).length).toBeLessThan(200)
    expect(timesByEvents(`the day after ${'a'.repeat(1_000_000)}`)).toHaveLength(1)
  })
})
