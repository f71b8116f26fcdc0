import { MunimentError } from '../../../domain/errors.ts'
import { oneLine } from '../../../operations/text/words.ts'
import { readCaptureSettings, type TrustedTool } from '../../hook/capture-settings.ts'
import { HOOKS, type HookEvent, readEvent } from '../../hook/event.ts'
import {
  beginSessionRecord,
  type RecordPlace,
  readSessionRecord,
  recordToolCall,
} from '../../hook/session-record.ts'
import { captureOf } from '../../hook/tools.ts'
import { assertPersonal } from '../../projects/personal-stack.ts'
import { agentSignIn } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import type { Env } from '../host.ts'
import type { Session } from '../session.ts'
import type { Answer, Command } from '../spec/command.ts'

/** Called by a client at points of its session, with JSON on stdin. */
export const hook: Command = {
  name: 'hook',
  group: 'hidden',
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
  // Uses JSON.parse, not the strict parser: an oversized number in some tool's answer is no reason
  // to lose the event.
  const read = readEvent(JSON.parse(new TextDecoder().decode(await host.stdin.read())))
  const told = session.sessionId === null ? read : { ...read, session: session.sessionId }
  assertPersonal(session.stackId, false) // the caller is a client, even when reporting a person’s words
  const { home, redact } = session
  const { isPaused, trusted } = await readCaptureSettings(home)
  if (isPaused && event !== 'start' && event !== 'call') return null
  if (told.session !== null && trusted.length > 0 && (event === 'start' || event === 'prompt')) {
    await beginRecord({ home, session: told.session }, trusted)
  }
  if (event === 'tool') {
    if (told.session !== null) await recordToolCall({ home, session: told.session }, told)
    if (!captureOf(told, { redact })) return null // skips loading the engine for nothing
  }
  if (event === 'call') return announce(session, told)
  const { runHook, writes } = await import('../../hook/run-hook.ts')
  const isRead = event === 'start' && session.readsPersonal
  if (!writes(event) && !isRead && !(await host.stacks.exists(session.stackId, session)))
    return null
  const trace = await session.trace()
  const port = session.values['serve.port']
  const isUnattended = isUnattendedIn(host.env) || told.isSubagents
  const vouching = isUnattended ? [] : trusted
  const reported = { ...told, redact, trace, home, port, trusted: vouching, isUnattended }
  return session.withStack('made', (stack) =>
    event === 'start'
      ? session.withPersonal((personal) => runHook(event, stack, { ...reported, personal }))
      : runHook(event, stack, reported),
  )
}

/** Records the commits of trusted folders before the model of a session can write there. */
async function beginRecord(place: RecordPlace, trusted: readonly TrustedTool[]): Promise<void> {
  if ((await readSessionRecord(place)) !== null) return
  const { commitsOf } = await import('../../hook/vouched-file.ts')
  await beginSessionRecord(place, await commitsOf(trusted))
}

/** Ways of starting the client in which a person types the prompts. */
const ATTENDED: ReadonlySet<string> = new Set(['cli', 'claude-vscode', 'claude-desktop'])

/**
 * A script or a build machine started the client (`claude -p`), as far as the environment tells.
 */
function isUnattendedIn(env: Env): boolean {
  const entry = env.CLAUDE_CODE_ENTRYPOINT ?? ''
  const others = Object.entries(env).filter(([name]) => !name.startsWith('CLAUDE'))
  const isBuild = agentSignIn(Object.fromEntries(others))?.client === 'ci'
  return isBuild || (entry !== '' && !ATTENDED.has(entry))
}

/** Tells the server of this client the session and turn of the next call; opens no stack. */
async function announce(session: Session, { callId, ...told }: HookEvent): Promise<null> {
  if (callId === null || told.session === null) return null
  const { announceCall } = await import('../../hook/announced-call.ts')
  await announceCall(session, callId, { session: told.session, turn: told.turn })
  return null
}

/** Clients set their project variable for hooks, and not for the shells of their model. */
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
