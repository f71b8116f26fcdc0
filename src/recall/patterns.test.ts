import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonLessons } from './patterns.ts'

const episodes = (...lessons: readonly (readonly string[])[]) =>
  lessons.map((each, at) => ({ ref: `episode:${at}`, lessons: each }))

describe('common lessons', () => {
  test('are those of two episodes or more, in their earliest wording', () => {
    const found = commonLessons(
      episodes(['Test the backups.', 'Sleep more'], ['  test the BACKUPS! '], ['Drink water']),
    )
    expect(found).toEqual([
      { lesson: 'Test the backups.', refs: ['episode:0', 'episode:1'], count: 2 },
    ])
  })

  test('come with the most frequent first, then the earliest', () => {
    const found = commonLessons(episodes(['a b', 'c d'], ['c d', 'e f'], ['e f', 'a b'], ['e f']))
    expect(found.map(({ lesson, count }) => `${lesson} ${count}`)).toEqual([
      'e f 3',
      'a b 2',
      'c d 2',
    ])
  })

  test('count an episode once, however often it says it or is given', () => {
    const twice = [{ ref: 'episode:0', lessons: ['Test it', 'test it'] }]
    expect(commonLessons(twice)).toEqual([])
    expect(commonLessons([...twice, ...twice])).toEqual([])
    expect(commonLessons(twice, { min: 1 })).toHaveLength(1)
  })

  test.each([
    ['case, space and outer punctuation', 'Check  logs first', '“check logs FIRST”…'],
    ['Unicode form', 'Cafe\u0301 first', 'Café first'],
    ['inflection', 'Testing backups', 'Test backup'],
    [
      'order where it says nothing',
      'Small commits, clear messages',
      'clear messages, small commits',
    ],
    ['signs only', '👍', ' 👍 '],
  ])('are the same whatever the %s', (_, a, b) => {
    expect(commonLessons(episodes([a], [b]))).toHaveLength(1)
  })

  test.each([
    ['order after not', 'Use tabs, not spaces', 'Use spaces, not tabs'],
    ['order before than', 'Reading is better than writing', 'Writing is better than reading'],
    ['a sign that names', 'Learn C#', 'Learn C++'],
    ['a denial', 'Deploy on Friday', "Don't deploy on Friday"],
    ['a number', 'Retry 3 times', 'Retry 5 times'],
    ['an emoji', '👍', '👎'],
  ])('are kept apart by %s', (_, a, b) => {
    expect(commonLessons(episodes([a], [b]))).toEqual([])
  })

  test('leave out lessons that say nothing', () => {
    expect(commonLessons(episodes(['', ' '], ['', '\n']))).toEqual([])
  })
})

test('counts are what counting by hand gives', () => {
  const lesson = fc.constantFrom('Test it', 'test it!', 'Ship it', 'Read logs', 'logs READ')
  fc.assert(
    fc.property(fc.array(fc.array(lesson, { maxLength: 4 }), { maxLength: 12 }), (lists) => {
      const found = commonLessons(episodes(...lists))
      const plain = (text: string): string =>
        text.toLowerCase().replace('!', '').split(' ').sort().join()
      for (const { lesson: shown, refs, count } of found) {
        const by = lists.flatMap((list, at) =>
          list.some((each) => plain(each) === plain(shown)) ? [`episode:${at}`] : [],
        )
        expect(refs).toEqual(by)
        expect(count).toBe(by.length)
        expect(count).toBeGreaterThanOrEqual(2)
      }
      expect(found.map(({ count }) => count)).toEqual(
        found.map(({ count }) => count).sort((a, b) => b - a),
      )
    }),
  )
})
