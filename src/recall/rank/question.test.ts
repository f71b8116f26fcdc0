import { expect, test } from 'vitest'
import { readQuestion } from './question.ts'

const NOW = Date.UTC(2023, 7, 16)
const read = (text: string) => readQuestion(text, NOW)

test('what a question is about stands apart from the words that ask', () => {
  const { terms, asking } = read('Can you list the different aspects of my budget tracker?')
  expect(terms).toEqual(expect.arrayContaining(['budget', 'tracker']))
  expect([...asking]).toEqual(expect.arrayContaining(['list', 'aspect', 'differ']))
  expect(asking.has('budget')).toBe(false)
})

test('telling words that stand together make pairs, others do not', () => {
  const { pairs } = read('Who won the video game tournament?')
  expect(pairs).toContainEqual(['video', 'game'])
  expect(pairs).not.toContainEqual(['won', 'tournament'])
})

test.each([
  ['When did Gina open her store?', { asksWhen: true, asksHowMany: false }],
  ['How many cats does Nate have?', { asksHowMany: true, asksWhen: false }],
  ['How many days passed in between?', { asksWhen: true, asksHowMany: true }],
  ['How should I format my resume?', { asksOfNow: true, asksWhole: false }],
  ['Which libraries are used in this project?', { asksOfNow: true }],
  ['Did I ever fix that bug?', { asksOfNow: false }],
  ['On which day do we deploy?', { asksForFact: true, asksOfThen: false }],
  ['How warm may the rooms be?', { asksForFact: false }],
  ['Who owned the shop before Kim?', { asksOfThen: true }],
  ['Can you summarize what I learned?', { asksSummary: true, asksWhole: true, asksOfNow: false }],
  ['What did you recommend for retries?', { asksWhatYouSaid: true }],
  ['Can you help me with retries?', { asksWhatYouSaid: false, asksOfNow: true }],
])('%s', (text, expected) => {
  expect(read(text)).toMatchObject(expected)
})

test('a question of nothing but small words keeps them', () => {
  expect(read('who are you').terms).toEqual(['who', 'ar', 'you'])
})
