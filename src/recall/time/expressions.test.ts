import { describe, expect, test } from 'vitest'
import { toInstant } from '../../domain/time.ts'
import { nearest } from './events.ts'
import { timeExpressions } from './expressions.ts'

const NOW = Date.UTC(2023, 7, 16, 11) // a Wednesday

const spoken = (text: string): readonly string[] =>
  timeExpressions(text, NOW).map((found) =>
    found.type === 'span'
      ? `${toInstant(found.from).slice(0, 10)} to ${toInstant(found.to).slice(0, 10)}`
      : `every year, month ${found.month + 1}, day ${found.day ?? 'any'}`,
  )

describe('a question names a time', () => {
  test.each([
    ['What happened on 8 May, 2023?', '2023-05-08 to 2023-05-09'],
    ['What happened on May 8th, 2023?', '2023-05-08 to 2023-05-09'],
    ['What happened on Aug. 15, 2022?', '2022-08-15 to 2022-08-16'],
    ['the release of 2024-02-29', '2024-02-29 to 2024-03-01'],
    ['Where was she in June 2022?', '2022-06-01 to 2022-07-01'],
    ['Where was she in summer 2023?', '2023-06-01 to 2023-09-01'],
    ['the winter of 2022', '2022-12-01 to 2023-03-01'],
    ['Which job did he have in 2022?', '2022-01-01 to 2023-01-01'],
    ['in the first half of September 2022', '2022-09-01 to 2022-09-16'],
    ['in late May 2023', '2023-05-21 to 2023-06-01'],
    ['two weeks before 8 May 2023', '2023-04-24 to 2023-05-01'],
    ['3 days after May 8, 2023', '2023-05-11 to 2023-05-12'],
    ['a month before 31 March 2023', '2023-02-01 to 2023-03-01'],
    ['between August 11 and August 15 2023', '2023-08-11 to 2023-08-16'],
    ['from August 11 to 15, 2023', '2023-08-11 to 2023-08-16'],
    ['What did he cook last May?', '2023-05-01 to 2023-06-01'],
    ['What did he cook last October?', '2022-10-01 to 2022-11-01'],
    ['near Fort Wayne last summer', '2022-06-01 to 2022-09-01'],
    ['last winter', '2022-12-01 to 2023-03-01'],
    ['What did I say yesterday?', '2023-08-15 to 2023-08-16'],
    ['what is due tomorrow', '2023-08-17 to 2023-08-18'],
    ['What did we decide last week?', '2023-08-07 to 2023-08-14'],
    ['this month', '2023-08-01 to 2023-09-01'],
    ['three months ago', '2023-05-01 to 2023-06-01'],
    ['a couple of days ago', '2023-08-14 to 2023-08-15'],
    ['the day before yesterday', '2023-08-14 to 2023-08-15'],
    ['the day after tomorrow', '2023-08-18 to 2023-08-19'],
    ['the week before last', '2023-07-31 to 2023-08-07'],
    ['three days before last Friday', '2023-08-08 to 2023-08-09'],
    ['two weeks before the 8 of May 2023', '2023-05-08 to 2023-05-09'],
    ['last Friday', '2023-08-11 to 2023-08-12'],
    ['last Wednesday', '2023-08-09 to 2023-08-10'],
    ['Which spot did she visit in May?', 'every year, month 5, day any'],
    ['when they met on Aug 15th', 'every year, month 8, day 15'],
  ])('%s', (text, expected) => {
    expect(spoken(text)).toEqual([expected])
  })

  test('each is read once, and all of them are', () => {
    expect(spoken('after 8 May 2023 and in June 2023')).toEqual([
      '2023-05-08 to 2023-05-09',
      '2023-06-01 to 2023-07-01',
    ])
  })

  test.each([
    'Who is May?',
    'May I ask?',
    'Where is the marching band?',
    'two weeks before the trip',
    'room 2022',
    '45 May 2023x',
    '',
  ])('no time: %s', (text) => {
    expect(spoken(text)).toEqual([])
  })

  test('a long text is read in no time', () => {
    expect(spoken('1 '.repeat(500_000))).toEqual([])
  })
})

describe('nearness in time', () => {
  const asked = timeExpressions('on 8 May 2023', NOW)
  const near = (day: number): number => nearest(asked, Date.UTC(2023, 4, day, 12))

  test('is whole inside, and less the farther away', () => {
    expect(near(8)).toBe(1)
    expect(near(9)).toBeLessThan(1)
    expect(near(20)).toBeLessThan(near(9))
  })

  test('counts what was told afterwards more than what was told before', () => {
    expect(near(11)).toBeGreaterThan(near(5))
  })

  test('a year says less than a day', () => {
    expect(nearest(timeExpressions('in 2023', NOW), Date.UTC(2023, 4, 8))).toBeLessThan(near(8))
  })

  test('a month without a year is every such month', () => {
    const may = timeExpressions('in May', NOW)
    expect(nearest(may, Date.UTC(2019, 4, 3))).toBe(1)
    expect(nearest(may, Date.UTC(2019, 9, 3))).toBeLessThan(0.01)
  })

  test('no time asked for is nearness 0', () => {
    expect(nearest([], NOW)).toBe(0)
  })
})
