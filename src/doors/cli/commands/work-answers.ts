import type { working } from '../../../operations/working.ts'
import { anxietyPage, componentsPage, concludedPage, processedPage } from '../render/work.ts'
import { type Answers, ok, writtenAnswer } from './answer.ts'

export const workAnswers: Answers<keyof typeof working> = {
  process: (report) => ok(report, (page) => processedPage(report, page)),
  anxiety: ({ anxiety }) => ok({ anxiety }, (page) => anxietyPage(anxiety, page)),
  components: (answer) => ok(answer, (page) => componentsPage(answer, page)),
  begin: (result, asked) => writtenAnswer(result, asked),
  conclude: (ended) => ok(ended, (page) => concludedPage(ended, page)),
  use: (playbook) =>
    ok(playbook, () => [
      `${playbook.body.masteryLevel}: used ${playbook.body.timesUsed} times, ${Math.round(playbook.body.successRate * 100)} % went well`,
    ]),
}
