import { describe, expect, test } from 'vitest'
import { DEFAULT_FUSION, type Fusion, SIGNALS, type Signals } from '../../domain/words/search.ts'
import { termsOf } from '../../domain/words/terms.ts'
import { answerable } from './answerable.ts'
import type { Candidate, CandidateSet } from './candidates.ts'
import { fuse, type Ranked, sharesOf, sumOf } from './fuse.ts'
import { readQuestion } from './question.ts'
import { unsaidShare } from './signals.ts'
import { kindsSaid } from './told.ts'

const NOW = Date.UTC(2023, 7, 16)

type Said = Partial<Omit<Candidate, 'seq' | 'terms'>> & { readonly text: string }

/** Turns of one conversation, in their order. */
function talk(...said: readonly Said[]): CandidateSet {
  const candidates = said.map(
    ({ text, ...rest }, seq): Candidate => ({
      seq,
      terms: termsOf(text),
      speaker: null,
      label: 'UserAsserted',
      tier: rest.label === 'ModelDerived' ? 1 : 3,
      atMs: NOW,
      session: 'one',
      strength: 1,
      cosine: null,
      ...rest,
    }),
  )
  const holding = new Map<string, number>()
  for (const { terms } of candidates)
    for (const term of new Set(terms)) holding.set(term, (holding.get(term) ?? 0) + 1)
  return { documents: said.length, holding, candidates, runs: [candidates.map(({ seq }) => seq)] }
}

const rank = (
  question: string,
  found: CandidateSet,
  fusion: Fusion = DEFAULT_FUSION,
): readonly Ranked[] => fuse(readQuestion(question, NOW), found, fusion)

const order = (question: string, found: CandidateSet): readonly number[] =>
  rank(question, found).map(({ seq }) => seq)

const IDLE: readonly Said[] = [
  { text: 'the weather was fine all day long', session: 'two' },
  { text: 'we should meet again some time soon', session: 'three' },
  { text: 'my sister came over with a cake', session: 'four' },
]

describe('a kind of what is asked for', () => {
  const members = new Map([['pet', [{ term: 'puppi', strength: 0.8 }]]])
  const asked = readQuestion('which pets do we have', NOW, (term) => members.get(term) ?? [])
  const found = talk(...IDLE, { text: 'the puppy sleeps' }, { text: 'no pets in this house' })
  const kindOf = (seq: number): number | undefined =>
    fuse(asked, found, DEFAULT_FUSION).find((each) => each.seq === seq)?.signals.kind

  test('counts where the word itself is missing, and only there', () => {
    expect(kindOf(3)).toBeCloseTo(0.8)
    expect(kindOf(4)).toBe(0)
    expect(kindOf(0)).toBe(0)
  })

  test('does not count where nobody knows kinds', () => {
    const signals = rank('which pets do we have', found).map((each) => each.signals.kind)
    expect(signals.every((value) => value === 0)).toBe(true)
  })

  test('is told in the words of both', () => {
    expect(kindsSaid('Which pets do we have?', asked, 'Two puppies sleep')).toEqual([
      'puppy is a kind of pet',
    ])
    expect(kindsSaid('Which pets do we have?', asked, 'Two cats sleep')).toEqual([])
  })
})

describe('what is ranked first', () => {
  test('what holds more of the seldom words', () => {
    const found = talk(...IDLE, { text: 'the heron stood in the harbour' }, { text: 'a heron' })
    expect(order('the heron in the harbour', found)[0]).toBe(3)
  })

  test('the answer to a question that was about this', () => {
    const found = talk(
      ...IDLE,
      { text: 'What kind of boat do you sail?' },
      { text: 'a blue sloop' },
    )
    expect(order('Which boat?', found).slice(0, 2)).toContain(4)
  })

  test('what the one who is named said, before what others said', () => {
    const found = talk(
      ...IDLE,
      { text: 'I painted a sunset, Mel', speaker: 'Caroline', session: 'a' },
      { text: 'I painted a sunset too, Caroline', speaker: 'Mel', session: 'b' },
    )
    expect(order('What did Caroline paint?', found)[0]).toBe(3)
    expect(order('What did Mel paint?', found)[0]).toBe(4)
  })

  test('what a person said, before what a model made of it', () => {
    const found = talk(
      ...IDLE,
      { text: 'the budget is 300 a month', label: 'ModelDerived', session: 'a' },
      { text: 'the budget is 400 a month', label: 'UserAsserted', session: 'b' },
    )
    expect(order('What is the budget?', found)[0]).toBe(4)
  })

  test('what happened when the question says', () => {
    const found = talk(
      ...IDLE,
      { text: 'we hiked up the hill', atMs: Date.UTC(2022, 1, 3), session: 'a' },
      { text: 'we hiked up the hill again', atMs: Date.UTC(2023, 4, 9), session: 'b' },
    )
    expect(order('Where did we hike in February 2022?', found)[0]).toBe(3)
    expect(order('Where did we hike last May?', found)[0]).toBe(4)
  })

  test('a long text is as good as its best passage', () => {
    const filler = 'and so it went on with this and that '.repeat(40)
    const found = talk(...IDLE, { text: `${filler} the heron stood in the harbour ${filler}` })
    expect(order('heron in the harbour', found)[0]).toBe(3)
  })

  test('what a person wants always, when something is to be done now', () => {
    const found = talk(
      ...IDLE,
      { text: 'Always list sources in APA style', session: 'a' },
      { text: 'The sources of the paper were hard to find', session: 'b' },
    )
    expect(order('How should I cite my sources?', found)[0]).toBe(3)
  })

  test('equals stand in the order of their birth', () => {
    const found = talk({ text: 'heron', session: null }, { text: 'heron', session: null })
    expect(order('heron', found)).toEqual([0, 1])
  })
})

