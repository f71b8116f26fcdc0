import { labelNamed } from '../../../domain/labels.ts'
import type { Accepted } from '../../../domain/write.ts'
import type { OperationName } from '../../../operations/operations.ts'
import type { ResultOf } from '../../operate.ts'
import type { Who } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import type { WaitingCount } from '../render/review.ts'
import { writtenPage } from '../render/written.ts'
import type { Answer } from '../spec/command.ts'

export interface AnswerContext {
  readonly input: Readonly<Record<string, unknown>>
  readonly who: Who
  /** Length of the review queue, when a page of the queue was asked for and is full. */
  readonly waiting?: WaitingCount
}

/** Renders each answer for a person; a program gets the answer itself. */
export type Answers<N extends OperationName> = {
  readonly [K in N]: (result: ResultOf<K>, asked: AnswerContext) => Answer
}

export const ok = (json: unknown, text: Answer['text']): Answer => ({ json, text, exit: EXIT.ok })

export const writtenAnswer = (result: Accepted, { who }: AnswerContext): Answer =>
  ok({ ...result, ...labelled(who) }, (page) => writtenPage(result, who, page))

/** Every write reports its label and the reason for the label. */
export const labelled = ({ label, because }: Who) => ({
  label: labelNamed(label),
  labelBecause: because,
})
