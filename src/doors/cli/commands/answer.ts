import { labelNamed } from '../../../domain/labels.ts'
import type { Operation, TextContext } from '../../../operations/operation.ts'
import { EXIT } from '../exit-codes.ts'
import type { Answer } from '../spec/command.ts'

/** The answer of an operation for a person; a program gets the answer itself. */
export const answerOf = (
  operation: Operation,
  result: unknown,
  asked: Omit<TextContext, 'page'>,
): Answer => ({
  json: jsonOf(operation, result, asked),
  text: (page) => operation.text(result, { ...asked, page }),
  exit: EXIT[operation.outcome?.(result) ?? 'ok'],
})

/** Every write reports its label and the reason for the label. */
function jsonOf(
  { json, isSaid }: Operation,
  result: unknown,
  { input, who: { label, because } }: Omit<TextContext, 'page'>,
): unknown {
  if (isSaid) return { ...Object(result), label: labelNamed(label), labelBecause: because }
  return json === undefined ? result : json(result, input)
}
