import { ScopeError } from '../../../domain/errors.ts'
import { plural } from '../../../operations/text/words.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'
import { ok } from '../spec/command.ts'
import { progressOn } from './progress.ts'

const HOME = 'home'

/** Commits a whole ledger without the gate, so a person must ask, as for `restore`. */
export const move: Command = {
  name: 'move',
  summary: 'Copy the stack to another store, ledger and all, and compare the heads.',
  positionals: [],
  options: [
    {
      field: 'to',
      flag: 'to',
      aliases: [],
      reading: { type: 'text' },
      many: false,
      group: 'body',
      help: 'postgres://… for a database, “home” for a file in the home folder.',
    },
  ],
  examples: [
    'muniment move --stack work --to postgres://muniment@db/memories',
    'muniment move --stack work --store postgres://muniment@db/memories --to home',
  ],
  notes: [
    'Only a person can, and only to where there is no stack of that name. It is audited before it is kept.',
    'What is moved stays where it was: write to one of them only, and remove the other yourself.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { host, stackId, home, store } = session
    if (typeof input.to !== 'string' || input.to === '') {
      throw usageError('Where to?', 'muniment move --to postgres://…, or: --to home')
    }
    const { person, because } = await session.who()
    if (!person) {
      throw new ScopeError(
        `Moving is for a person to do, and this call is a program’s: ${because}.`,
      )
    }
    await session.assertMayOpen()
    if (!(await session.hasStack())) throw await session.noStack()
    const to = { home, store: input.to === HOME ? null : input.to }
    const moved = await host.stacks.move(stackId, {
      ...{ home, store, to },
      onProgress: progressOn(session, 'looks at entries'),
    })
    const { head, entries, memories } = moved
    return ok({ stack: stackId, ...moved }, ({ ink }) => [
      `${ink.good('Copied')} “${stackId}”: ${plural(memories, 'memory', 'memories')}, ${plural(entries, 'entry', 'entries')}.`,
      `Both heads are entry ${head.seq}, ${head.hash.slice(0, 16)}…`,
      'The old one is still there: write to the new one only.',
    ])
  },
}
