import { MunimentError } from '../../../domain/errors.ts'
import { HOOKS, type HookEvent, readEvent } from '../../hook/event.ts'
import { recordToolCall } from '../../hook/session-record.ts'
import { captureOf } from '../../hook/tools.ts'
import { assertPersonal } from '../../projects/personal-stack.ts'
import { agentSignIn } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import { oneLine } from '../render/words.ts'
import type { Session } from '../session.ts'
import type { Answer, Command } from '../spec/command.ts'

/** What a client calls at points of its session, with JSON on stdin. */
export const hook: Command = {
  name: 'hook',
  summary: 'Capture what a client’s hook reports: a prompt, a call, a tool’s result, a compaction.',
  positionals: [
    { field: 'event', reading: { type: 'choice', of: HOOKS }, required: true, help: 'Which hook.' },
  ],
  options: [],
  examples: ['muniment hook prompt < event.json'],
  notes: [
    'Called by the client; muniment setup claude-code --hooks registers it there.',
    'It never stops the client: whatever happens, it ends with 0 and says so on stderr.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    try {
      return answerOf(await run(session, input.event))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      session.host.stderr.write(`muniment hook: ${oneLine(message)}\n`)
      return answerOf(null)
    }
  },
}

const answerOf = (output: object | null): Answer => ({
  json: output ?? {},
  text: () => (output === null ? [] : [JSON.stringify(output)]),
  exit: EXIT.ok,
})

async function run(session: Session, given: unknown): Promise<object | null> {
  const { host } = session
  const event = HOOKS.find((name) => name === given)
  if (event === undefined)
    throw new MunimentError('invalid_input', `Say which: ${HOOKS.join(', ')}.`)
  assertClient(session)
  // Not our own strict parser: a number too long for us in some tool's answer is no reason to lose it.
  const read = readEvent(JSON.parse(new TextDecoder().decode(await host.stdin.read())))
  const told = session.sessionId === null ? read : { ...read, session: session.sessionId }
  assertPersonal(session.stackId, false) // a client calls, whoever’s words it reports
  const { home, redact } = session
  if (event === 'tool') {
    if (told.session !== null) await recordToolCall({ home, session: told.session }, told)
    if (!captureOf(told, { redact })) return null // before the engine is loaded for nothing
  }
  if (event === 'call') return announce(session, told)
  const { runHook, writes } = await import('../../hook/run-hook.ts')
  const isRead = event === 'start' && session.readsPersonal
  if (!writes(event) && !isRead && !(await host.stacks.exists(session.stackId, session)))
    return null
  const trace = await session.trace()
  const port = session.values['serve.port']
  const reported = { ...told, redact, trace, home, port }
  return session.withStack('made', (stack) =>
    event === 'start'
      ? session.withPersonal((personal) => runHook(event, stack, { ...reported, personal }))
      : runHook(event, stack, reported),
  )
}

/** Tells the server of this client in which session and turn the call comes; opens no stack. */
async function announce(session: Session, { callId, ...told }: HookEvent): Promise<null> {
  if (callId === null || told.session === null) return null
  const { announceCall } = await import('../../hook/announced-call.ts')
  await announceCall(session, callId, { session: told.session, turn: told.turn })
  return null
}

/** A client names its project to the hooks it calls, and not to the shells that its model gets. */
function assertClient({ host: { env, stdin } }: Session): void {
  if (stdin.isTerminal) {
    throw new MunimentError('invalid_input', 'A client calls this, with JSON on stdin.')
  }
  const sign = agentSignIn(env)
  if (sign === undefined || (env.CLAUDE_PROJECT_DIR ?? '') !== '') return
  throw new MunimentError(
    'scope',
    `${sign.variable} is set: this is an agent’s shell, not its client. Nothing is captured.`,
  )
}
