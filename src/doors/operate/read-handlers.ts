import { MunimentError } from '../../domain/errors.ts'
import { parseRef, splitRef } from '../../domain/ids.ts'
import type { ExplainOptions } from '../../engine/history/why.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { rendered } from '../../engine/read/render.ts'
import type { ReadBy } from '../../engine/read/served.ts'
import type { SearchOptions } from '../../engine/search/search-options.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { reads } from '../../operations/reads.ts'
import type { Stack } from '../../stack.ts'
import { audited } from './audit.ts'
import { type DoorContext, given, type Handlers, pastOf, readerOf } from './context.ts'
import { listed, withheldFrom } from './memory-list.ts'

export const readHandlers = {
  search: (context, { query, whyNot, ...asked }: InputOf<'search'>) => {
    const options = searching(context, asked)
    return whyNot === undefined
      ? context.stack.search(query, options)
      : context.stack.lookup.whyNot(query, whyNot, options)
  },
  recall: (context, { query, ...asked }: InputOf<'recall'>) =>
    context.stack.recall(query, searching(context, asked)),
  explain: (context, { query, ref, asOf, ...asked }: InputOf<'explain'>) =>
    context.stack.lookup.explain(query, ref, {
      ...given(asked),
      ...pastOf(asOf),
      ...readerOf(context),
    }),
  render: async (context, input: InputOf<'render'>) => {
    const { query, limit, tokenBudget, charsMax, ...asked } = input
    const { stack } = context
    const options = { ...given(asked), ...readerOf(context) }
    const what =
      query === undefined
        ? await stack.load({ ...options, tokenBudget })
        : await stack.recall(query, { ...options, limit })
    const { text } = rendered(what, { for: 'prompt', ...given({ charsMax }) })
    return { text }
  },
  load: ({ stack, caller, actor }, options: InputOf<'load'>) =>
    stack.load({ ...given(options), caller, actor }),
  list: async (context, input: InputOf<'list'>) => {
    const memories = await listed(context, input)
    await context.stack.lookup.noteServed('list', readerOf(context), memories)
    return memories
  },
  withheld: (context, input: InputOf<'withheld'>) => withheldFrom(context, input),
  show: (context, { ref, asOf, ...use }: InputOf<'show'>) =>
    memoryAt(context.stack, ref, { ...pastOf(asOf), ...given(use), ...readerOf(context) }),
  why: ({ stack, caller, actor }, { ref, asOf, ...use }: InputOf<'why'>) =>
    stack.history.why(ref, { ...pastOf(asOf), ...given(use), caller, actor }),
  trace: ({ stack, caller, actor }, { ref, asOf, ...use }: InputOf<'trace'>) =>
    stack.history.trace(ref, { ...pastOf(asOf), ...given(use), caller, actor }),
  impact: (context, { ref, ...use }: InputOf<'impact'>) =>
    context.stack.history.impact(ref, { ...given(use), ...readerOf(context) }),
  stats: ({ stack }) => stack.getStats(),
  overview: ({ stack }) => stack.health.overview(),
  audit: audited,
  dump: (context, options: InputOf<'dump'>) =>
    context.stack.dump({ ...options, ...readerOf(context) }),
} satisfies Handlers<keyof typeof reads>

const searching = (
  context: DoorContext,
  { asOf, ...asked }: Omit<InputOf<'recall'>, 'query'>,
): SearchOptions & ReadBy => ({ ...given(asked), ...pastOf(asOf), ...readerOf(context) })

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