test('a second phrasing of one thing stands behind the first, and says so', () => {
  const found = talk(
    ...IDLE,
    { text: 'the ferry to the island leaves at nine', session: 'a' },
    { text: 'the ferry to the island leaves at nine', session: 'b' },
  )
  const [first, second] = rank('When does the ferry leave?', found)
  expect(first).toMatchObject({ seq: 3, repeats: null })
  expect(rank('ferry', found).find(({ seq }) => seq === 4)?.repeats).toBe(3)
  expect(second?.score).toBeLessThan(first?.score ?? 0)
})

test('a wish answers a question about what is wanted more than one for a fact', () => {
  const found = talk(...IDLE, { text: 'never deploy on fridays' })
  const standingFor = (question: string) =>
    rank(question, found).find(({ seq }) => seq === IDLE.length)?.signals.standing ?? 0
  expect(standingFor('when may we deploy')).toBeGreaterThan(0.8)
  expect(standingFor('on which day do we deploy')).toBeLessThan(0.5)
})

test('what speaks of the thing stands before what names it in passing', () => {
  const found = talk(
    ...IDLE,
    { text: 'after the harbour walk we fed the heron' },
    { text: 'the heron was fed after the walk in the harbour' },
  )
  const [first] = rank('where is the heron', found)
  expect(first?.seq).toBe(4)
  expect(first?.signals.subject).toBe(1)
})

test('a score is a chance, and its shares add up to what it was made of', () => {
  const found = talk(...IDLE, { text: 'the heron stood in the harbour' })
  for (const { score, signals } of rank('heron', found)) {
    const shares = sharesOf(signals, DEFAULT_FUSION)
    const sum = SIGNALS.reduce((total, signal) => total + shares[signal], 0)
    expect(sum).toBeCloseTo(sumOf(signals, DEFAULT_FUSION), 9)
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(1)
  }
})

test('every signal has its weight in the sum', () => {
  const none = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Signals // of each
  const weights = Object.fromEntries(SIGNALS.map((signal, at) => [signal, 2 ** at])) as Signals
  for (const [at, signal] of SIGNALS.entries()) {
    expect(sumOf({ ...none, [signal]: 3 }, { ...DEFAULT_FUSION, weights })).toBe(3 * 2 ** at)
  }
})

test('the order of the candidates changes nothing', () => {
  const found = talk(...IDLE, { text: 'a heron' }, { text: 'the heron stood' })
  const turned = { ...found, candidates: found.candidates.toReversed() }
  expect(rank('heron', turned)).toEqual(rank('heron', found))
})

describe('whether anything answers', () => {
  const found = talk(
    ...IDLE,
    { text: 'I designed hoodies for my store', speaker: 'Gina', session: 'a' },
    { text: 'that is so cool to hear', speaker: 'Jon', session: 'a' },
  )
  const chanceOf = (question: string): number =>
    answerable(
      rank(question, found),
      DEFAULT_FUSION,
      unsaidShare(readQuestion(question, NOW), found),
    )

  test('is likelier when it was said by the one who is named', () => {
    expect(chanceOf('What did Gina design for the store?')).toBeGreaterThan(
      chanceOf('What did Jon design for the store?'),
    )
  })

  test('is likelier when the words are there at all', () => {
    expect(chanceOf('What did Gina design for the store?')).toBeGreaterThan(
      chanceOf('Which planet has the most moons?'),
    )
  })

  test('is likelier when a memory names a kind of what was asked for', () => {
    const question = readQuestion('which hobbies', NOW, (term) =>
      term === 'hobbi' ? [{ term: 'ski', strength: 1 }] : [],
    )
    const chanceIn = (text: string): number => {
      const known = talk(...IDLE, { text })
      const ranked = fuse(question, known, DEFAULT_FUSION)
      return answerable(ranked, DEFAULT_FUSION, unsaidShare(question, known))
    }
    const unsaidIn = (text: string) => unsaidShare(question, talk(...IDLE, { text }))
    expect(unsaidIn('we go skiing')).toBe(0)
    expect(unsaidIn('we go fishing')).toBeGreaterThan(0.5)
    expect(chanceIn('we go skiing')).toBeGreaterThan(10 * chanceIn('we go fishing'))
  })

  test('is out of the question when nothing was found', () => {
    expect(answerable([], DEFAULT_FUSION, 0)).toBe(0)
  })
})
