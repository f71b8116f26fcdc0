import { randomUUID } from 'node:crypto'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'

const TOOLSETS = ['default', 'full'] as const

/** Serves the stack to one MCP client, which starts this program and talks to it on stdin. */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve the stack to an MCP client over stdin and stdout.',
  positionals: [],
  options: [
    {
      field: 'toolset',
      flag: 'toolset',
      aliases: [],
      reading: { type: 'choice', of: TOOLSETS },
      many: false,
      group: 'body',
      help: 'Which tools the client is shown. Default default.',
    },
  ],
  examples: ['muniment mcp --stack work', 'claude mcp add muniment -- muniment mcp'],
  notes: [
    'A client starts it: muniment setup claude-code registers it there.',
    'What comes through here is a model’s word (muniment help labels).',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (session.isJson) throw usageError('mcp speaks its own protocol.', 'Leave out --json.')
    const { serveMcp } = await import('../../mcp/serve.ts')
    await session.withStack('made', (stack) =>
      serveMcp({
        stack,
        version: session.host.version(),
        session: session.sessionId ?? randomUUID(),
        model: session.modelGiven,
        toolset: input.toolset === 'full' ? 'full' : 'default',
        log: (line) => session.host.stderr.write(`muniment: ${line}\n`),
      }),
    )
    return { json: null, text: () => [], exit: EXIT.ok }
  },
}
