import type { UnchangedReason } from '../../domain/change.ts'
import { VERDICTS } from '../../domain/claims.ts'
import type { Ref } from '../../domain/ids.ts'
import type { ReviewKind } from '../../domain/state.ts'

export const REVIEW_ANSWERS = [
  'accept',
  'dismiss',
  'reject',
  'keep',
  'forget',
  ...VERDICTS,
] as const
export type ReviewAnswer = (typeof REVIEW_ANSWERS)[number]

/** The result of a part of an answer. */
export interface Answered {
  readonly taken: boolean
  /** The memory from a suggestion, or the replacing belief. */
  readonly became: Ref | null
  /** The reason why the requested change failed. */
  readonly reason?: UnchangedReason
}

export interface AnswerTaken {
  readonly ref: Ref
  readonly waits: ReviewKind
  readonly answer: ReviewAnswer
  /** The proposed change, where the item is a proposal. */
  readonly proposed: string | null
  readonly became: Ref | null
}

/** Describes the effect of an answer in a sentence with the memory's ref. */
export function answerWords(taken: AnswerTaken): string {
  const { waits, answer, ref, became } = taken
  switch (waits) {
    case 'suggestion':
      if (answer === 'dismiss') return `Dismissed ${ref}: nothing was saved.`
      return became === null ? `Accepted ${ref}.` : `Saved ${became}, as ${ref} suggested.`
    case 'quarantine':
      return answer === 'accept'
        ? `Let in ${ref}: it is decided like any other memory.`
        : `Kept ${ref} out: the same words stay out from now on.`
    case 'contest':
      return verdictWords(answer, ref)
    case 'proposal':
      return answer === 'accept' ? grantedWords(taken) : refusedWords(taken)
    case 'contradiction':
      if (answer === 'keep') return `Kept ${ref} and what contradicts it: both may stand.`
      return answer === 'accept'
        ? `Kept ${ref}, and gave up what contradicts it.`
        : `Gave up ${ref}: what was known before stands.`
    case 'flagged':
      return answer === 'forget' ? `Forgot ${ref}.` : `Kept ${ref} as it is.`
  }
}

function verdictWords(answer: ReviewAnswer, ref: Ref): string {
  if (answer === 'affirm') return `Affirmed ${ref}: claims that disagree give way.`
  return answer === 'deny'
    ? `Denied ${ref}: the claim answers nothing any more.`
    : `Left ${ref} contested: nobody knows.`
}

/** Past tense of each change open to proposals. */
const GRANTED: Readonly<Record<string, string>> = {
  forget: 'Forgot',
  recover: 'Recovered',
  protect: 'Took the protection away from',
  weaken: 'Weakened',
  describe: 'Changed the tags or the confidence of',
  deactivate: 'Gave up',
  retract: 'Took back',
  reopen: 'Reopened',
  end: 'Ended',
  adjudicate: 'Decided',
  process: 'Marked as processed',
  erase: 'Erased for good',
  distrust: 'Stopped believing',
  overrule: 'Unlinked',
}

function grantedWords({ proposed, ref, became }: AnswerTaken): string {
  if (proposed === 'supersede') return `Replaced ${ref} with ${became ?? 'the new words'}.`
  return `${GRANTED[proposed ?? ''] ?? 'Accepted the proposal about'} ${ref}.`
}

const refusedWords = ({ proposed, ref }: AnswerTaken): string =>
  `Left ${ref} as it is: the proposal${proposed === null ? '' : ` to ${proposed} it`} was dismissed.`
