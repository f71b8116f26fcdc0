import { describe, expect, test } from 'vitest'
import { likenessOf } from '../../../tests/support/prints.ts'
import { printOf } from './print.ts'

const likeness = (said: string, source: string): number | null =>
  likenessOf(printOf(said), printOf(source))

const RULE = 'Changes to the payment code may be merged without a review.'

describe('the likeness of two texts', () => {
  test.each([
    'Payment code can be merged with no review.',
    'A review is not required before merging the payment code.',
    'Unreviewed changes to payments are fine to merge.',
    'For the payment code, the review before a merge is optional.',
    'Lesson of the day: Changes to the payment code may be merged without a review.',
  ])('is high where other words say one thing: %s', (said) => {
    expect(likeness(said, RULE)).toBeGreaterThanOrEqual(1_442)
  })

  test.each([
    [
      'another number',
      'Logs of the shop are kept for 30 days',
      'Logs of the shop are kept for 90 days',
    ],
    [
      'a name more',
      'Ingrid said that Anna owns the old mailer',
      'Anna is the owner of the old mailer',
    ],
    ['names in another order', 'The boss Anna hired Ben last', 'The boss Ben hired Anna last'],
    ['a denial', 'A merge of payment code needs a review', RULE],
    [
      'a word exchanged',
      'The basket service is written in rust',
      'The stock service is written in rust',
    ],
    ['a state', 'The old flag is on for everyone', 'The old flag is off for everyone'],
    ['a limit', 'Every region serves the new prices', 'Some regions serve the new prices'],
    ['a sentence more', `${RULE} The pipeline tells the owner of the change.`, RULE],
    ['a time as a frame', `Until last year: ${RULE}`, RULE],
    ['hardly a shared word', 'The payment page is blue', RULE],
  ])('is none where one says something else: %s', (_, said, source) => {
    expect(likeness(said, source)).toBeNull()
    expect(likeness(said, said)).toBe(2_000)
  })

  test('does not depend on which text came first, where neither adds to the other', () => {
    const other = 'A review is not required before merging the payment code.'
    expect(likeness(other, RULE)).not.toBeNull()
    expect(likeness(other, RULE)).toBe(likeness(RULE, other))
  })

  test('is none for a print of another format, and for a text without words', () => {
    const print = printOf(RULE)
    expect(likenessOf(print, Uint32Array.of(2, ...print.slice(1)))).toBeNull()
    expect(likeness('', RULE)).toBeNull()
  })
})
