import { plural } from '../../../operations/text/words.ts'
import { EXIT } from '../exit-codes.ts'
import type { Command } from '../spec/command.ts'

/** Deleted rows leave gaps in the file, and a rebuild leaves many. */
export const vacuum: Command = {
  name: 'vacuum',
  summary: 'Give back the room in the file that nothing uses any more.',
  positionals: [],
  options: [],
  examples: ['muniment vacuum', 'muniment vacuum --stack work'],
  notes: ['Needs as much room again while it works. Others can read meanwhile; writers wait.'],
  takesInput: false,
  run: async (session) => {
    const { stacks } = session.host
    const { stackId } = session
    await session.assertMayOpen()
    if (!(await stacks.exists(stackId, session))) throw await session.noStack()
    const { before, after } = await stacks.vacuum(stackId, session)
    return {
      json: { stack: stackId, before, after },
      text: ({ ink }) => [
        `${ink.good('Vacuumed')} “${stackId}”: ${plural(after, 'byte')} now, ${before - after} given back.`,
      ],
      exit: EXIT.ok,
    }
  },
}
