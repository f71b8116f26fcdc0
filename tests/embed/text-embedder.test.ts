import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { staticEmbedder } from '../../src/compose/static-embedder.ts'
import { WORD_TABLE_SHA256 } from '../../src/domain/words/search.ts'
import { scoreMax } from '../../src/recall/embed/integers.ts'
import { builtInEmbedder, textEmbedder } from '../../src/recall/embed/text-embedder.ts'
import { readWordTable, writeWordTable } from '../../src/recall/embed/word-table.ts'
import { readProjectFile } from '../support/project-files.ts'
import { smallTable } from './support.ts'

const small = textEmbedder(
  readWordTable(smallTable({ tea: [100, 0, 0, 0], coffee: [80, 60, 0, 0], run: [0, 0, 0, 9] })),
  'small',
)
const embedder = staticEmbedder()

const cosine = (a: string, b: string): number => {
  const [x, y] = [embedder.embed(a), embedder.embed(b)]
  return x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0) / scoreMax(embedder.dimension)
}

describe('a text is the weighted mean of its words', () => {
  test('case, order, repetition and function words make no difference', () => {
    const tea = small.embed('tea and coffee')
    for (const text of ['Coffee? Tea!', 'tea coffee tea tea', 'the tea with some coffee'])
      expect(small.embed(text)).toEqual(tea)
    expect(small.embed('tea')).not.toEqual(tea)
  })

  test('one word is its own direction, at the length of the dimension', () => {
    expect([...small.embed('tea')]).toEqual([63, 0, 0, 0])
    expect([...small.embed('coffee')]).toEqual([50, 38, 0, 0])
  })

  test('a word that is not there is looked for by its stem', () => {
    expect(small.embed('running')).toEqual(small.embed('run'))
  })

  test('a text without words is nothing', () => {
    for (const text of ['', '?!', ' \n']) expect([...small.embed(text)]).toEqual([0, 0, 0, 0])
  })

  test('a text of function words alone is still a text', () => {
    expect(embedder.embed('to be or not to be').some((value) => value !== 0)).toBe(true)
  })
})

test('a given name weighs less than a word: of whom a text is, search has by the letters', () => {
  const turn = 'Caroline, how was your pottery class?'
  expect(cosine('pottery class', turn)).toBeGreaterThan(2 * Math.abs(cosine('Caroline', turn)))
})

describe('words that the table does not have', () => {
  test('the same name is the same, a misspelt one near, another one far', () => {
    expect(cosine('Grzybowski', 'grzybowski')).toBeGreaterThan(0.95)
    expect(cosine('Grzybowski', 'Gryzbowski')).toBeGreaterThan(0.2)
    expect(Math.abs(cosine('Grzybowski', 'Featherstonehaugh'))).toBeLessThan(0.15)
  })

  test.each([
    ['東京に住んでいます', '東京に住む', '昨日は雨でした'],
    ['أحب القهوة', 'القهوة', 'السيارة'],
    ['Я люблю чай', 'люблю чай', 'новая машина'],
    ['getUserByEmail', 'getUserByEmail()', 'renderPageFooter'],
  ])('%s is nearer to %s than to %s', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2)
  })
})

test('what means the same is near, what does not is far', () => {
  expect(cosine('I love my dog', 'She adores her puppy')).toBeGreaterThan(0.35)
  expect(cosine('The meeting was cancelled', 'They called off the appointment')).toBeGreaterThan(
    cosine('The meeting was cancelled', 'The apples are ripe') + 0.2,
  )
  expect(Math.abs(cosine('I love my dog', 'The stock market fell'))).toBeLessThan(0.2)
})

test('every text has a vector of the length, or nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const vector = embedder.embed(text)
      const squares = vector.reduce((sum, value) => sum + value * value, 0)
      if (squares > 0) expect(squares / scoreMax(vector.length)).toBeGreaterThan(0.75)
      expect(squares / scoreMax(vector.length)).toBeLessThan(1.05)
    }),
    { numRuns: 60 },
  )
})

