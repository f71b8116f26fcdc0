import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataFolder, titleWithData } from '../../tests/support/data.ts'
import { contradictionBetween } from './contradiction.ts'

const kindOf = (a: string, b: string): string | null => contradictionBetween(a, b)?.kind ?? null

describe('two statements contradict each other', () => {
  test.each([
    ['negation', 'The user likes coffee', "The user doesn't like coffee"],
    ['negation', 'The user likes strong coffee in the morning', 'The user does not like coffee'],
    ['negation', 'Alice eats meat', 'Alice never eats meat'],
    ['negation', 'The server can restart itself', 'The server cannot restart itself'],
    ['negation', 'There is no backup of the database', 'There is a backup of the database'],
    ['negation', 'Somebody reviewed the change', 'Nobody reviewed the change'],
    ['negation', 'Bob smokes', 'Bob stopped smoking'],
    ['negation', 'It is raining', 'It isn’t raining'],
    ['negation', 'The trip was not without trouble', 'The trip was without trouble'],
    ['opposition', 'The door is open', 'The door is closed'],
    ['opposition', 'The feature flag is on', 'The feature flag is off'],
    ['opposition', 'Alice loves meetings', 'Alice hates meetings'],
    ['opposition', 'The endpoint is public', 'The endpoint is private'],
    ['opposition', 'The vault is locked', 'The vault is unlocked'],
    ['opposition', 'Alice was happy with the result', 'Alice was unhappy with the result'],
    ['number', 'Alice has two children', 'Alice has 3 children'],
    ['number', 'The meeting takes 30 minutes', 'The meeting takes 1 hour'],
    ['number', 'The meeting is on Monday', 'The meeting is on Tuesday'],
    ['number', 'The release is due on 2026-03-01', 'The release is due on 2026-04-01'],
    ['number', 'The call starts at 3 pm', 'The call starts at 16:00'],
    ['number', 'The licence costs $20', 'The licence costs €20'],
    ['number', 'The database listens on port 5432', 'The database listens on port 5433'],
    ['number', 'Build 101 took 34 seconds', 'Build 101 took 36 seconds'],
    ['negation', 'Invoice 17 was paid', 'Invoice 17 was not paid'],
    ['number', 'The service runs version 1.5.2', 'The service runs version 1.6.0'],
    ['value', 'Alice prefers tea', 'Alice prefers coffee'],
    ['value', 'I prefer tabs', 'I prefer spaces'],
    ['value', 'Alice lives in Berlin', 'Alice lives in Munich'],
    ['value', 'Alice was born in Oslo', 'Alice was born in Bergen'],
    ['value', "The user's favourite colour is blue", "The user's favourite color is green"],
  ])('%s: %s / %s', (kind, a, b) => {
    expect(kindOf(a, b)).toBe(kind)
    expect(kindOf(b, a)).toBe(kind)
  })
})

describe('two statements may both be so', () => {
  test.each([
    ['the same', 'The user likes coffee', 'the user likes COFFEE!'],
    ['both deny', "The user doesn't like tea", 'The user does not like tea'],
    ['to deny the contrary is to say it', 'The door is not open', 'The door is closed'],
    ['two denials are none', 'The plan is not without risk', 'The plan has risk'],
    ['neither hot nor cold', 'The soup is not hot', 'The soup is not cold'],
    ['another person', 'Alice Smith likes green tea', 'Bob Smith does not like green tea'],
    ['another person counts', 'Alice keeps 2 grey cats at home', 'Bob keeps 3 grey cats at home'],
    ['another thing is denied', 'Alice reads in the park', 'Alice does not sing in the park'],
    ['a part of it is denied', 'No dog in the red house barks at night', 'A dog barks'],
    ['two scenes', 'A man is standing on a bench', 'A man is sitting on a bench'],
    ['another invoice', 'Invoice 17 was paid', 'Invoice 18 was paid'],
    ['another train', 'Train 4 ran late', 'Train 5 ran late'],
    ['another build', 'Build 101 passed in 34 seconds', 'Build 102 passed in 36 seconds'],
    ['another request', 'The pull request 7 is open', 'The pull request 8 is closed'],
    ['two groups', 'Two dogs are running', 'Three dogs are running'],
    ['it has ended', 'Alice used to smoke', 'Alice does not smoke'],
    ['one moved', 'Alice used to live in Berlin', 'Alice lives in Munich'],
    ['the same time', 'The meeting takes 60 minutes', 'The meeting takes 1 hour'],
    ['the same hour', 'The call starts at 3 pm', 'The call starts at 15:00'],
    ['room for both', 'Alice has at least two cats', 'Alice has 3 cats'],
    ['more of the same', 'Alice lives in Berlin', 'Alice lives in Berlin Mitte'],
    ['a verb that takes many', 'Alice speaks German', 'Alice speaks French'],
    ['several values', 'Alice prefers tea and coffee', 'Alice prefers water'],
    ['not only', 'Alice likes tea', 'Alice not only likes tea'],
    ['not always', 'Alice drinks tea', 'Alice does not always drink tea'],
    ['look-alike prefixes', 'The page must display the form', 'The page must play the form'],
    ['nothing in common', 'Alice likes tea', 'The build is not green'],
    ['nothing at all', '', 'not'],
    ['an account', `Alice likes tea. ${'x '.repeat(1_000)}`, 'Alice does not like tea'],
  ])('%s: %s / %s', (_, a, b) => {
    expect(contradictionBetween(a, b)).toBeNull()
    expect(contradictionBetween(b, a)).toBeNull()
  })
})

