import { expect, test } from 'vitest'
import { isLastingWish } from './wish.ts'

test.each([
  'Never push to main without a review',
  'I prefer short answers',
  'Please always name the ticket in a commit',
  'Buttons must have a label',
  'Use metric units',
  'Call me Theo, not Theodor',
  'Don’t put milk in my tea',
  'No meetings before ten, please',
  'I am vegetarian, keep that in mind for the lunch',
])('a wish that lasts: %s', (text) => {
  expect(isLastingWish(text, 'person')).toBe(true)
})

test.each([
  'Add a button to the checkout',
  'Can you always do that?',
  'We deploy on Tuesdays at ten',
  'The coverage threshold is 80 percent',
  'Write to the landlord about the leak',
  'Use Friday for the review',
  "Don't send it yet",
  "Don't forget the milk",
])('no wish that lasts: %s', (text) => {
  expect(isLastingWish(text, 'person')).toBe(false)
})

test('another one tells of a wish', () => {
  expect(isLastingWish('The user prefers tabs', 'another')).toBe(true)
  expect(isLastingWish('Never run the importer twice', 'another')).toBe(false)
})
