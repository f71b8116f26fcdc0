import { expect, test } from 'vitest'
import { sentencesOf } from './sentence-words.ts'

test.each([
  ['My doctor is Dr. Amsel. Draft a letter.', ['My doctor is Dr. Amsel.', 'Draft a letter.']],
  ['I saw Prof. Beer, e.g. on Monday. Why?', ['I saw Prof. Beer, e.g. on Monday.', 'Why?']],
  ['Ask the Dr.\nThen go.', ['Ask the Dr.', 'Then go.']],
  ['Done. I live in Bern! "Yes." Good', ['Done.', 'I live in Bern!', '"Yes."', 'Good']],
])('the dot of a title ends no sentence: %s', (text, sentences) => {
  expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual(sentences)
})