test('a finding says what it was found by', () => {
  expect(contradictionBetween('The door is open', 'The door is closed')).toEqual({
    kind: 'opposition',
    score: 0.9,
    evidence: 'open against close',
  })
  expect(contradictionBetween('Bob sings', 'Bob does not sing')?.evidence).toBe(
    'only one side says "not"',
  )
})

test('less than all that is denied, and what only might be so, weigh less', () => {
  const score = (a: string, b: string): number => contradictionBetween(a, b)?.score ?? 0
  const plain = score('Bob sings in the choir', 'Bob does not sing in the choir')
  expect(score('Bob might sing in the choir', 'Bob does not sing in the choir')).toBeLessThan(plain)
  expect(score('Bob sings', 'Bob does not sing in the choir')).toBeLessThan(plain)
  expect(score('Bob sings', 'Bob does not sing in the choir')).toBeGreaterThan(0)
})

const WORDS =
  'alice bob not never no without likes hates tea open closed two 3 km 5pm monday is was prefers in and , the a used to might unhappy happy'
const statement = fc.oneof(
  fc.array(fc.constantFrom(...WORDS.split(' ')), { maxLength: 12 }).map((list) => list.join(' ')),
  fc.string({ unit: 'binary' }),
)

test('the order of the two does not matter, no statement contradicts itself, scores are shares', () => {
  fc.assert(
    fc.property(statement, statement, (a, b) => {
      expect(kindOf(a, b)).toBe(kindOf(b, a))
      expect(contradictionBetween(a, a)).toBeNull()
      const found = contradictionBetween(a, b)
      if (found === null) return
      expect(found.score).toBeGreaterThan(0)
      expect(found.score).toBeLessThanOrEqual(1)
    }),
    { numRuns: 500 },
  )
})

test('the longest statements are judged, and in either order alike', () => {
  for (const unit of ['is ', 'name is ', 'not ', "n't", '1,', '$', 'a, ', 'un', '. ']) {
    const [a, b] = [unit.repeat(2_000 / unit.length), `x ${unit.repeat(1_990 / unit.length)}`]
    expect(kindOf(a, b), unit).toBe(kindOf(b, a))
  }
})

describe('on pairs that people judged', () => {
  const place = dataFolder('conflict')
  test.skipIf(place === undefined).each([
    ['sick-dev.jsonl', 0.94, 0.75],
    ['negation-snli-dev.jsonl', 0.77, 0.3],
  ])(titleWithData('%s: precision of at least %d at a recall of at least %d', place), (...row) => {
    const [file, precision, recall] = row
    const lines = readFileSync(`${place}/${file}`, 'utf8').trim().split('\n')
    const pairs = lines.map((line) => JSON.parse(line) as { label: string; a: string; b: string })
    const found = pairs.filter(({ a, b }) => contradictionBetween(a, b) !== null)
    const right = found.filter(({ label }) => label === 'contradiction').length
    const gold = pairs.filter(({ label }) => label === 'contradiction').length
    expect(right / found.length).toBeGreaterThanOrEqual(precision)
    expect(right / gold).toBeGreaterThanOrEqual(recall)
  })
})
