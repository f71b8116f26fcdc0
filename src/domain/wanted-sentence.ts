import { type Mood, moodsOf } from './moods.ts'
import { areOpposite } from './opposites.ts'
import { isPerson, startsWithPerson } from './person-subject.ts'
import {
  isSameWord,
  relatedTerm,
  type SentenceWord,
  sentenceWords,
  tokensOf,
} from './sentence-words.ts'
import { sentencesOf } from './sentences.ts'

/** A memory to look for among the sentences of a person. */
export type Written =
  | { readonly type: 'statement'; readonly text: string }
  | {
      readonly type: 'claim'
      readonly subject: string
      readonly predicate: string
      readonly value: string
    }

/** A sentence of a memory, prepared for comparison. */
export interface Wanted {
  readonly statement: string
  readonly words: readonly SentenceWord[]
  /** Terms that a stating sentence must hold: names, numbers, the subject, the value of a claim. */
  readonly required: readonly string[]
  readonly predicate: readonly string[]
  readonly claim: Extract<Written, { type: 'claim' }> | null
  readonly isAboutPerson: boolean
  /** Every word of the memory, folded. */
  readonly named: ReadonlySet<string>
  readonly moods: ReadonlySet<Mood>
}

export function wantedFrom(written: Written): readonly Wanted[] {
  if (written.type === 'claim') return [claimWanted(written)]
  return sentencesOf(written.text)
    .map(({ text }) => statementWanted(text))
    .filter(({ words }) => words.length > 0)
}

function statementWanted(statement: string): Wanted {
  const words = sentenceWords(statement)
  const isAboutPerson = startsWithPerson(statement)
  const subject = isAboutPerson ? [] : words.slice(0, 1)
  // "30 minutes" is not stated by "30 hours".
  const units = words.filter((_, at) => /^\d/.test(words[at - 1]?.term ?? ''))
  const exact = words.filter(({ isExact }) => isExact)
  const required = [...exact, ...subject, ...units].map(({ term }) => term)
  return {
    statement,
    words,
    required,
    predicate: [],
    claim: null,
    isAboutPerson,
    named: new Set(tokensOf(statement)),
    moods: moodsOf(statement),
  }
}

function claimWanted(claim: Extract<Written, { type: 'claim' }>): Wanted {
  const { subject, predicate, value } = claim
  const isAboutPerson = isPerson(subject)
  const words = [...(isAboutPerson ? [] : sentenceWords(subject)), ...sentenceWords(value)]
  const statement = [subject, predicate, value].join(' ')
  return {
    statement,
    words,
    required: words.map(({ term }) => term),
    predicate: sentenceWords(predicate.replace(/[_-]+/g, ' ')).map(({ term }) => relatedTerm(term)),
    claim,
    isAboutPerson,
    named: new Set(tokensOf(statement)),
    moods: moodsOf(statement),
  }
}

/** Words of the memory, with the predicate of a claim. */
export const knownIn =
  ({ words, predicate }: Wanted) =>
  (said: SentenceWord): boolean =>
    words.some((word) => isSaid(word, said)) || predicate.includes(relatedTerm(said.term))

/** True for an equal word, or the opposite word denied: "does not like" says "dislikes". */
export const isSaid = (word: SentenceWord, said: SentenceWord): boolean =>
  isSameWord(word, said) ||
  (word.isAffirmed !== said.isAffirmed && areOpposite(word.term, said.term))
