import { parseRef, splitRef } from '../../domain/ids.ts'
import type { BeliefVersion } from '../../engine/history/belief-history.ts'
import type { RelationshipEvent } from '../../engine/history/relationship-history.ts'
import type { NumberChange } from '../../engine/read/memory-view.ts'
import type { lookingBack as rows } from '../../operations/looking-back.ts'
import type { InputOf } from '../../operations/operations.ts'
import { type DoorContext, type Handlers, momentOf, readerOf } from './context.ts'
import { memoryAt } from './read-handlers.ts'

/** All changed numbers, and the later fate of beliefs and relationships. */
export interface History {
  readonly ref: string
  readonly confidence: readonly NumberChange[]
  readonly strength: readonly NumberChange[]
  readonly versions: readonly BeliefVersion[]
  readonly events: readonly RelationshipEvent[]
}

async function historyOf(context: DoorContext, given: string): Promise<History> {
  const { stack } = context
  const reader = readerOf(context)
  const { ref, confidenceHistory } = await memoryAt(stack, given, reader)
  const { kind, id } = splitRef(parseRef(ref))
  const versions = kind === 'belief' ? await stack.history.belief(ref, reader) : []
  return {
    ref,
    confidence: confidenceHistory,
    strength: await stack.history.strength(ref, reader),
    versions,
    events: kind === 'relationship' ? await stack.history.relationship(id, reader) : [],
  }
}

const NOW = Number.MAX_SAFE_INTEGER // beyond any last entry

export const historyHandlers = {
  history: (context, { ref }: InputOf<'history'>) => historyOf(context, ref),
  diff: (context, { from, to }: InputOf<'diff'>) => {
    const until = to === undefined ? NOW : momentOf(to)
    return context.stack.history.diff(momentOf(from), until, readerOf(context))
  },
  uncertain: (context, options: InputOf<'uncertain'>) =>
    context.stack.history.uncertain({ ...options, ...readerOf(context) }),
  contradictions: (context, { statement, limit }: InputOf<'contradictions'>) =>
    context.stack.claims.contradictions(statement, { limit, ...readerOf(context) }),
  ungrounded: (context) => context.stack.history.ungrounded(readerOf(context)),
  checkpoint: ({ stack }) => stack.ledger.checkpoint(),
  prove: (context, { ref, withhold }: InputOf<'prove'>) =>
    context.stack.ledger.prove(ref, { withhold, ...readerOf(context) }),
} satisfies Handlers<keyof typeof rows>
