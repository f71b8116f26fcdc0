import type { Caller, LabelTiers } from '../../domain/doors.ts'
import { ScopeError } from '../../domain/errors.ts'
import type { LabelName } from '../../domain/labels.ts'
import type { Env } from './host.ts'
import type { Session } from './session.ts'

/**
 * Variables set by agents and build machines in their shells, with the client's name. A trailing
 * `*` marks a prefix. The list is generous: taking a person for an agent costs a hint about tokens,
 * while taking an agent for a person would attribute its words to the person.
 */
export const AGENT_SIGNS: Readonly<Record<string, string>> = {
  AI_AGENT: 'agent',
  AGENT: 'agent',
  MUNIMENT_AGENT: 'agent',
  CLAUDECODE: 'claude-code',
  CLAUDE_CODE: 'claude-code',
  CLAUDE_CODE_ENTRYPOINT: 'claude-code',
  CURSOR_AGENT: 'cursor',
  CURSOR_TRACE_ID: 'cursor',
  CODEX_SANDBOX: 'codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'codex',
  CODEX_THREAD_ID: 'codex',
  GEMINI_CLI: 'gemini-cli',
  QWEN_CODE: 'qwen-code',
  OPENCODE: 'opencode',
  OPENCODE_CLIENT: 'opencode',
  'AIDER_*': 'aider',
  AUGMENT_AGENT: 'auggie',
  ANTIGRAVITY_AGENT: 'antigravity',
  CLINE_ACTIVE: 'cline',
  COPILOT_AGENT: 'copilot',
  COPILOT_CLI: 'copilot',
  GOOSE_TERMINAL: 'goose',
  JUNIE_DATA: 'junie',
  REPL_ID: 'replit',
  TRAE_AI_SHELL_ID: 'trae',
  CI: 'ci',
  GITHUB_ACTIONS: 'ci',
  GITLAB_CI: 'ci',
  BUILDKITE: 'ci',
  CIRCLECI: 'ci',
  JENKINS_URL: 'ci',
  TEAMCITY_VERSION: 'ci',
  TF_BUILD: 'ci',
}

/** A variable that is set but switched off counts as not set. */
const OFF: ReadonlySet<string> = new Set(['', '0', 'false'])

interface AgentSign {
  readonly variable: string
  readonly client: string
}

export function agentSignIn(env: Env): AgentSign | undefined {
  const isSet = (name: string): boolean => !OFF.has((env[name] ?? '').toLowerCase())
  for (const [sign, client] of Object.entries(AGENT_SIGNS)) {
    const names = sign.endsWith('*')
      ? Object.keys(env).filter((name) => name.startsWith(sign.slice(0, -1)))
      : [sign]
    const variable = names.find(isSet)
    if (variable !== undefined) return { variable, client }
  }
  return undefined
}

/** All that the program can check about the caller; nothing comes from the text to be written. */
export interface Signs {
  readonly stdinIsTerminal: boolean
  readonly stdoutIsTerminal: boolean
  readonly stderrIsTerminal: boolean
  readonly env: Env
}

export interface Who {
  readonly person: boolean
  readonly label: LabelName
  readonly by: 'token' | 'terminal' | 'agent' | 'no terminal'
  /** The deciding sign, in words. */
  readonly because: string
  /** The program that opened this shell, if known. */
  readonly client: string | null
  /** The rights of the token, if the caller showed a token. */
  readonly grant: LabelTiers | null
}

const model = (by: Who['by'], because: string, client: string | null): Who => ({
  person: false,
  label: 'ModelDerived',
  by,
  because,
  client,
  grant: null,
})

const person = (by: Who['by'], because: string): Who => ({
  person: true,
  label: 'UserAsserted',
  by,
  because,
  client: null,
  grant: null,
})

/** The caller, as the scope of a valid token describes them. */
export const bearerOf = (token: {
  readonly name: string
  readonly isPerson: boolean
  readonly grant: LabelTiers
}): Who => ({
  ...(token.isPerson
    ? person('token', 'a personal token was shown')
    : model('token', `the token “${token.name}” was shown`, null)),
  grant: token.grant,
})

/**
 * A person sits at a terminal no agent opened, or shows a token. A process in the same user's shell
 * can forge both: this check keeps honest programs honest and does not stop a thief (PROV-DOOR).
 */
export function callerAt(signs: Signs): Who {
  const agent = agentSignIn(signs.env)
  if (agent) return model('agent', `${agent.variable} is set in this shell`, agent.client)
  if (!signs.stdinIsTerminal) return model('no terminal', 'stdin is not a terminal', null)
  if (!signs.stdoutIsTerminal && !signs.stderrIsTerminal) {
    return model('no terminal', 'neither stdout nor stderr is a terminal', null)
  }
  return person('terminal', 'a person at a terminal')
}

export const cliCaller = (
  operation: string,
  { person: isPerson, grant, session }: Pick<Caller, 'person' | 'grant' | 'session'>,
): Caller => ({
  door: 'cli',
  operation,
  person: isPerson,
  grant,
  session,
  turn: null,
})

/** The name of this program where no caller is involved. */
export const CORE = 'muniment-cli'

/** The reader in receipts. Reads ask for no token, so no reader is taken for a person. */
export const readerAt = (
  operation: string,
  { sessionId }: { readonly sessionId: string | null },
): { readonly caller: Caller; readonly actor: string } => ({
  caller: cliCaller(operation, { person: false, grant: null, session: sessionId }),
  actor: CORE,
})

/** Refuses programs, and models in a shell, for decisions reserved to a person. */
export function assertPerson(session: Session, does: string): void {
  const { person, because } = session.whoWithout()
  if (person) return
  throw new ScopeError(
    `A person ${does}, at a terminal, and this call is a program’s: ${because}.`,
    {
      hint: 'Type the same in a terminal of your own.',
    },
  )
}