test('rare words tell more, unknown ones most', () => {
  const [common, rare, unknown] = ['day', 'telescope', 'grzybowski'].map(embedder.rarityOf)
  expect(common).toBeLessThan(rare ?? 0)
  expect(rare).toBeLessThan(unknown ?? 0)
})

describe('behind the port', () => {
  test('vectors are stamped and stand in the order of the texts', async () => {
    const port = builtInEmbedder(small)
    const { values, ...rest } = await port.embed(['tea', 'coffee'])
    expect(rest).toEqual({ embedder: 'small', dimension: 4, count: 2 })
    expect([...values]).toEqual([...small.embed('tea'), ...small.embed('coffee')])
  })

  test('whoever asked may call it off', async () => {
    const asked = builtInEmbedder(small).embed(['tea'], { signal: AbortSignal.abort() })
    await expect(asked).rejects.toThrow()
  })
})

describe('the table', () => {
  const good = smallTable({ tea: [1, 2, 3, 4] })

  test.each([
    ['nothing', new Uint8Array(0)],
    ['another file', new TextEncoder().encode('something else altogether')],
    ['one that was cut', good.subarray(0, good.length - 1)],
    ['one of another format', Uint8Array.from(good, (byte, at) => (at === 8 ? 9 : byte))],
  ])('%s is a coded error', (_, bytes) => {
    expect(() => readWordTable(bytes)).toThrow(expect.objectContaining({ code: 'data_loss' }))
  })

  test('two words of one hash are no table', () => {
    const twice = { hash: 1, weight: 1, rarity: 1, vector: [1] }
    const table = { dimension: 1, unknownWeight: 1 }
    expect(() => writeWordTable({ ...table, rows: [twice] })).not.toThrow()
    expect(() => writeWordTable({ ...table, rows: [twice, twice] })).toThrow(/one hash/)
  })

  test('the one that ships is the one that was pinned, small, and ships with its notice', () => {
    const bytes = readFileSync(new URL('../../assets/words.bin', import.meta.url))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(WORD_TABLE_SHA256)
    expect(bytes.length).toBeLessThan(5_000_000)
    const { files } = JSON.parse(readProjectFile('package.json')) as { files: readonly string[] }
    expect(files).toEqual(expect.arrayContaining(['assets', 'NOTICE']))
    expect(readProjectFile('NOTICE')).toMatch(/GloVe.*Universal Sentence Encoder/s)
  })
})

/** A machine that gives other bytes here would disagree with others about echoes. */
test('vectors are what they are on every machine', () => {
  const each = PINNED_TEXTS.map((text) => {
    const vector = embedder.embed(text)
    return createHash('sha256').update(vector).digest('hex').slice(0, 16)
  })
  expect(each).toEqual(PINNED_VECTORS)
  expect([...embedder.embed('green tea').subarray(0, 12)]).toEqual(PINNED_COMPONENTS)
})

const PINNED_TEXTS = [
  'green tea',
  'I went to a support group yesterday and it was so powerful.',
  'The quick brown fox jumps over the lazy dog',
  'Grzybowski’s naïve café №7 — don’t',
  '東京に住んでいます',
  'getUserByEmail(id: string) 0x7f 2023-05-08',
  'to be or not to be',
  `${'memory '.repeat(500)}${'zq'.repeat(5_000)}`,
]
const PINNED_VECTORS = [
  '062365beae62ef22',
  'e59adfbfd48602d7',
  'd5e18875f41310d4',
  '5908fc78d9cd9411',
  'fab90dc025752128',
  '0a65ca604b8933cd',
  'b638fafb32244c10',
  '4107e279f73f32ef',
]
const PINNED_COMPONENTS = [-48, 105, -27, -57, 83, -23, -12, 22, -64, 52, 22, 49]
