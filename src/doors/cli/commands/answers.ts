import { isKind, type Kind } from '../../../domain/kind-names.ts'
import type { Accepted } from '../../../domain/outcome.ts'
import type { OperationName } from '../../../operations/operations.ts'
import type { ResultOf } from '../../operate.ts'
import type { Answer } from '../spec/command.ts'
import { type Answers, type Asked, writtenAnswer } from './answer.ts'
import { changeAnswers } from './change-answers.ts'
import { claimAnswers } from './claim-answers.ts'
import { keepingAnswers } from './keeping-answers.ts'
import { ledgerAnswers } from './ledger-answers.ts'
import { lookingBackAnswers } from './looking-back-answers.ts'
import { readAnswers } from './read-answers.ts'
import { workingAnswers } from './working-answers.ts'

const ANSWERS = {
  ...readAnswers,
  ...lookingBackAnswers,
  ...ledgerAnswers,
  ...claimAnswers,
  ...changeAnswers,
  ...keepingAnswers,
  ...workingAnswers,
} satisfies Answers<Exclude<OperationName, Kind>>

export function answerOf<N extends OperationName>(
  name: N,
  result: ResultOf<N>,
  asked: Asked,
): Answer {
  if (isKind(name)) return writtenAnswer(result as Accepted, asked) // every write answers alike
  return ANSWERS[name as keyof typeof ANSWERS](result as never, asked) // name and result come from one table row
}
