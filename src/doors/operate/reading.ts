import { MunimentError } from '../../domain/errors.ts'
import { parseRef, splitRef } from '../../domain/ids.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { reads } from '../../protocol/reads.ts'
import type { ExplainOptions } from '../../stack/explain.ts'
import type { Memory } from '../../stack/memory-view.ts'
import type { Stack } from '../../stack/stack.ts'
import { given, type Handlers, pastOf, readerOf } from './context.ts'
import { listed } from './listing.ts'

export const reading = {
  search: ({ stack, caller, actor }, { query, ...options }: InputOf<'search'>) =>
    stack.search(query, { ...given(options), caller, actor }),
  load: ({ stack, caller, actor }, options: InputOf<'load'>) =>
    stack.load({ ...given(options), caller, actor }),
  list: async (context, input: InputOf<'list'>) => {
    const memories = await listed(context.stack, input)
    await context.stack.noteServed('list', readerOf(context), memories)
    return memories
  },
  show: (context, { ref, asOf }: InputOf<'show'>) =>
    memoryAt(context.stack, ref, { ...pastOf(asOf), ...readerOf(context) }),
  why: ({ stack, caller, actor }, { ref, asOf }: InputOf<'why'>) =>
    stack.why(ref, { ...pastOf(asOf), caller, actor }),
  trace: ({ stack, caller, actor }, { ref, asOf }: InputOf<'trace'>) =>
    stack.trace(ref, { ...pastOf(asOf), caller, actor }),
  impact: (context, { ref }: InputOf<'impact'>) => context.stack.impact(ref, readerOf(context)),
  stats: ({ stack }) => stack.getStats(),
  audit: ({ stack }, { against, since }: InputOf<'audit'>) =>
    against === undefined
      ? stack.audit(since === undefined ? {} : { since })
      : stack.auditAgainst(`${against.trimEnd()}\n`),
  dump: ({ stack }, options: InputOf<'dump'>) => stack.dump(options),
} satisfies Handlers<keyof typeof reads>

export async function memoryAt(
  stack: Stack,
  ref: string,
  options: ExplainOptions = {},
): Promise<Memory> {
  const { kind, id } = splitRef(parseRef(ref))
  const memory = await stack.getMemory(kind, id, options)
  if (memory) return memory
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`, { facts: { ref } })
}
