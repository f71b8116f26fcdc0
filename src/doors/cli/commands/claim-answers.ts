import type { claims } from '../../../operations/claims.ts'
import { answerPage, linePage, linesPage, subjectPage } from '../render/claims.ts'
import { type Answers, ok } from './answer.ts'
import { answered } from './change-answers.ts'

export const claimAnswers: Answers<keyof typeof claims> = {
  ask: (answer) => ok(answer, (page) => answerPage(answer, page)),
  subject: (answers) => ok(answers, (page) => subjectPage(answers, page)),
  lines: (found) => ok(found, (page) => linesPage(found, page)),
  line: (steps) => ok(steps, (page) => linePage(steps, page)),
  end: answered('end'),
  retract: answered('retract'),
  reopen: answered('reopen'),
  recast: answered('recast'),
  adjudicate: answered('adjudicate'),
}
