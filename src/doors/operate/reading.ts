import { MunimentError } from '../../domain/errors.ts'
import { parseRef, splitRef } from '../../domain/ids.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { reads } from '../../protocol/reads.ts'
import type { Memory } from '../../stack/memory-view.ts'
import type { Stack } from '../../stack/stack.ts'
import { given, type Handlers } from './context.ts'
import { listed } from './listing.ts'

export const reading = {
  search: ({ stack }, { query, ...options }: InputOf<'search'>) =>
    stack.search(query, given(options)),
  load: ({ stack }, options: InputOf<'load'>) => stack.load(given(options)),
  list: ({ stack }, input: InputOf<'list'>) => listed(stack, input),
  show: ({ stack }, { ref }: InputOf<'show'>) => memoryAt(stack, ref),
  why: ({ stack }, { ref }: InputOf<'why'>) => stack.why(ref),
  trace: ({ stack }, { ref }: InputOf<'trace'>) => stack.trace(ref),
  impact: ({ stack }, { ref }: InputOf<'impact'>) => stack.impact(ref),
  stats: ({ stack }) => stack.getStats(),
  audit: ({ stack }) => stack.audit(),
  dump: ({ stack }, options: InputOf<'dump'>) => stack.dump(options),
} satisfies Handlers<keyof typeof reads>

export async function memoryAt(stack: Stack, ref: string): Promise<Memory> {
  const { kind, id } = splitRef(parseRef(ref))
  const memory = await stack.getMemory(kind, id)
  if (memory) return memory
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`, { facts: { ref } })
}
