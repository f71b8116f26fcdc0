import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import path from 'node:path'
import { USES } from '../../../domain/doors.ts'
import { TOOLSETS } from '../../../operations/settings.ts'
import type { Stack } from '../../../stack.ts'
import { logTo } from '../../log.ts'
import { assertPersonal } from '../../projects/personal-stack.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'

/** Serves the stack to a single MCP client, which starts this program and speaks over stdin. */
export const mcp: Command = {
  name: 'mcp',
  group: 'hidden',
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
      help: 'Which tools the client is shown: default, full, or server-memory’s nine. Default default.',
    },
    {
      field: 'for',
      flag: 'for',
      aliases: [],
      reading: { type: 'choice', of: USES },
      many: false,
      group: 'body',
      help: 'What the client reads for, at least: act takes only what a person stands behind. Default plan.',
    },
  ],
  examples: [
    'muniment mcp --stack work',
    'claude mcp add muniment -- muniment mcp',
    'MEMORY_FILE_PATH=~/memory.jsonl muniment mcp --toolset server-memory',
  ],
  notes: [
    'A client starts it: muniment setup claude-code registers it there.',
    'What comes through here is a model’s word (muniment help labels).',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (session.isJson) throw usageError('mcp speaks its own protocol.', 'Leave out --json.')
    const { serveMcp } = await import('../../mcp/serve.ts')
    const trace = await session.trace()
    assertPersonal(session.stackId, false) // a model calls here, even with a token
    const toolset = toolsetOf(input.toolset ?? session.values['mcp.toolset'])
    const use = USES.find((each) => each === input.for) ?? 'plan'
    if (toolset === 'server-memory' && use === 'act') {
      throw usageError(
        'The tools of server-memory show a model’s own words, and act takes none of a model.',
        'Leave out --for act, or serve the usual tools.',
      )
    }
    const served = (stack: Stack, personal: Stack | null): Promise<void> =>
      serveMcp({
        stack,
        personal,
        home: session.home,
        version: session.host.version(),
        session: session.sessionId ?? randomUUID(),
        model: session.modelGiven,
        toolset,
        use,
        memoryFile:
          toolset === 'server-memory' ? memoryFileOf(process.env.MEMORY_FILE_PATH) : undefined,
        redact: session.redact,
        ...(trace ? { trace } : {}),
        log: logTo(session.host.stderr.write, session.values.log),
      })
    await session.withStack(
      'made',
      (stack) => session.withPersonal((personal) => served(stack, personal)),
      { isServed: true },
    )
    return { json: null, text: () => [], exit: EXIT.ok }
  },
}

const toolsetOf = (given: unknown): (typeof TOOLSETS)[number] =>
  TOOLSETS.find((each) => each === given) ?? 'default'

/** A settings file of a client has no shell, so nothing else expands the tilde. */
const memoryFileOf = (given: string | undefined): string | undefined =>
  given === undefined || given === ''
    ? undefined
    : path.resolve(given.replace(/^~(?=$|\/)/, () => homedir()))
