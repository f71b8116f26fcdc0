import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stem } from './terms.ts'

// Examples from the published description, step by step.
test.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['feed', 'feed'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['bled', 'bled'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['hissing', 'hiss'],
  ['failing', 'fail'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['vietnamization', 'vietnam'],
  ['decisiveness', 'decis'],
  ['sensibiliti', 'sensibl'],
  ['triplicate', 'triplic'],
  ['formative', 'form'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['replacement', 'replac'],
  ['adoption', 'adopt'],
  ['communism', 'commun'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['controll', 'control'],
  ['roll', 'roll'],
  ['organelle', 'organel'],
])('%s becomes %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})

test('a word too short to have a suffix stays', () => {
  expect(['', 'a', 'is', 'as'].map(stem)).toEqual(['', 'a', 'is', 'as'])
})

const SUFFIXES =
  'ational ization iveness ing ed eed ies sses s y ment ement ion tion ably ness ll e iviti biliti logi er ous al'
const word = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'aeiouybcdlmnrstz'), minLength: 2, maxLength: 8 }),
    fc.constantFrom('', ...SUFFIXES.split(' ')),
  )
  .map(([start, end]) => start + end)
  // SQLite takes a doubled y for two consonants; the published text does not.
  .filter((text) => !text.includes('yy') && !isBareEnding(text))

/**
 * SQLite takes a suffix only where a letter stands before the suffix, and tries a shorter suffix
 * otherwise; the published text takes the longest. The two differ for a word that is nothing but an
 * ending of the first step with a shorter ending in it.
 */
const isBareEnding = (text: string): boolean => BARE_ENDINGS.has(text)
const BARE_ENDINGS = new Set(['sses', 'ies', 'eed', 'eeds'])

/** The stemmer of SQLite, for many words at a time. */
function sqliteStemmer() {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter ascii')`)
  db.exec(`CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')`)
  const insert = db.prepare('INSERT INTO t (rowid, x) VALUES (1, ?)')
  const read = db.prepare('SELECT term FROM v ORDER BY offset')
  const stems = (words: readonly string[]): readonly string[] => {
    db.exec('DELETE FROM t')
    insert.run(words.join(' '))
    return read.all().map(({ term }) => String(term))
  }
  return { stems, close: () => db.close() }
}

test('SQLite, which wrote the same description down independently, gives the same stems', () => {
  const sqlite = sqliteStemmer()
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 50 }), (words) => {
      expect(words.map(stem)).toEqual(sqlite.stems(words))
    }),
    { numRuns: 200 },
  )
  sqlite.close()
})

test('of all words up to four letters SQLite stems only bare endings otherwise', () => {
  const sqlite = sqliteStemmer()
  const longer = (words: readonly string[]) =>
    words.flatMap((start) => [...'aeiybdngst'].map((letter) => start + letter))
  const two = longer(longer(['']))
  const words = [...two, ...longer(two), ...longer(longer(two))].filter(
    (text) => !text.includes('yy'),
  )
  const theirs = sqlite.stems(words)
  const different = words.filter((text, at) => stem(text) !== theirs[at])
  expect(new Set(different)).toEqual(BARE_ENDINGS)
  sqlite.close()
})

test('a stem is never empty and never longer than its word by more than the e it gets back', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,64}$/), (text) => {
      const found = stem(text)
      expect(found).toMatch(/^[a-z]+$/)
      expect(found.length).toBeLessThanOrEqual(text.length)
    }),
  )
})
