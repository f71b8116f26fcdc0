import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FUNCTION_WORDS, queryTerms, termsOf } from './terms.ts'

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom("'", '’', 's', 'n', 't', 'd', 'é', '東', 'ー', '\u0301', ' ', '"'),
  }),
  fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\0', 'a', '1', 'ﾞ', 'ก', 'ิ', '한') }),
)

describe('text becomes terms', () => {
  test.each([
    ['The deployments FAILED twice', 'the deploy fail twice'],
    ["the user's café, users’ cafés", 'the user cafe user cafe'],
    ['Zürich, Ёлка, ΟΔΌΣ, straße, İstanbul, Łódź', 'zurich елка οδοσ strass istanbul lodz'],
    ['ﬁsh ½ １２', 'fish 1 2 12'],
    ['v2.10 costs $1,000', 'v2 10 cost 1 000'],
    ['snake_case e-mail a/b', 'snake case e mail a b'],
    ['don\'t "quote" me', 'don t quot me'],
    [
      'getUserName, HTTPServer and iPhone',
      'getusernam get user name httpserver http server and iphon',
    ],
    ['東京タワー', '東京 京タ タワ ワー ー'],
    ['水', '水'],
    ['ｶﾞｷﾞ', 'ガギ ギ'],
    ['Python3は便利', 'python3 は便 便利 利'],
    ['한국어', '한국 국어 어'],
    ['สวัสดี', 'สวั วัส สดี ดี'],
    ['हिन्दी', 'हिन्दी'],
    ['😀 — … 👩🏽‍💻 ❤️ 🇩🇪', '😀 👩 💻 ❤ 🇩🇪'],
    ['مُحَمَّدٌ كتب الكتاب والمدرسة', 'محمد كتب كتاب مدرسه'],
    ['שָׁלוֹם', 'שלום'],
    ['— …', ''],
    ['\u0301 a', 'a'],
    ['', ''],
  ])('%s', (text, terms) => {
    expect(termsOf(text).join(' ')).toBe(terms)
  })

  test('a term is cut at 64 units, never through a character', () => {
    expect(termsOf('z'.repeat(1_000))).toEqual(['z'.repeat(64)])
    expect(termsOf(`z${'𐐨'.repeat(100)}`)).toEqual([`z${'𐐨'.repeat(31)}`])
  })

  test('a term holds letters, digits and marks, or is a picture', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const term of termsOf(text)) {
          expect(term).toMatch(/^(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{RI}{2}|\p{ExtPict})$/u)
          expect(term.length).toBeLessThanOrEqual(64)
          expect(term.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test('canonically equal texts, and capitals and small letters, have equal terms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text.normalize('NFC')))
      }),
      { examples: [['0aÀ']] },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(termsOf(text.toUpperCase())).toEqual(termsOf(text.toLowerCase()))
      }),
    )
  })

  test('what stands apart gives its terms apart', () => {
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        expect(termsOf(`${left} . ${right}`)).toEqual([...termsOf(left), ...termsOf(right)])
      }),
    )
  })

  test('the full text index of SQLite keeps every term whole', () => {
    const db = new DatabaseSync(':memory:')
    db.exec("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'ascii')")
    db.exec(`CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')`)
    const insert = db.prepare('INSERT INTO t (rowid, x) VALUES (1, ?)')
    const read = db.prepare('SELECT term FROM v ORDER BY offset')
    fc.assert(
      fc.property(anything, (text) => {
        db.exec('DELETE FROM t')
        insert.run(termsOf(text).join(' '))
        expect(read.all().map(({ term }) => term)).toEqual(termsOf(text))
      }),
      { numRuns: 300 },
    )
    db.close()
  })
})

describe('a megabyte of anything', () => {
  test.each([
    ['one word', 'a', 1_000_000],
    ['marks that want sorting', '\u0300\u0316', 500_000],
    ['marks that look like letters', '\uff9e\u0300', 500_000],
    ['half characters', '\ud800', 1_000_000],
    ['nothing', '\0', 1_000_000],
    ['one character of an unspaced script', '東', 1_000_000],
    ['possessives', "a's", 333_333],
    ['contractions', "don't ", 166_666],
    ['names in code', 'aB', 500_000],
    ['what is no name in code until its end', 'a'.repeat(999), 1_000],
    ['letters that unfold into eighteen', '\ufdfa', 100_000],
  ])(
    '%s is read to its end: a million characters, where squared work would never end',
    (_, unit, count) => {
      const text = unit.repeat(count)
      const found = [...new Set([...termsOf(text), ...queryTerms(text)])]
      expect(found.filter((term) => term === '' || term.length > 64)).toEqual([])
    },
  )
})

describe('the terms of a query', () => {
  test('leave out the words that only hold it together, once each', () => {
    expect(queryTerms('What did the user say about the users’ deployments?')).toEqual([
      'user',
      'sai',
      'deploy',
    ])
  })

  test('keep those words when nothing else is said', () => {
    expect(queryTerms('Who is it?')).toEqual(['who', 'is', 'it'])
    expect(queryTerms("don't")).toEqual(['don', 't'])
    expect(queryTerms('?')).toEqual([])
  })

  test('keep what only looks like the rest of a contraction', () => {
    expect(queryTerms("Where doesn't Don live? I'd take vitamin D")).toEqual([
      'don',
      'live',
      'take',
      'vitamin',
      'd',
    ])
  })

  test('are at most 64', () => {
    const words = Array.from({ length: 100 }, (_, at) => `w${at}`)
    expect(queryTerms(words.join(' '))).toEqual(words.slice(0, 64))
  })

  test('are terms of the text, distinct, and there whenever the text has any', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const found = queryTerms(text)
        const terms = new Set(termsOf(text))
        expect(new Set(found).size).toBe(found.length)
        expect(found.filter((term) => !terms.has(term))).toEqual([])
        expect(found.length > 0).toBe(terms.size > 0)
      }),
    )
  })

  test('the closed list holds plain words, and none that says something', () => {
    for (const word of FUNCTION_WORDS) expect(word).toMatch(/^[a-z]+$/)
    expect(FUNCTION_WORDS.has('deployment')).toBe(false)
  })
})
