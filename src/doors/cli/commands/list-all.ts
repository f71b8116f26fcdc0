import { KINDS } from '../../../domain/kind-names.ts'
import type { Stack } from '../../../stack/stack.ts'
import { usageError } from '../failure.ts'
import type { Answer } from '../spec/command.ts'
import { listAnswer } from './reading.ts'

const LIMIT = 20 // what fits a screen; a kind by itself can be paged through

/** The newest of every kind, for someone who only wants to see what is there. */
export async function listAll(
  stack: Stack,
  { limit = LIMIT, after }: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  if (after !== undefined) {
    throw usageError('--after needs a kind to continue in.', 'muniment list note --after <id>')
  }
  const most = Number(limit)
  const lists = await Promise.all(KINDS.map((kind) => stack.list(kind, { limit: most })))
  const newest = lists
    .flat()
    .sort((a, b) => b.entry.seq - a.entry.seq)
    .slice(0, most)
  return listAnswer(newest, { kind: null, limit: most })
}
