import { plural } from '../../../operations/text/words.ts'
import type { Command } from '../spec/command.ts'
import { ok } from '../spec/command.ts'
import { progressOn } from './progress.ts'

/** Rows and indexes are folded from the ledger, so they can be folded again. */
export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Fold every row and index anew from the ledger; answers stay the same.',
  positionals: [],
  options: [],
  examples: ['muniment rebuild', 'muniment rebuild --stack work'],
  notes: ['A ledger that is damaged itself is not built upon. Afterwards: muniment vacuum'],
  takesInput: false,
  run: async (session) => {
    const { stackId } = session
    const rebuilt = await session.withStack('existing', (stack) =>
      stack.ledger.rebuild({ onProgress: progressOn(session, 'entries') }),
    )
    const { memories, entries } = rebuilt
    return ok({ stack: stackId, ...rebuilt }, ({ ink }) => [
      `${ink.good('Rebuilt')} “${stackId}”: ${plural(memories, 'memory', 'memories')} from ` +
        `${plural(entries, 'entry', 'entries')}.`,
    ])
  },
}
