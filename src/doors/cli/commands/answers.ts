import { isKind, type Kind } from '../../../domain/ids.ts'
import type { Accepted } from '../../../domain/write.ts'
import type { OperationName } from '../../../operations/operations.ts'
import type { ResultOf } from '../../operate.ts'
import type { Answer } from '../spec/command.ts'
import { type AnswerContext, type Answers, writtenAnswer } from './answer.ts'
import { changeAnswers } from './change-answers.ts'
import { claimAnswers } from './claim-answers.ts'
import { historyAnswers } from './history-answers.ts'
import { ledgerAnswers } from './ledger-answers.ts'
import { readAnswers } from './read-answers.ts'
import { upkeepAnswers } from './upkeep-answers.ts'
import { workAnswers } from './work-answers.ts'

const ANSWERS = {
  ...readAnswers,
  ...historyAnswers,
  ...ledgerAnswers,
  ...claimAnswers,
  ...changeAnswers,
  ...upkeepAnswers,
  ...workAnswers,
} satisfies Answers<Exclude<OperationName, Kind>>

export function answerOf<N extends OperationName>(
  name: N,
  result: ResultOf<N>,
  asked: AnswerContext,
): Answer {
  if (isKind(name)) return writtenAnswer(result as Accepted, asked) // every write answers alike
  return ANSWERS[name as keyof typeof ANSWERS](result as never, asked) // name and result come from one table row
}
