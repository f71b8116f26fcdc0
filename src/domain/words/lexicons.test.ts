import { describe, expect, test } from 'vitest'
import { type Hedging, hedgingOf } from './lexicons.ts'

const TABLE: readonly (readonly [text: string, hedging: Hedging])[] = [
  ['The user is vegetarian', 0],
  ['The user might be vegetarian', 2],
  ['Maybe the user is vegetarian', 2],
  ['The user may be vegetarian', 2],
  ['They may not come on Friday', 2],
  ['It may rain', 2],
  ['The launch is in May', 0],
  ['May 5 is the day of the launch', 0],
  ['The release is planned for May 2027', 0],
  ['The user could be allergic to nuts', 2],
  ['She could swim at the age of four', 0],
  ['I’m not sure that he eats fish', 2],
  ['I am not entirely sure about the date', 2],
  ["I don't know where she lives", 2],
  ['Nobody can rule out a leak', 0],
  ['We cannot rule out a leak', 2],
  ['The cause is unclear', 2],
  ['Is she vegetarian?', 2],
  ['Whether she comes is open', 2],
  ['Probably the cache is stale', 1],
  ['The outage was likely caused by DNS', 1],
  ['It is unlikely that it rains', 1],
  ['The log suggests a timeout', 1],
  ['She seems happy', 1],
  ['I think the meeting is on Monday', 1],
  ['He is said to live in Oslo', 1],
  ['I doubt that it works', 1],
  ['There is no doubt that it works', 0],
  ['Without a doubt it works', 0],
  ['He pushed with all his might', 0],
  ['Mighty Mouse is a cartoon', 0],
  ['The maybelline order arrived', 0],
  ['', 0],
  ['ユーザーはベジタリアンです', 0],
]

describe('how far a text commits itself', () => {
  test.each(TABLE)('%s', (text, hedging) => {
    expect(hedgingOf(text)).toBe(hedging)
  })

  test('in any case, spacing and typography', () => {
    expect(hedgingOf('MAYBE\n  so')).toBe(2)
    expect(hedgingOf('It  might\tbe')).toBe(2)
    expect(hedgingOf('I ｄｏｕｂｔ it')).toBe(1)
  })

  test('a long text is read by its beginning, and quickly', () => {
    expect(hedgingOf(`${'It is so. '.repeat(1_000)}Maybe.`)).toBe(0)
    expect(hedgingOf('not '.repeat(100_000))).toBe(0)
  })
})
