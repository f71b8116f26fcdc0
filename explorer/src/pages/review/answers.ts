import type { ReviewAnswer } from '../../../../src/engine/review/proposals.ts'
import type { Waiting } from '../../../../src/operations/review.ts'

type Kind = Waiting['kind']

interface ReviewWords {
  readonly title: string
  /** Why somebody is asked at all. */
  readonly question: string
}

export const KINDS: Readonly<Record<Kind, ReviewWords>> = {
  suggestion: { title: 'Suggestion', question: 'Should this become a memory?' },
  quarantine: {
    title: 'Quarantine',
    question:
      'It was set aside, and nobody believes it. Should it be kept out for good, or let in?',
  },
  contest: { title: 'Contest', question: 'Others say otherwise. Is this right?' },
  proposal: {
    title: 'Proposal',
    question: 'A model proposes a change that only a person may make.',
  },
  contradiction: { title: 'Contradiction', question: 'Both cannot be true. Which one is?' },
  flagged: {
    title: 'Lost a source',
    question: 'Something that it rests on is gone. Does it still stand?',
  },
  ungrounded: {
    title: 'Ungrounded',
    question: 'Everything that it rested on is gone. Does it still stand?',
  },
}

const WORDS: Readonly<Record<ReviewAnswer, string>> = {
  accept: 'Accept',
  dismiss: 'Dismiss',
  reject: 'Reject, and keep it out',
  keep: 'It stands',
  forget: 'Forget it',
  affirm: 'It is right',
  deny: 'It is wrong',
  unknown: 'Nobody knows',
}

const SPECIAL: Readonly<Partial<Record<Kind, Readonly<Partial<Record<ReviewAnswer, string>>>>>> = {
  contradiction: {
    accept: 'This one is right',
    dismiss: 'The other is right',
    keep: 'Both may stand',
  },
  quarantine: { accept: 'Let it in' },
  proposal: { accept: 'Do it', dismiss: 'Leave it' },
}

/** What an answer is called where it is given. */
export const answerWords = (kind: Kind, answer: ReviewAnswer): string =>
  SPECIAL[kind]?.[answer] ?? WORDS[answer]
