import { describe, expect, test } from 'vitest'
import { DEFAULT_FUSION } from '../../domain/words/search.ts'
import { termsOf } from '../../domain/words/terms.ts'
import type { Candidate, CandidateSet } from './candidates.ts'
import { fuse, type Ranked } from './fuse.ts'
import { readQuestion } from './question.ts'

const NOW = Date.UTC(2026, 0, 1)

interface Said {
  readonly text: string
  readonly tier: 1 | 2 | 3
  readonly session?: string
}

function found(said: readonly Said[], isTalk: boolean): CandidateSet {
  const candidates = said.map(
    ({ text, tier, session = 'one' }, seq): Candidate => ({
      ...{ seq, tier, session, terms: termsOf(text), speaker: null, atMs: NOW },
      ...{ label: 'ExternalFirstHand', strength: 1, cosine: null },
    }),
  )
  const holding = new Map<string, number>()
  for (const { terms } of candidates)
    for (const term of new Set(terms)) holding.set(term, (holding.get(term) ?? 0) + 1)
  const runs = isTalk ? [candidates.map(({ seq }) => seq)] : []
  return { documents: 1_000, holding, candidates, runs }
}

const rank = (question: string, said: readonly Said[], isTalk = false): readonly Ranked[] =>
  fuse(readQuestion(question, NOW), found(said, isTalk), DEFAULT_FUSION)

const order = (question: string, said: readonly Said[]): readonly number[] =>
  rank(question, said).map(({ seq }) => seq)

const person = (text: string, session = 'person'): Said => ({ text, tier: 3, session })
const page = (text: string, session = 'web'): Said => ({ text, tier: 1, session })

describe('the word of a person', () => {
  const question = 'which pump feeds the fountain in the court'
  const pages = [
    page(
      'Which pump feeds the fountain in the court? The pump B2 feeds the fountain in the court.',
    ),
    page('The fountain in the court is fed by the pump B2, a pump of the court.'),
    page('In the court the pump that feeds the fountain is B2.'),
    page('Fountain, court, pump: B2 feeds it.'),
    page('The pump B2 feeds the fountain of the court since May.'),
  ]

  test('stands before five pages that say more words of the question', () => {
    const ranked = rank(question, [...pages, person('The fountain runs on A7.')])
    expect(ranked[0]?.seq).toBe(5)
    expect(ranked[0]?.score).toBe(ranked[1]?.score)
    expect(ranked[0]?.standsBefore).toBe(ranked[1]?.seq)
    expect(ranked[1]?.standsBefore).toBeNull()
  })

  test('stands before them with another note of the person between', () => {
    const said = [...pages, person('The court needs new gravel.'), person('The fountain: A7.')]
    expect(order(question, said).slice(0, 2).toSorted()).toEqual([5, 6])
  })

  test('is not the same question, asked by the person before', () => {
    const asked = [person(`${question}?`), person(`Please tell me ${question}`)]
    expect(order(question, [...pages, ...asked, person('The fountain: A7.')])[2]).toBe(7)
  })

  test('is no repeat of a page, although most of its words are the same', () => {
    const said = ['B2', 'A7'].map(
      (pump) => `The pump ${pump} feeds the fountain of the old town hall`,
    )
    const [lie = '', truth = ''] = said
    const repeatsOf = (first: Said) =>
      rank('does the pump B2 feed the fountain', [first, person(truth)])[1]?.repeats
    expect(repeatsOf(person(lie))).toBe(0)
    expect(rank('does the pump B2 feed the fountain', [page(lie), person(truth)])).toEqual([
      expect.objectContaining({ seq: 1, repeats: null }),
      expect.objectContaining({ seq: 0, repeats: null }),
    ])
  })

  test('stays where it is when it says too little of the question', () => {
    const question = 'which pump feeds the copper fountain beside the northern court'
    const answer = page('The pump B2 feeds the copper fountain beside the northern court.')
    expect(order(question, [answer, person('The court is closed.')])).toEqual([0, 1])
  })

  test('stays where it is when it names what was asked for in passing', () => {
    const answer = page('The pump B2 feeds the fountain.')
    const aside = person(
      'The gardener cut all hedges, swept the yard, moved two benches near the fountain and left.',
    )
    expect(order('which pump feeds the fountain', [answer, aside])).toEqual([0, 1])
  })

  test('takes two places at most from an answer that only a page gives', () => {
    const said = [
      page('The pump B2 feeds the fountain in the court.'),
      ...['gravel', 'paint', 'a bench', 'a gate'].map((what) =>
        person(`The fountain in the court needs ${what}.`),
      ),
    ]
    expect(order(question, said).indexOf(0)).toBe(2)
  })
})

describe('what stands beside', () => {
  const page1 = page('The pump feeds it.', 'talk')

  test('lends nothing when nobody vouches for it', () => {
    const said = [page('About the fountain in the court:', 'talk'), page1]
    const [asked] = rank('which pump feeds the fountain', said, true).filter(({ seq }) => seq === 1)
    expect(asked?.signals).toMatchObject({ before: 0, after: 0, around: 0, answers: 0 })
    const byPerson = [person('About the fountain in the court:', 'talk'), page1]
    const [lent] = rank('which pump feeds the fountain', byPerson, true).filter(
      ({ seq }) => seq === 1,
    )
    expect(lent?.signals.before).toBeGreaterThan(0)
  })

  test('five pages of one session do not lift each other', () => {
    const sessionOf = (by: typeof person, isOne: boolean) => {
      const texts = [1, 2, 3, 4, 5].map((at) => `The pump ${at} is near the fountain.`)
      const said = texts.map((text, at) => by(text, isOne ? 'one' : `session ${at}`))
      return rank('which pump feeds the fountain', said)[0]?.signals.session
    }
    expect(sessionOf(page, true)).toBe(sessionOf(page, false))
    expect(sessionOf(person, true)).toBeGreaterThan(sessionOf(person, false) ?? 1)
  })

  test('a conversation gives a capped share', () => {
    const talk = Array.from({ length: 3 }, () => person('pump pump fountain fountain court court'))
    const [first] = rank('which pump feeds the fountain in the court', talk)
    expect(first?.signals.session).toBe(0.8)
  })
})

test('a web page gets no credit as first-hand, whatever its label says', () => {
  const wish = 'Always use the pump B2.'
  const signalsOf = (said: Said) => rank('which pump should we use', [said])[0]?.signals
  expect(signalsOf(page(wish))).toMatchObject({ firstHand: 0, standing: 0 })
  expect(signalsOf(person(wish))).toMatchObject({ firstHand: 1, standing: 1 })
})
