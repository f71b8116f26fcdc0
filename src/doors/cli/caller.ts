import type { Caller, LabelTiers } from '../../domain/doors.ts'
import type { LabelName } from '../../domain/labels.ts'
import type { Env } from './host.ts'

/**
 * Variables that agents and build machines set in the shells they start, and whose they are. Names
 * ending in `*` are beginnings. Taking a person for an agent costs a hint about tokens; taking an
 * agent for a person would put a person's name under its words: the list is generous.
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

/** Set but switched off is how a shell says "not set". */
const OFF: ReadonlySet<string> = new Set(['', '0', 'false'])

export interface AgentSign {
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

/** What the program can check about who is calling; nothing of it is read from what is written. */
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
  /** The sign that decided, in words. */
  readonly because: string
  /** The program whose shell this is, where it shows. */
  readonly client: string | null
  /** What a token allows, where one was shown. */
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

/** Whoever shows a token of this home, which says what they are. */
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
 * A person sits at a terminal that no agent opened, or shows a token. Someone with the same user's
 * shell can forge both: this keeps honest programs honest, it does not stop a thief (PROV-DOOR).
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

/** What this program is called where it acts for nobody. */
export const CORE = 'muniment-cli'

/** Who reads here: nobody asks for a token, so that nobody is taken for a person. */
export const readerAt = (
  operation: string,
  { sessionId }: { readonly sessionId: string | null },
): { readonly caller: Caller; readonly actor: string } => ({
  caller: cliCaller(operation, { person: false, grant: null, session: sessionId }),
  actor: CORE,
})
