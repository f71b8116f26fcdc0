import { redacted } from '../../domain/words/secrets.ts'
import type { READ_TOOLS } from '../../operations/tools.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { resolveOne } from './refs.ts'

type Input = (typeof READ_TOOLS)['forget']['input']['_zod']['output']

/**
 * Forgets a memory of the model's own. A person's or a tool's memory becomes a proposal in review.
 */
export async function forget(
  { stack, caller, actor, redact = redacted }: ToolContext,
  { memory_id, reason }: Input,
): Promise<ToolAnswer> {
  const ref = await resolveOne(stack, 'memory_id', memory_id)
  const said = reason === undefined ? {} : { reason: redact(reason) }
  const result = await stack.changes.change(ref, { type: 'forget' }, 'forget', {
    caller,
    actor,
    ...said,
  })
  const proposed = result.reason === 'proposed'
  const structured = {
    ref,
    forgotten: result.changed,
    proposed,
    reason: result.changed ? 'forgotten' : (result.reason ?? 'unchanged'),
  }
  return { structured, text: sentenceOf(structured) }
}

function sentenceOf({
  ref,
  forgotten,
  proposed,
  reason,
}: {
  readonly ref: string
  readonly forgotten: boolean
  readonly proposed: boolean
  readonly reason: string
}): string {
  if (forgotten) return `Forgot ${ref}. A person can bring it back: muniment recover ${ref}.`
  if (proposed) {
    return `${ref} was not written by a model, so nothing has changed. A person decides: muniment review ${ref}. Tell the user.`
  }
  return `${ref}: nothing has changed (${reason}).`
}
