import type { changes } from '../../../operations/changes.ts'
import type { Changed } from '../../operate/change-handlers.ts'
import { EXIT } from '../exit-codes.ts'
import { type ChangeName, changedPage } from '../render/changed.ts'
import { shortRef } from '../render/words.ts'
import type { Answer } from '../spec/command.ts'
import { type AnswerContext, type Answers, labelled, writtenAnswer } from './answer.ts'

export const answered =
  (name: ChangeName) =>
  (changed: Changed, { who }: AnswerContext): Answer => ({
    json: { ...changed, ...labelled(who) },
    text: (page) => changedPage(changed, { name, who }, page),
    exit: changed.reason === 'proposed' ? EXIT.review : EXIT.ok,
  })

export const changeAnswers: Answers<keyof typeof changes> = {
  forget: answered('forget'),
  recover: answered('recover'),
  protect: answered('protect'),
  weaken: answered('weaken'),
  unlink: answered('unlink'),
  access: answered('access'),
  describe: answered('describe'),
  verify: answered('verify'),
  reinforce: answered('reinforce'),
  update_goal: writtenAnswer,
  supersede: (result, asked) => {
    if ('changed' in result) return answered('supersede')(result, asked)
    const answer = writtenAnswer(result, asked)
    const old = shortRef(String(asked.input.ref))
    const line = `  takes the place of ${old}, which stays in its history`
    return { ...answer, text: (page) => answer.text(page).toSpliced(1, 0, line) }
  },
}
