import { describe, expect, test } from 'vitest'
import type { Written } from './plain-frame.ts'
import { stateOf } from './stating-sentence.ts'

const statement = (text: string): Written => ({ type: 'statement', text })

describe('the state of a memory in the words of a person', () => {
  test('a memory of two sentences is stated when the person states both', () => {
    const memory = statement('The user lives in Lisbon. The user works at Galp.')
    expect(stateOf(memory, 'I live in Lisbon. I work at Galp.')).toBe('stated')
    expect(stateOf(memory, 'I live in Lisbon. I work a lot.')).toBe('unstated')
    expect(stateOf(memory, 'I live in Lisbon. I do not work at Galp.')).toBe('denied')
  })

  test('only sentences within the span state a memory, and a later sentence still takes back', () => {
    const memory = statement('The user lives in Lisbon.')
    const text = 'Hello there. I live in Lisbon. Bye.'
    expect(stateOf(memory, text, { start: 13, end: 30 })).toBe('stated')
    expect(stateOf(memory, text, { start: 0, end: 12 })).toBe('unstated')
    const denied = `${text} Sorry, I do not live in Lisbon.`
    expect(stateOf(memory, denied, { start: 13, end: 30 })).toBe('denied')
  })

  test.each([
    ['The API speaks JSON.', 'api', 'format', 'JSON'],
    ['Professor Adeyemi is my supervisor.', 'user', 'supervisor', 'Professor Adeyemi'],
    ['The heating was installed by Brandt.', 'heating', 'installer', 'Brandt'],
    ['We write commit messages in English.', 'commit messages', 'language', 'English'],
    ['Ich wohne in Berlin.', 'user', 'city', 'Berlin'],
  ])(
    'a claim is stated without a word for the predicate: %s',
    (said, subject, predicate, value) => {
      expect(stateOf({ type: 'claim', subject, predicate, value }, said)).toBe('stated')
    },
  )

  test.each([
    ['The wedding cake comes from Villa Rossi.', 'wedding', 'venue', 'Villa Rossi'],
    ['My flat has 60 square metres.', 'flat', 'rent', '60'],
    ['I work in Paris.', 'user', 'city', 'Paris'],
    ['I miss Paris.', 'user', 'city', 'Paris'],
    ['I flew to Paris.', 'user', 'city', 'Paris'],
    ['On the old map, the office is in Vienna.', 'office', 'city', 'Vienna'],
    ['The database backups run at 2:30.', 'database', 'time', '2:30'],
  ])('another relation states no claim: %s', (said, subject, predicate, value) => {
    expect(stateOf({ type: 'claim', subject, predicate, value }, said)).toBe('unstated')
  })
})
